#!/usr/bin/env bash
# The same test in the laboratory again and again: docs/studies/verdicts/laboratory.sh [DATE [PROGRAM...]]. `assess` without sites, three runs (each compiles anew),
# 13 minutes a test on two processors in a restless hour; stopped, it goes on with the same date behind the last result. Results: results/DATE/laboratory.
# Needs Maven. PROOFMARK, PM_JDK25, WORK as in repeats.sh; REPEATS, PROFILERS and RUNS change how much is done.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
date=${1:-$(date -u +%F)}
programs=${*:2}
programs=${programs:-Queens Json ReadWrite}
proofmark=${PROOFMARK:-proofmark}
jdk=${PM_JDK25:-/usr/lib/jvm/temurin-25-jdk-amd64}
out=$here/results/$date/laboratory
work=${WORK:-$here/../../../target/studies/verdicts}/$date/laboratory
jars=$work/jars
mkdir -p "$out" "$work/classes"

# Jackson, for ReadWrite of the study of dose.
fetch() {
  local artifact
  for artifact in core:jackson-core:2.18.2 core:jackson-databind:2.18.2 core:jackson-annotations:2.18.2; do
    mvn -q dependency:copy -Dartifact="com.fasterxml.jackson.$artifact" -DoutputDirectory="$jars"
  done
  "$jdk/bin/javac" -cp "$jars/*" -d "$work/classes" "$here"/../dose/ReadWrite.java
}

judge() { # PROGRAM REPEAT
  local name=$1-$2 status=0 begun=$SECONDS program
  case $1 in
    ReadWrite) program=(-- "$jdk/bin/java" -cp "$work/classes:$jars/*" "$1") ;;
    *) program=("suite:$1") ;;
  esac
  # What an interrupted repeat left is no part of this one.
  rm -rf "${work:?}/$name"
  "$proofmark" --quiet --jdk "$jdk" assess --no-sites --laboratory --no-cause --profiler "${PROFILERS:-async}" --runs "${RUNS:-3}" --seed "$2" \
    --format json --out "$work/$name" "${program[@]}" > "$work/$name.json" 2> "$work/$name.log" || status=$?
  case $status in
    0 | 1 | 4)
      mv "$work/$name.json" "$out/$name.json"
      rm -f "$out/$name-refused.txt"
      ;;
    3) cp "$work/$name.log" "$out/$name-refused.txt" ;;
    *)
      cat "$work/$name.log" >&2
      exit "$status"
      ;;
  esac
  echo "$name: exit code $status, $((SECONDS - begun)) s" >&2
}

case " $programs " in
  *" ReadWrite "*) fetch ;;
esac
# All programs once, then all of them again: stopped early, every program has about as many repeats.
for repeat in $(seq "${REPEATS:-5}"); do
  for program in $programs; do
    if [ ! -s "$out/$program-$repeat.json" ] && [ ! -s "$out/$program-$repeat-refused.txt" ]; then judge "$program" "$repeat"; fi
  done
done
