#!/bin/bash
# The evaluation of counted bytecodes over the suite: run.sh DIRECTORY JDK25 JDK17 [accuracy|determinism|coverage|overhead]...
# Leaves accuracy.tsv, determinism.tsv, coverage.tsv, overhead-25.json, overhead-exact-25.json and the same for 17. Needs `proofmark` on the PATH and `jq`.
set -eu
out=$(mkdir -p "$1" && cd "$1" && pwd) jdk25=$2 jdk17=$3
shift 3
programs=${PROGRAMS:-Bounce CD DeltaBlue Havlak Json List Mandelbrot NBody Permute Queens Richards Sieve Storage Towers Victim}
here=$(cd "$(dirname "$0")" && pwd)

count() { # FILE JDK OPTIONS...
  local file=$1 jdk=$2; shift 2
  JAVA_TOOL_OPTIONS=${jvm:-} proofmark --quiet --jdk "$jdk" count -o "$file" "$@" "suite:$program" > /dev/null 2>> "$out/errors"
}

# Per program: bytecodes; at 10,000 and at 500 + random 100: overlap with the exact profile, error of the total, samples.
accuracy() {
  local at sampled
  for program in $programs; do
    at=$out/$program
    count "$at-exact.count" "$jdk25" --exact
    count "$at-10000.count" "$jdk25"
    count "$at-500.count" "$jdk25" --granularity 500 --random
    for sampled in 10000 500; do
      proofmark --format json count compare "$at-exact.count" "$at-$sampled.count" |
        jq -r "[\"$program\", $sampled, .bytecodes.a, .overlap_pct, .bytecodes.relative_error_pct, .samples.b, .contexts.a] | @tsv"
    done
  done > "$out/accuracy.tsv"
}

# 20 runs with one seed. One line per program, with all 20, is what is wanted. -Xint is slow: it has one run.
determinism() {
  mkdir -p "$out/suite"
  "$jdk25/bin/javac" --release 17 -g -d "$out/suite" $(find "$here/../../../java/suite" -name '*.java')
  "$jdk25/bin/jar" cf "$out/suite.jar" -C "$out/suite" .
  proofmark --quiet count instrument "$out/suite.jar" -o "$out/counted.jar" --random 2>> "$out/errors"
  for program in $programs; do
    for run in $(seq 0 19); do
      case $run in
        0) jvm="-Xint" ;;
        1) jvm="-XX:TieredStopAtLevel=1" ;;
        2 | 3) jvm=ahead ;;
        *) jvm=$(echo "-XX:+UseSerialGC -Xmx64m
-XX:+UseParallelGC -Xmx512m
-XX:+UseG1GC
-XX:-TieredCompilation" | sed -n "$((run % 4 + 1))p") ;;
      esac
      jdk=$([ $((run % 2)) = 0 ] && echo "$jdk25" || echo "$jdk17")
      if [ "$jvm" = ahead ]; then
        "$jdk/bin/java" "-Dproofmark.count.output=$out/raw" -cp "$out/counted.jar" proofmark.suite.Repeat "$program" 1 > "$out/ok"
        proofmark --quiet count show "$out/raw" -o "$out/again.count" > "$out/ok"
      else
        count "$out/again.count" "$jdk" --random
      fi
      sha256sum < "$out/again.count"
    done | sort | uniq -c | sed "s/^/$program /"
  done > "$out/determinism.tsv"
}

# What of the bytecodes that the JVM executes is counted, in a test program with lambdas, without and with the JDK's classes: release, option,
# counted, executed in scope, of these in hidden classes, executed in all.
coverage() {
  local release jdk option
  for release in 25 17; do
    jdk=$([ $release = 25 ] && echo "$jdk25" || echo "$jdk17")
    "$jdk/bin/javac" -d "$out/work-$release" "$here/../../../crates/proofmark/tests/count_java/Work.java"
    for option in "" --include-jdk; do
      proofmark --quiet --format json count --exact --coverage $option -- "$jdk/bin/java" -cp "$out/work-$release" Work 30 2>> "$out/errors" |
        jq -r "[$release, \"${option:--}\", .bytecodes, (.coverage.executed | .in_scope, .hidden, .all)] | @tsv"
    done
  done > "$out/coverage.tsv"
}

cost() { # FILE OPTION...: the programs in $first, on $jdk
  local file=$1; shift
  proofmark --quiet --format json --jdk "$jdk" count overhead --iterations 11 --rounds "${ROUNDS:-5}" "$@" $first > "$out/$file.json"
}

overhead() {
  local first="${programs% Victim}" release jdk
  for release in 25 17; do
    jdk=$([ $release = 25 ] && echo "$jdk25" || echo "$jdk17")
    cost "overhead-$release"
    cost "overhead-exact-$release" --exact
  done
}

for part in "${@:-accuracy}"; do "$part"; done
