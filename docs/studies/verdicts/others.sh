#!/usr/bin/env bash
# Seven programs of others, one of them parallel, at default settings, as a user would start them: docs/studies/verdicts/others.sh [DATE [PROGRAM...]]. Three profilers,
# as many JVMs as are usual; some 10 minutes a program on two quiet processors, less with METHODS=4; stopped, it goes on with the same date. Results: results/DATE/others.
# PROOFMARK names the command, PM_JDK25 the JDK, WORK a place for everything else, RUNS and METHODS what is not to be the default.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
date=${1:-$(date -u +%F)}
programs=("${@:2}")
if [ ${#programs[@]} -eq 0 ]; then programs=(Index ParseSource CompileSource Grouping RunScript ReadWrite ReadTogether); fi
proofmark=${PROOFMARK:-proofmark}
jdk=${PM_JDK25:-/usr/lib/jvm/temurin-25-jdk-amd64}
out=$here/results/$date/others
work=${WORK:-$here/../../../target/studies/verdicts}/$date/others
jars=$work/jars
mkdir -p "$out" "$work/classes"

fetch() {
  local artifact
  for artifact in com.h2database:h2:2.3.232 org.eclipse.jdt:ecj:3.40.0 org.apache.lucene:lucene-core:9.12.1 \
    org.mozilla:rhino:1.7.15 com.github.javaparser:javaparser-core:3.26.2 com.fasterxml.jackson.core:jackson-core:2.18.2 \
    com.fasterxml.jackson.core:jackson-databind:2.18.2 com.fasterxml.jackson.core:jackson-annotations:2.18.2; do
    mvn -q dependency:copy -Dartifact="$artifact" -DoutputDirectory="$jars"
  done
  "$jdk/bin/javac" -cp "$jars/*" -d "$work/classes" "$here"/../dose/*.java
}

judge() { # PROGRAM
  local name=$1 status=0 begun=$SECONDS options=()
  if [ -n "${RUNS:-}" ]; then options+=(--runs "$RUNS"); fi
  if [ -n "${METHODS:-}" ]; then options+=(--methods "$METHODS"); fi
  rm -rf "${work:?}/$name"
  "$proofmark" --quiet dose --format json --out "$work/$name" "${options[@]}" \
    -- "$jdk/bin/java" -cp "$work/classes:$jars/*" "$name" > "$work/$name.json" 2> "$work/$name.log" || status=$?
  case $status in
    0 | 1 | 4)
      mv "$work/$name.json" "$out/$name-1.json"
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

fetch
for program in "${programs[@]}"; do
  if [ ! -s "$out/$program-1.json" ]; then judge "$program"; fi
done
