#!/bin/sh
# What sites with gates cost, and what profilers are then called: gates.sh [DIRECTORY]. Three parts (PARTS names those wanted):
#   suite   the 14 programs of the suite (PROGRAMS names others)
#   modes   Queens on Java 17, under C1 alone and in the interpreter
#   others  six programs of others from Maven: a database, a compiler, an indexer, a script, a parser, JSON (OTHERS names others)
# Needs a built `proofmark` on the PATH (or PROOFMARK), JDK 25 and JDK 17 (PM_JDK25, PM_JDK17), and Maven for the last part.
# Results are dose.json files in the directory; what is there is not measured again. PROFILERS are asked, one JVM each; three
# to six minutes a program with six of them, more under C1. Table: table.py DIRECTORY.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$(date -u +%F)-gates}
jdk25=${PM_JDK25:-/usr/lib/jvm/temurin-25-jdk-amd64}
jdk17=${PM_JDK17:-/usr/lib/jvm/java-17-openjdk-amd64}
work=${WORK:-$(mktemp -d)}
profilers=${PROFILERS:-async,jfr,jfr+nonsafepoints}
# JFR samples by CPU time from Java 25 on.
before25=$(echo "$profilers" | tr , '\n' | grep -v '^jfr-cpu' | paste -sd, -)
mkdir -p "$out" "$work"

dose() { # NAME JDK PROFILERS WORDS...
    name=$1 jdk=$2 asked=$3
    shift 3
    [ -e "$out/$name.json" ] && return
    rm -rf "${work:?}/$name"
    "${PROOFMARK:-proofmark}" --quiet --jdk "$jdk" dose --out "$work/$name" --runs 1 --seed 1 --methods 6 --profiler "$asked" "$@" \
        > "$work/$name.txt" 2>&1
    echo "$name: exit code $?" >&2
    cp "$work/$name/dose.json" "$out/$name.json"
}

suite() {
    for program in ${PROGRAMS:-Bounce CD DeltaBlue Havlak Json List Mandelbrot NBody Permute Queens Richards Sieve Storage Towers}; do
        dose "$program" "$jdk25" "$profilers" "suite:$program"
    done
}

modes() {
    [ -z "$before25" ] || dose Queens-17 "$jdk17" "$before25" suite:Queens
    suite=$(ls -t "${XDG_CACHE_HOME:-$HOME/.cache}"/proofmark/entries/suite-*/proofmark-suite.jar | head -1)
    # Once each: a window holds two iterations at least, and the high dose makes one take ten times as long.
    dose Queens-C1 "$jdk25" "$profilers" -- "$jdk25/bin/java" -XX:TieredStopAtLevel=1 -cp "$suite" proofmark.suite.Repeat Queens 1
    "$jdk25/bin/javac" -cp "$suite" -d "$work/queens" "$here/queens/SolveQueens.java"
    dose Queens-interpreted "$jdk25" "$profilers" -- "$jdk25/bin/java" -Xint -cp "$work/queens:$suite" SolveQueens
}

others() {
    jars=$work/jars
    for artifact in com.h2database:h2:2.3.232 org.eclipse.jdt:ecj:3.40.0 org.apache.lucene:lucene-core:9.12.1 \
        org.mozilla:rhino:1.7.15 com.github.javaparser:javaparser-core:3.26.2 com.fasterxml.jackson.core:jackson-core:2.18.2 \
        com.fasterxml.jackson.core:jackson-databind:2.18.2 com.fasterxml.jackson.core:jackson-annotations:2.18.2; do
        mvn -q dependency:copy -Dartifact=$artifact -DoutputDirectory="$jars"
    done
    "$jdk25/bin/javac" -cp "$jars/*" -d "$work/classes" "$here"/*.java
    for program in ${OTHERS:-Grouping CompileSource Index RunScript ParseSource ReadWrite}; do
        dose "$program" "$jdk25" "$profilers" -- "$jdk25/bin/java" -cp "$work/classes:$jars/*" "$program"
    done
}

for part in ${PARTS:-suite modes others}; do
    case $part in
        suite | modes | others) "$part" ;;
        *) echo "gates.sh: there is no part $part: suite, modes, others" >&2 && exit 2 ;;
    esac
done
