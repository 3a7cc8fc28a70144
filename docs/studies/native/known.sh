#!/usr/bin/env bash
# Programs of known answer, and the verdict on every profiler that is here.
#
# Usage: known.sh PROOFMARK OUT
#
# The bundled ladder: ten functions of 1 to 10 units of work, one that is never run, one that ends with a tail call, one whose time
# is memmove's, one that calls qsort (both through the PLT), one that is called back from there; each gets doses. known.c: a store
# whose time may be charged to its loop's line, and an inlined function (known.py). Results: known/*.json and known.md beside this
# script. Needed: cc, perf, valgrind, binutils, python3; samply (kernel.perf_event_paranoid at 1) and gperftools'
# libprofiler.so.0 where they are to be judged.
# What is done is kept in OUT. ROUNDS, BUDGET: of dose (2; 10 s for each profiler); PAIRS: of known.c (20).
set -euo pipefail
here=$(dirname "$(realpath "$0")")
[ $# -eq 2 ] || { echo "usage: known.sh PROOFMARK OUT" >&2; exit 2; }
proofmark=$(realpath "$1")
mkdir -p "$2" "$here/known"
cd "$2"
ladder=$here/../../../native/suite/ladder.c
[ -e ladder ] || "$proofmark" cc -O2 -g -fno-omit-frame-pointer -o ladder "$ladder"
[ -e ladder-pg ] || "$proofmark" cc -O2 -g -pg -o ladder-pg "$ladder"

# Exit codes 0, 1 and 4 are verdicts.
dosed() {
    local name=$1 profilers=$2 program=$3 rounds=$4 code=0 one
    local -a functions=()
    shift 4
    [ -e "$name.json" ] && return
    for one in "$@"; do functions+=(--method "$one"); done
    "$proofmark" --quiet --format json dose --profiler "$profilers" --methods "$#" --rounds "${ROUNDS:-2}" --window 0.05 \
        --budget "${BUDGET:-10}" --out "$name.d" "${functions[@]}" -- "$program" "$rounds" >"$name.new" || code=$?
    case $code in 0 | 1 | 4) mv "$name.new" "$name.json" ;; *) echo "$name: exit code $code" >&2 ;; esac
}
timers=perf,perf+fp,callgrind
! command -v samply >/dev/null || timers=$timers,samply
dosed ladder "$timers" ./ladder 400 rung{1,2,3,4,5,6,7,8,9,10} tail sorts copies compare never
# It copies 4 KB of the stack for each sample, so fewer functions.
dosed dwarf perf+dwarf ./ladder 400 rung{1,5,10} tail copies never
# Their timers begin with the process, so that it must be longer; fewer functions for that.
dosed gperftools gperftools ./ladder 1200 rung{1,5,10} tail copies never
dosed gprof gprof ./ladder-pg 1200 rung{1,5,10} tail copies never

compiled() { [ -e "$1" ] || cc -O2 -g -no-pie "${@:2}" -o "$1" "$here/known.c"; }
compiled known
compiled known-pg -pg
for one in store inner outer; do compiled known-no-$one "-DNO_${one^^}"; done
if [ ! -e lines.json ]; then
    python3 "$here/known.py" lines "${PAIRS:-20}" . >lines.new
    mv lines.new lines.json
fi

doses=()
for one in ladder dwarf gperftools gprof; do
    [ ! -e $one.json ] || { cp $one.json "$here/known/$one.json" && doses+=("$one.json"); }
done
cp lines.json "$here/known/lines.json"
python3 "$here/known.py" table lines.json "${doses[@]}" >"$here/known.md.new"
mv "$here/known.md.new" "$here/known.md"
echo "$here/known.md"
