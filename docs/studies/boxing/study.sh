#!/usr/bin/env bash
# Whose time is it where code that is compiled together boxes numbers? docs/studies/boxing/study.sh [DATE]. Two small programs, with and
# without C2's elimination of boxes, three profilers and runs without one, five JVMs of each: 80 runs, six minutes on two quiet
# processors; stopped, it goes on with the same date. Before them a clock says what is true, without a profiler. Results: DATE.json beside
# this file, and the table of README.md. PROOFMARK names the command, PM_JDK25 a JDK 25, RUNS the JVMs, WORK a place for everything else.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
date=${1:-$(date -u +%F)}
proofmark=${PROOFMARK:-proofmark}
jdk=${PM_JDK25:-/usr/lib/jvm/temurin-25-jdk-amd64}
work=${WORK:-$here/../../../target/studies/boxing}/$date
mkdir -p "$work/classes"
"$jdk/bin/javac" --release 17 -d "$work/classes" "$here"/../verdicts/victims/{Clock,Boxed,Beside}.java

# Kinds: as the JVM is, and with the option.
option_of() { if [ "$1" = without ]; then echo -XX:-EliminateAutoBox; else echo -XX:+EliminateAutoBox; fi; }

for program in Boxed Beside; do
  for kind in with without; do
    printf '[[program]]\nname = "%s %s"\nworkload = "class:%s"\nclass_path = ["%s"]\njvm_options = ["%s"]\n\n' \
      "$program" "$kind" "$program" "$work/classes" "$(option_of "$kind")"
  done
done > "$work/programs.toml"

java=$("$jdk/bin/java" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.version = //p')
for program in Boxed Beside; do
  for kind in with without; do
    truth=$work/$java-$program-$kind.json
    if [ ! -s "$truth" ]; then
      "$jdk/bin/java" "$(option_of "$kind")" -cp "$work/classes" "$program" clock > "$truth.part"
      mv "$truth.part" "$truth"
    fi
  done
done
status=0
"$proofmark" --jdk "$jdk" study run --programs "$work/programs.toml" --profiler async,jfr,jfr+nonsafepoints \
  --runs "${RUNS:-5}" --iterations "${ITERATIONS:-250}" --out "$work/$java" || status=$?
# 3: some runs failed, which the table counts.
case $status in
  0 | 3) ;;
  *) exit "$status" ;;
esac
python3 "$here/table.py" "$work" "$here/$date.json"
