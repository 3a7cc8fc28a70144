#!/usr/bin/env bash
# What virtual speed-up predicts of a program whose functions can really be made faster, beside what comes of it.
#
# Usage: speedup.sh PROOFMARK OUT
#
# Builds speedup.c with slots, divines a plan in one thread, and asks `proofmark speedup` of both functions: in one thread, where the
# time is the sum of both, and in two, where the program waits for the second one only. Then each function is really made faster
# by as much as was predicted for (it gets less to do), and the program is timed with and without that in pairs, in random order.
# Prints both beside each other and writes them into speedup.json beside this script. Needed: cc, perf events, python3.
#
# What is done is kept in OUT and not done again. ONE, TWO: units of work in one thread and in two; ROUNDS, PAIRS.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
[ $# -eq 2 ] || { echo "usage: speedup.sh PROOFMARK OUT" >&2; exit 2; }
proofmark=$(realpath "$1")
mkdir -p "$2"
cd "$2"
read -r -a one <<<"${ONE:-120 80}"
read -r -a two <<<"${TWO:-80 160}"

[ -e speedup ] || PROOFMARK_SLOTS=1 "$proofmark" cc -O2 -g -pthread -o speedup "$here/speedup.c"
[ -e plan.json ] || "$proofmark" divine --out divine -o plan.json -- ./speedup 1 "${one[@]}"

predicted() {
    local file=$1
    shift
    [ -e "$file" ] && return
    "$proofmark" --format json speedup --plan plan.json --function first --function second --rounds "${ROUNDS:-20}" \
        --out "$file.d" -- ./speedup "$@" >"$file.new"
    mv "$file.new" "$file"
}
predicted one.json 1 "${one[@]}"
predicted two.json 2 "${two[@]}"
python3 "$here/speedup.py" "${PAIRS:-40}" one.json two.json >speedup.json.new
mv speedup.json.new "$here/speedup.json"
echo "$here/speedup.json"
