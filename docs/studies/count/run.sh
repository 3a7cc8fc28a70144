#!/bin/bash
# The long evaluation of counted bytecodes: run.sh DIRECTORY JDK25 JDK17
# Leaves one line per program in accuracy.tsv, determinism.tsv and overhead.json. Needs `proofmark` on the PATH and `jq`.
set -eu
out=$1 jdk25=$2 jdk17=$3
programs="Bounce CD DeltaBlue Havlak Json List Mandelbrot NBody Permute Queens Richards Sieve Storage Towers Victim"
mkdir -p "$out"

count() { # FILE JDK OPTIONS...
  local file=$1 jdk=$2; shift 2
  JAVA_TOOL_OPTIONS=${jvm:-} proofmark --quiet --jdk "$jdk" count -o "$file" "$@" "suite:$program" > /dev/null 2>> "$out/errors"
}

for program in $programs; do
  at=$out/$program
  count "$at-exact.count" "$jdk25" --exact
  count "$at-10000.count" "$jdk25"
  count "$at-500.count" "$jdk25" --granularity 500 --random
  for sampled in 10000 500; do
    proofmark --format json count compare "$at-exact.count" "$at-$sampled.count" |
      jq -r "[\"$program\", $sampled, .overlap_pct, .bytecodes.relative_error_pct, .samples.b, .contexts.a] | @tsv"
  done
done > "$out/accuracy.tsv"

# 20 runs with one seed: every JDK, collector, heap, with and without compilers. One hash per program is what is wanted.
for program in $programs; do
  for run in $(seq 20); do
    case $((run % 5)) in
      0) jvm="-XX:+UseSerialGC -Xmx64m" ;;
      1) jvm="-XX:+UseParallelGC -Xmx512m" ;;
      2) jvm="-XX:+UseG1GC" ;;
      3) jvm="-XX:TieredStopAtLevel=1" ;;
      4) jvm="-Xint" ;;
    esac
    jdk=$([ $((run % 2)) = 0 ] && echo "$jdk25" || echo "$jdk17")
    count "$out/again.count" "$jdk" --random
    sha256sum < "$out/again.count"
  done | sort | uniq -c | sed "s/^/$program /"
done > "$out/determinism.tsv"

proofmark --format json count overhead --rounds 5 > "$out/overhead.json"
proofmark --format json count overhead --rounds 3 --exact > "$out/overhead-exact.json"
