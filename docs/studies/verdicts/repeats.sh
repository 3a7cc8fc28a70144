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
proofmark=${PROOFMARK:-proofmark}
jdk=${PM_JDK25:-/usr/lib/jvm/temurin-25-jdk-amd64}
kind=${KIND:-repeats}
out=$here/results/$date/$kind
work=${WORK:-$here/../../../target/studies/verdicts}/$date/$kind
jars=$work/jars
others=$here/../dose
mkdir -p "$out" "$work/classes"

# The programs of others that stand in the study of dose.
fetch() {
  local artifact
  for artifact in com.h2database:h2:2.3.232 org.eclipse.jdt:ecj:3.40.0 org.apache.lucene:lucene-core:9.12.1 \
    org.mozilla:rhino:1.7.15 com.github.javaparser:javaparser-core:3.26.2 com.fasterxml.jackson.core:jackson-core:2.18.2 \
    com.fasterxml.jackson.core:jackson-databind:2.18.2 com.fasterxml.jackson.core:jackson-annotations:2.18.2; do
    mvn -q dependency:copy -Dartifact="$artifact" -DoutputDirectory="$jars"
  done
  "$jdk/bin/javac" -cp "$jars/*" -d "$work/classes" "$others"/*.java
}

dose() { # PROGRAM REPEAT
  local name=$1-$2 status=0 begun=$SECONDS program runs=()
  if [ -n "${RUNS:-}" ]; then runs=(--runs "$RUNS"); fi
  case $1 in
    Grouping | RunScript | ReadWrite | Index | ParseSource | CompileSource | ReadTogether) program=(-- "$jdk/bin/java" -cp "$work/classes$(printf ':%s' "$jars"/*.jar)" "$1") ;;
    *) program=("suite:$1") ;;
  esac
  # What an interrupted repeat left is no part of this one.
  rm -rf "${work:?}/$name"
  "$proofmark" --quiet --jdk "$jdk" dose --profiler "${PROFILERS:-async,jfr}" --methods "${METHODS:-4}" "${runs[@]}" --seed "$2" \
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
  *" Grouping "* | *" RunScript "* | *" ReadWrite "* | *" Index "* | *" ParseSource "* | *" CompileSource "* | *" ReadTogether "*) fetch ;;
esac
# All programs once, then all of them again: stopped early, every program has about as many repeats.
for repeat in $(seq "${REPEATS:-5}"); do
  for program in $programs; do
    if [ ! -s "$out/$program-$repeat.json" ]; then dose "$program" "$repeat"; fi
  done
done
