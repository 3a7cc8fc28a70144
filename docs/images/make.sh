#!/usr/bin/env bash
# Makes the pictures of the documents, and the texts beside them, from a run of the demo: docs/images/make.sh [DIRECTORY OF
# THE RUN]. Without a run the demo is run first, in the directory `demo`, and what it prints becomes demo.txt, its report.txt
# demo-details.txt. Of a run that is given only the picture is made: what it printed is not among its files. Needs Chromium.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
run=${1:-}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
if [[ -z $run ]]; then
    run=$place/demo
    (cd "$place" && cargo run --release --manifest-path "$here/../../Cargo.toml" -- demo --out demo) >"$place/demo.txt"
    mv "$place/demo.txt" "$here/demo.txt"
    cp "$run/report.txt" "$here/demo-details.txt"
fi
run=$(cd "$run" && pwd)
# Chromium keeps nothing of this: a profile of its own.
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$place/profile" \
    --window-size=1280,1100 --screenshot="$here/demo.png" "file://$run/report.html"
