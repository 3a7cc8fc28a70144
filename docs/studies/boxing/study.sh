#!/usr/bin/env bash
# Whose time is it where code that is compiled together boxes numbers? docs/studies/boxing/study.sh [DATE]. Two small programs, on two
# versions of Java, with and without C2's elimination of boxes, three profilers and runs without one, five JVMs of each: 160 runs, ten
# minutes on two quiet processors; stopped, it goes on with the same date. Before them a clock says what is true, without a profiler.
# Results: DATE.json beside this file, and the table of README.md. PROOFMARK names the command, PM_JDK25 and PM_JDK17 the JDKs, RUNS the
# JVMs, WORK a place for everything else.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
date=${1:-$(date -u +%F)}
proofmark=${PROOFMARK:-proofmark}
jdk25=${PM_JDK25:-/usr/lib/jvm/temurin-25-jdk-amd64}
jdk17=${PM_JDK17:-/usr/lib/jvm/java-17-openjdk-amd64}
work=${WORK:-$here/../../../target/studies/boxing}/$date
mkdir -p "$work/classes"
"$jdk25/bin/javac" --release 17 -d "$work/classes" "$here"/../verdicts/victims/{Clock,Boxed,Beside}.java

# Kinds: as the JVM is, and with the option.
option_of() { if [ "$1" = without ]; then echo -XX:-EliminateAutoBox; else echo -XX:+EliminateAutoBox; fi; }

for program in Boxed Beside; do
  for kind in with without; do
    printf '[[program]]\nname = "%s %s"\nworkload = "class:%s"\nclass_path = ["%s"]\njvm_options = ["%s"]\n\n' \
      "$program" "$kind" "$program" "$work/classes" "$(option_of "$kind")"
  done
done > "$work/programs.toml"

for jdk in "$jdk17" "$jdk25"; do
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
done
python3 "$here/table.py" "$work" "$here/$date.json"
