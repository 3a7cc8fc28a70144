#!/usr/bin/env bash
# A program of somebody else's: JTidy (an HTML parser, 12 units of at least 2 %) from Maven Central reads a page.
# docs/studies/user-jar/run.sh DIRECTORY [PROOFMARK]. About 20 minutes.
set -euo pipefail
out=$(mkdir -p "${1:?directory for the results}" && cd "$1" && pwd)
proofmark=$(realpath "${2:-target/release/proofmark}")
here=$(cd "$(dirname "$0")" && pwd)
mvn -q dependency:copy -Dartifact=net.sf.jtidy:jtidy:r938 -DoutputDirectory="$out"
echo "6fc03e51e73fa884f06e7eae0761e045e56fdeb4e146a4d952e3023cc9e3fb43  $out/jtidy-r938.jar" | sha256sum --check --quiet
awk -f "$here/page.awk" > "$out/page.html"
cd "$out"
status=0
"$proofmark" assess --profiler async,jfr,jfr-cpu --format json --out "$out/run" -- \
  java -cp jtidy-r938.jar org.w3c.tidy.Tidy -q -asxml page.html > jtidy.json || status=$?
echo "exit code $status: 0 every profiler right, 1 one wrong, 4 undecided"
