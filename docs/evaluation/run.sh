#!/usr/bin/env bash
# The 14 bundled programs: docs/evaluation/run.sh DIRECTORY [PROOFMARK]. Slows them by 100 %: 52 minutes on two quiet processors.
# TARGETS=100,50,150 slows them by each of these: some 100 minutes. FRESH=10 measures every plan in ten pairs of JVMs of their own
# as well: some six minutes more for a plan. With PROFILERS=async also what profilers, our own sampler and the safepoint control
# make of them in the laboratory: 110 minutes. Each program has a directory of its own, so that a search that was stopped goes on;
# PROGRAMS names fewer.
set -euo pipefail
out=${1:?directory for the evaluation}
proofmark=${2:-target/release/proofmark}
options=(--profiler "${PROFILERS:-none}" --methods 0 --target "${TARGETS:-100}" --fresh "${FRESH:-0}")
for program in ${PROGRAMS:-Queens CD Json Richards DeltaBlue Havlak Storage Mandelbrot Bounce Sieve List Permute Towers NBody}; do
  mkdir -p "$out"
  status=0
  if [ ! -e "$out/$program/evaluation.json" ]; then
    "$proofmark" --quiet evaluate "${options[@]}" --out "$out/$program" "suite:$program" > "$out/$program.txt" || status=$?
  fi
  # 3: the program could not be measured, which is a result.
  if [ $status != 0 ] && [ $status != 3 ]; then exit $status; fi
done
# Together, beside the directories of the programs.
rm -rf "$out/together"
results=("$out"/*/evaluation.json)
"$proofmark" evaluate --show "${results[@]}" --out "$out/together"
