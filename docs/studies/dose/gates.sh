#!/bin/sh
# What sites with gates cost, and what profilers are then called, on the 14 programs of the suite, and on Queens under other
# compilers: gates.sh [DIRECTORY]. Needs a built `proofmark` on the PATH (or PROOFMARK), JDK 25 and JDK 17 (PM_JDK25, PM_JDK17).
# Results are dose.json files in the directory; what is there is not measured again. PROGRAMS names others, OTHERS= leaves the
# second part out, PROFILERS are asked. Table: table.py DIRECTORY.
set -u
out=${1:-$(date -u +%F)-gates}
jdk25=${PM_JDK25:-/usr/lib/jvm/temurin-25-jdk-amd64}
jdk17=${PM_JDK17:-/usr/lib/jvm/java-17-openjdk-amd64}
work=${WORK:-$(mktemp -d)}
profilers=${PROFILERS:-async,jfr,jfr+nonsafepoints}
mkdir -p "$out" "$work"

dose() { # NAME JDK WORDS...
    name=$1 jdk=$2
    shift 2
    [ -e "$out/$name.json" ] && return
    rm -rf "$work/$name"
    "${PROOFMARK:-proofmark}" --quiet --jdk "$jdk" dose --out "$work/$name" --runs 1 --seed 1 "$@" > "$work/$name.txt" 2>&1
    cp "$work/$name/dose.json" "$out/$name.json"
}

for program in ${PROGRAMS:-Bounce CD DeltaBlue Havlak Json List Mandelbrot NBody Permute Queens Richards Sieve Storage Towers}; do
    dose "$program" "$jdk25" "suite:$program" --profiler "$profilers" --methods 6
done
[ "${OTHERS-yes}" ] || exit 0
dose Queens-17 "$jdk17" suite:Queens --profiler "$profilers" --methods 6
dose Queens-cpu "$jdk25" suite:Queens --profiler async,jfr-cpu,jfr-cpu+nonsafepoints --methods 6
suite=$(ls "${XDG_CACHE_HOME:-$HOME/.cache}"/proofmark/entries/suite-*/proofmark-suite.jar | head -1)
for mode in C1:-XX:TieredStopAtLevel=1 interpreted:-Xint; do
    dose "Queens-${mode%%:*}" "$jdk25" --profiler async,jfr --methods 6 -- "$jdk25/bin/java" "${mode#*:}" -cp "$suite" proofmark.suite.Repeat Queens 100
done
