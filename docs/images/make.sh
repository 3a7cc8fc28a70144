#!/usr/bin/env bash
# Makes the pictures of the documents from a run of the demo: docs/images/make.sh [DIRECTORY OF THE RUN]. Without a run the
# demo is run first. Needs Chromium.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
run=${1:-}
if [[ -z $run ]]; then
    run=$(mktemp -d)/demo
    cargo run --release --manifest-path "$here/../../Cargo.toml" -- demo --out "$run"
fi
# Chromium keeps nothing of this: a profile of its own.
profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$profile" \
    --window-size=1280,1000 --screenshot="$here/demo.png" "file://$run/report.html"
