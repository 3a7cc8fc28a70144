#!/bin/sh
# The figures of this folder: ./run.sh [DIRECTORY]. Needs a built `proofmark` on the PATH, JDK 25 and JDK 17 (PM_JDK25, PM_JDK17),
# and Maven for the programs of others. The results are dose.json files in the directory.
set -u
out=${1:-$(date -u +%F)}
here=$(cd "$(dirname "$0")" && pwd)
jdk25=${PM_JDK25:-/usr/lib/jvm/temurin-25-jdk-amd64}
jdk17=${PM_JDK17:-/usr/lib/jvm/java-17-openjdk-amd64}
mkdir -p "$out/work"

dose() { # NAME JDK WORDS...
    name=$1 jdk=$2
    shift 2
    proofmark --quiet --jdk "$jdk" dose --out "$out/work/$name" "$@" > "$out/$name.txt" 2>&1
    cp "$out/work/$name/dose.json" "$out/$name.json"
}

dose queens-25 "$jdk25" suite:Queens --profiler async,jfr,jfr+nonsafepoints
dose queens-25-cpu "$jdk25" suite:Queens --profiler jfr-cpu,jfr-cpu+nonsafepoints
dose queens-17 "$jdk17" suite:Queens --profiler async,jfr,jfr+nonsafepoints
dose queens-25-runs "$jdk25" suite:Queens --profiler async,async+attached,jfr --runs 5 --budget 0
for program in Bounce CD DeltaBlue Havlak Json List Mandelbrot NBody Permute Richards Sieve Storage Towers; do
    dose "suite-$program" "$jdk25" "suite:$program" --profiler async,jfr --methods 8
done

jars=$out/work/jars
for artifact in com.h2database:h2:2.3.232 org.eclipse.jdt:ecj:3.40.0 org.apache.lucene:lucene-core:9.12.1 \
    org.mozilla:rhino:1.7.15 com.github.javaparser:javaparser-core:3.26.2 com.fasterxml.jackson.core:jackson-core:2.18.2 \
    com.fasterxml.jackson.core:jackson-databind:2.18.2 com.fasterxml.jackson.core:jackson-annotations:2.18.2; do
    mvn -q dependency:copy -Dartifact=$artifact -DoutputDirectory="$jars"
done
"$jdk17/bin/javac" -cp "$jars/*" -d "$out/work/classes" "$here"/*.java
path=$out/work/classes:$(ls "$jars"/*.jar | tr '\n' ':')
for program in Grouping CompileSource Index RunScript ParseSource ReadWrite; do
    dose "$program-25" "$jdk25" --profiler async,jfr,jfr+nonsafepoints --methods 8 -- "$jdk25/bin/java" -cp "$path" "$program"
done
dose jackson-17-c1 "$jdk17" --profiler jfr,jfr+nonsafepoints --methods 8 -- "$jdk17/bin/java" -XX:TieredStopAtLevel=1 -cp "$path" ReadWrite
