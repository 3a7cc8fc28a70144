#!/usr/bin/env bash
# How often a program with a known race fails without a dose and with one, and the same program without the race.
#
# Usage: race.sh PROOFMARK OUT
#
# Builds race.c with sites, with the race and (-DFIXED) without, and runs `proofmark race` on both: the second with the turns that
# were found for the first. Results are race.json and race-fixed.json beside this script. Needed: cc, python3. RUNS, COUNTS: runs
# of each kind (100), and how often each thread counts (200).
set -euo pipefail
here=$(dirname "$(realpath "$0")")
[ $# -eq 2 ] || { echo "usage: race.sh PROOFMARK OUT" >&2; exit 2; }
proofmark=$(realpath "$1")
mkdir -p "$2"
cd "$2"
"$proofmark" cc -O2 -g -pthread -o racing "$here/race.c"
"$proofmark" cc -O2 -g -pthread -DFIXED -o fixed "$here/race.c"

# Exit code 1: a run failed.
raced() {
    local name=$1 program=$2 code=0
    shift 2
    "$proofmark" race --function next --runs "${RUNS:-100}" --out "$name" "$@" -- "$program" "${COUNTS:-200}" || code=$?
    [ $code -le 1 ] || return $code
    cp "$name/race.json" "$here/$name.json"
}
raced race ./racing
turns=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["functions"][0]["turns"])' race/race.json)
raced race-fixed ./fixed --turns "$turns"
