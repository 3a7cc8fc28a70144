#!/usr/bin/env bash
# The same test again and again: docs/studies/verdicts/repeats.sh [DATE [PROGRAM...]]. Five repeats of `dose` on six programs, an hour
# and a half on two quiet processors; stopped, it goes on with the same date behind the last result. Results: results/DATE/repeats.
# Needs Maven for the programs of others. PROOFMARK, PM_JDK25, WORK as in run.sh; REPEATS, PROFILERS, METHODS and RUNS (JVMs for each
# profiler, exactly so many) change how much is done, KIND the name of the directory.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
date=${1:-$(date -u +%F)}
programs=${*:2}
programs=${programs:-Queens Json Richards Grouping RunScript ReadWrite}
source "$here/common.sh"
places "${KIND:-repeats}"

dose() { # PROGRAM REPEAT
  local name=$1-$2 status=0 begun=$SECONDS program runs=()
  if [ -n "${RUNS:-}" ]; then runs=(--runs "$RUNS"); fi
  program "$1"
  # What an interrupted repeat left is no part of this one.
  rm -rf "${work:?}/$name"
  "$proofmark" --quiet --jdk "$jdk" dose --profiler "${PROFILERS:-async,jfr}" --methods "${METHODS:-4}" "${runs[@]}" --seed "$2" \
    --format json --out "$work/$name" "${program[@]}" > "$work/$name.json" 2> "$work/$name.log" || status=$?
  keep "$name" "$name" "$status" "$begun"
}

# shellcheck disable=SC2086
fetch_for $programs
# All programs once, then all of them again: stopped early, every program has about as many repeats.
for repeat in $(seq "${REPEATS:-5}"); do
  for program in $programs; do
    if [ ! -s "$out/$program-$repeat.json" ]; then dose "$program" "$repeat"; fi
  done
done
