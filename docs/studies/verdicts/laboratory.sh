#!/usr/bin/env bash
# The same test in the laboratory again and again: docs/studies/verdicts/laboratory.sh [DATE [PROGRAM...]]. `assess` without sites, three runs (each compiles anew),
# 13 minutes a test on two processors in a restless hour; stopped, it goes on with the same date behind the last result. Results: results/DATE/laboratory.
# Needs Maven. PROOFMARK, PM_JDK25, WORK as in repeats.sh; REPEATS, PROFILERS and RUNS change how much is done.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
date=${1:-$(date -u +%F)}
programs=${*:2}
programs=${programs:-Queens Json ReadWrite}
source "$here/common.sh"
places laboratory

judge() { # PROGRAM REPEAT
  local name=$1-$2 status=0 begun=$SECONDS program
  program "$1"
  # What an interrupted repeat left is no part of this one.
  rm -rf "${work:?}/$name"
  "$proofmark" --quiet --jdk "$jdk" assess --no-sites --laboratory --no-cause --profiler "${PROFILERS:-async}" --runs "${RUNS:-3}" --seed "$2" \
    --format json --out "$work/$name" "${program[@]}" > "$work/$name.json" 2> "$work/$name.log" || status=$?
  keep "$name" "$name" "$status" "$begun"
}

# shellcheck disable=SC2086
fetch_for $programs
# All programs once, then all of them again: stopped early, every program has about as many repeats.
for repeat in $(seq "${REPEATS:-5}"); do
  for program in $programs; do
    if [ ! -s "$out/$program-$repeat.json" ] && [ ! -s "$out/$program-$repeat-refused.txt" ]; then judge "$program" "$repeat"; fi
  done
done
