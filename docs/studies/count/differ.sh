#!/usr/bin/env bash
# Counts programs of others twice, and asks where the two profiles begin to differ: docs/studies/count/differ.sh WORK, where
# docs/studies/dose/gates.sh left `jars` and `classes` (PARTS=others). What it prints is 2026-11-27/differ.txt; a minute.
# PROOFMARK names the command, PM_JDK25 a JDK 25.
set -euo pipefail
work=${1:?directory with jars and classes}
proofmark=${PROOFMARK:-proofmark}
java=${PM_JDK25:-/usr/lib/jvm/temurin-25-jdk-amd64}/bin/java
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

twice() { # NAME COMMAND...
  local name=$1
  shift
  echo "== $name"
  for time in 1 2; do
    "$proofmark" count --exact -o "$place/$name-$time.count" -- "$@" > "$place/printed" 2> "$place/summary"
    grep -m 1 bytecodes "$place/summary"
  done
  "$proofmark" count compare "$place/$name-1.count" "$place/$name-2.count" | head -n "${LINES_SHOWN:-12}"
}

mvn -q dependency:copy -Dartifact=org.apache.groovy:groovy:4.0.24 -DoutputDirectory="$place" > "$place/printed"
twice ecj "$java" -cp "$work/classes:$work/jars/*" CompileSource
twice H2 "$java" -cp "$work/classes:$work/jars/*" Grouping
twice Rhino "$java" -cp "$work/classes:$work/jars/*" RunScript
twice Jackson "$java" -cp "$work/classes:$work/jars/*" ReadWrite
twice Groovy "$java" -cp "$place/groovy-4.0.24.jar" groovy.ui.GroovyMain -e 'println((1..1000).collect { it * it }.findAll { it % 3 == 0 }.sum())'
echo "== Json with the JDK"
"$proofmark" count --include-jdk -o "$place/json.collapsed" suite:Json 2>&1 > /dev/null
