#!/usr/bin/env bash
# Divines six programs at three targets: docs/studies/divine/run.sh DIRECTORY [PROOFMARK]. About an hour.
# table.sh makes the table from the results.
set -euo pipefail
out=${1:?directory for the results}
proofmark=${2:-target/release/proofmark}
mkdir -p "$out"
for target in 100 50 150; do
  for program in Towers Queens Permute Sieve Bounce List; do
    "$proofmark" divine "suite:$program" --target "$target" --format json \
      --out "$out/$program-$target.run" > "$out/$program-$target.json"
    rm -r "$out/$program-$target.run"
  done
done
