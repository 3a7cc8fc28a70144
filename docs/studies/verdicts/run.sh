#!/usr/bin/env bash
# Judges three profilers on victims whose truth is known: docs/studies/verdicts/run.sh [DATE [VICTIM...]]. 20 to 40 minutes on two
# quiet processors; stopped, it goes on with the same date. Results: results/DATE/victims; table.py makes the tables.
# PROOFMARK names the command, PM_JDK25 a JDK 25, JAVA another java (17 to 25) for the victims, WORK a place for everything else.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
date=${1:-$(date -u +%F)}
wanted=" ${*:2} "
source "$here/common.sh"
java=${JAVA:-$jdk/bin/java}
places victims
"$jdk/bin/javac" --release 17 -d "$work/classes" "$here"/victims/*.java

# What the clock says, then what Proofmark says of the profilers; the recordings stay in the place for everything else.
judge() { # NAME METHODS OPTIONS
  local name=$1 methods named=() options=() status=0 begun=$SECONDS
  IFS=, read -ra methods <<< "$2"
  for method in "${methods[@]}"; do named+=(--method "$method"); done
  if [ "$3" != - ]; then IFS=, read -ra options <<< "$3"; fi
  local command=("$java" -XX:+UseSerialGC -Xms256m -Xmx256m "${options[@]}" -cp "$work/classes" "$name")
  "${command[@]}" clock > "$work/$name.truth"
  "$proofmark" --quiet --jdk "$jdk" assess --no-laboratory --profiler async,jfr,jfr+nonsafepoints \
    --methods "${#methods[@]}" "${named[@]}" --format json --out "$work/$name" -- "${command[@]}" \
    > "$work/$name.json" 2> "$work/$name.log" || status=$?
  case $status in
    0 | 1 | 4)
      cp "$work/$name.truth" "$out/$name-truth.json"
      cp "$work/$name/sites/dose.json" "$out/$name-sites.json"
      ;;
  esac
  # The last one: with it the victim is done.
  keep "$name" "$name" "$status" "$begun"
}

while read -r name methods _ options <&3; do
  case $name in '' | '#'*) continue ;; esac
  if [ "$wanted" != "  " ] && [[ $wanted != *" $name "* ]]; then continue; fi
  if [ -s "$out/$name.json" ]; then continue; fi
  judge "$name" "$methods" "$options"
done 3< "$here/victims.txt"
