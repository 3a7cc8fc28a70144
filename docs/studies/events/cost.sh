#!/usr/bin/env bash
# What counting costs: docs/studies/events/cost.sh PROOFMARK DIRECTORY. The suite in two parts of a quarter of an hour each, then
# five programs from Maven Central, which inputs.sh fetches into the same directory.
set -euo pipefail
proofmark=${1:?the command}
to=${2:?directory}
mkdir -p "$to"
"$proofmark" events cost --mode edge,edge+threads,live,pc --rounds 6 --format json --out "$to/ways" > "$to/cost-ways.json"
"$proofmark" events cost --mode edge,pd,dec,edge:allocations,edge:arithmetics,edge:branches --rounds 4 --format json --out "$to/parts" > "$to/cost-parts.json"
"$(dirname "$0")/inputs.sh" "$to/programs"
"$proofmark" events cost --programs "$to/programs/programs.toml" --mode edge,edge+threads --rounds 6 --iteration-timeout 300 --format json \
  --out "$to/maven" > "$to/cost-maven.json"
