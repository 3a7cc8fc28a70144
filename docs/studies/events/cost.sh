#!/usr/bin/env bash
# What counting costs: docs/studies/events/cost.sh PROOFMARK DIRECTORY. Programs of the suite.
set -euo pipefail
proofmark=${1:?the command}
to=${2:?directory}
mkdir -p "$to"
"$proofmark" events cost --mode edge,edge+threads --rounds 10 --format json --out "$to/edge" > "$to/cost-edge.json"
"$proofmark" events cost --rounds 5 --format json --out "$to/all" > "$to/cost-all.json"
