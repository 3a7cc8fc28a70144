#!/usr/bin/env bash
# Slows the 14 bundled programs: docs/evaluation/run.sh DIRECTORY [PROOFMARK]. 52 minutes on two quiet
# processors; stopped, it goes on with the same directory.
set -euo pipefail
out=${1:?directory for the evaluation}
proofmark=${2:-target/release/proofmark}
"$proofmark" evaluate --profiler none --out "$out"
