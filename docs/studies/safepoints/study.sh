#!/usr/bin/env bash
# Profiles programs under Graal with and without safepoint polls in loops: docs/studies/safepoints/study.sh [DATE]. Four programs,
# three profilers and runs without one, six JVMs of each: 30 to 60 minutes on two quiet processors; stopped, it goes on with the same
# date. Results: DATE.json beside this file, and the table of README.md. PROOFMARK names the command, PM_JDK25 a JDK 25, RUNS the JVMs,
# PROGRAMS other programs of the suite, PROFILERS other profilers, WORK a place for everything else.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
date=${1:-$(date -u +%F)}
proofmark=${PROOFMARK:-proofmark}
jdk=${PM_JDK25:-/usr/lib/jvm/temurin-25-jdk-amd64}
profilers=${PROFILERS:-async,jfr+nonsafepoints,safepoint}
work=${WORK:-$here/../../../target/studies/safepoints}/$date
mkdir -p "$work"
for program in ${PROGRAMS:-List Json Richards Havlak}; do
  printf '[[program]]\nname = "%s with polls"\nworkload = "suite:%s"\n\n' "$program" "$program"
  # Graal's own option: no poll at the end of a loop's turn. Those at returns stay.
  printf '[[program]]\nname = "%s without polls"\nworkload = "suite:%s"\njvm_options = ["-Djdk.graal.GenLoopSafepoints=false"]\n\n' "$program" "$program"
done > "$work/programs.toml"
status=0
"$proofmark" --jdk "$jdk" study run --compiler graal --programs "$work/programs.toml" --profiler "$profilers" \
  --runs "${RUNS:-6}" --iterations "${ITERATIONS:-600}" --out "$work/study" || status=$?
# 3: some runs failed, which the table counts.
case $status in
  0 | 3) ;;
  *) exit "$status" ;;
esac
python3 "$here/table.py" "$work/study" "$here/$date.json"
