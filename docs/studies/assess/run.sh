#!/usr/bin/env bash
# Judges async-profiler and JFR on six programs: docs/studies/assess/run.sh DIRECTORY [PROOFMARK]. One to two hours.
# PROFILERS names others. table.sh makes the table from the results.
set -euo pipefail
out=${1:?directory for the results}
proofmark=${2:-target/release/proofmark}
mkdir -p "$out"
for program in Queens Towers Permute Sieve Bounce List; do
  status=0
  "$proofmark" assess "suite:$program" --profiler "${PROFILERS:-async,jfr,jfr-cpu}" --format json \
    --out "$out/$program.run" > "$out/$program.full" || status=$?
  echo "$program: exit code $status" >&2
  # Without the windows and the shares of every method: 5 kB instead of 500.
  jq '{program, machine, false_alarm_rate, planted_found, controls_ok, controls, excluded_blocks,
       profilers: [.profilers[] | {name, role, verdict, looks: (.analyses // .looks), error_pt, cause, undecided, detectable_pt, blames: .blames[:3]}]}' \
    "$out/$program.full" > "$out/$program.json"
  rm -r "$out/$program.run" "$out/$program.full"
done
