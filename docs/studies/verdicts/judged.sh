#!/usr/bin/env bash
# The repeats on six programs on which no rule was fitted: docs/studies/verdicts/judged.sh [DATE [PROGRAM...]]. Five repeats of `dose`, as many JVMs
# for each profiler as are usual, some two hours on two quiet processors; stopped, it goes on with the same date. Results: results/DATE/judged.
# PROOFMARK, PM_JDK25, WORK, REPEATS, PROFILERS, METHODS and RUNS as in repeats.sh.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
date=${1:-$(date -u +%F)}
programs=("${@:2}")
if [ ${#programs[@]} -eq 0 ]; then programs=(Havlak DeltaBlue CD Bounce Towers Storage); fi
KIND=judged exec "$here/repeats.sh" "$date" "${programs[@]}"
