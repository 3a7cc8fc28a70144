#!/usr/bin/env bash
# The published suite itself by its class path: docs/evaluation/published.sh SOURCES DIRECTORY [PROOFMARK].
# SOURCES: benchmarks/Java/src of a checkout of are-we-fast-yet.
set -euo pipefail
sources=${1:?benchmarks/Java/src of the published suite}
out=${2:?directory for the evaluation}
proofmark=${3:-target/release/proofmark}
here=$(cd "$(dirname "$0")" && pwd)
classes=$(mktemp -d)
trap 'rm -r "$classes"' EXIT
find "$sources" -name '*.java' > "$classes/list"
javac -nowarn -d "$classes" "@$classes/list" "$here/Once.java"
for row in Richards:1 Json:1 DeltaBlue:100 Havlak:1; do
  cat <<TOML
[[program]]
name = "published ${row%:*}"
command = ["java", "-cp", "$classes", "Once", "${row%:*}", "${row#*:}"]
TOML
done > "$classes/programs.toml"
"$proofmark" evaluate --profiler none --programs "$classes/programs.toml" --out "$out"
