#!/usr/bin/env bash
# Seven programs of others, one of them parallel, at default settings, as a user would start them: docs/studies/verdicts/others.sh [DATE [PROGRAM...]]. Three profilers,
# as many JVMs as are usual; some 10 minutes a program on two quiet processors, less with METHODS=4; stopped, it goes on with the same date. Results: results/DATE/others.
# PROOFMARK names the command, PM_JDK25 the JDK, WORK a place for everything else, RUNS and METHODS what is not to be the default.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
date=${1:-$(date -u +%F)}
programs=("${@:2}")
if [ ${#programs[@]} -eq 0 ]; then programs=(Index ParseSource CompileSource Grouping RunScript ReadWrite ReadTogether); fi
source "$here/common.sh"
places others

judge() { # PROGRAM
  local name=$1 status=0 begun=$SECONDS options=() program
  program "$name"
  if [ -n "${RUNS:-}" ]; then options+=(--runs "$RUNS"); fi
  if [ -n "${METHODS:-}" ]; then options+=(--methods "$METHODS"); fi
  rm -rf "${work:?}/$name"
  "$proofmark" --quiet dose --format json --out "$work/$name" "${options[@]}" \
    "${program[@]}" > "$work/$name.json" 2> "$work/$name.log" || status=$?
  keep "$name" "$name-1" "$status" "$begun"
}

fetch
for each in "${programs[@]}"; do
  if [ ! -s "$out/$each-1.json" ]; then judge "$each"; fi
done
