#!/usr/bin/env bash
# Whether zstd's ZSTD_RowFindBestMatch really gets slower under doses in other functions, or perf is wrong: counting beside the clock.
#
# Usage: counted.sh PROOFMARK SOURCES OUT
#
# Builds zstd as study.sh does (SOURCES: see there) and tick.c with sites, and has counted.py compare, without a profiler, what turns
# should add by counting with what the clock says was added. As in the study; in three functions without zstd's threads for reading
# and writing; in the same beside a process of ours that takes the last-level cache away. Results: counted.json and counted.md beside
# this script. Needed: cc, make, valgrind, python3. PAIRS: pairs of runs (20). What is done is kept in OUT.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
[ $# -eq 3 ] || { echo "usage: counted.sh PROOFMARK SOURCES OUT" >&2; exit 2; }
proofmark=$(realpath "$1") sources=$(realpath "$2")
mkdir -p "$3"
cd "$3"

if [ ! -e zstd ]; then
    file=$(compgen -G "$sources/libzstd_*.orig.tar.*" | grep -v '\.asc$' | head -n 1) ||
        { echo "$sources has no libzstd_*.orig.tar.*" >&2; exit 3; }
    rm -rf tree && mkdir tree
    tar xf "$file" -C tree --strip-components=1
    cat tree/lib/*/*.c >in.txt
    make -j2 -C tree/programs CC="$proofmark cc" MOREFLAGS=-g zstd >build.log 2>&1
    cp tree/programs/zstd zstd
fi
[ -e tick ] || "$proofmark" cc -O2 -o tick "$here/tick.c"

match=ZSTD_RowFindBestMatch_noDict_5_4.constprop.0
outer=ZSTD_RowFindBestMatch_extDict_5_4.constprop.0
all=ZSTD_compressBlock_lazy_row,ZSTD_encodeSequences_bmi2,HIST_count_parallel_wksp,ZSTD_seqToCodes,ZSTD_XXH64_update,ZSTD_count
some=HIST_count_parallel_wksp,ZSTD_count,$outer
words=(./zstd -q --single-thread -7 -c in.txt)

measured() {
    local file=$1
    shift
    [ -e "$file" ] && return
    python3 "$here/counted.py" "${PAIRS:-20}" ./tick "$@" >"$file.new"
    mv "$file.new" "$file"
}
measured study.json "$all,$outer,$match" "${words[@]}"
measured alone.json "$some" "${words[@]}" --no-asyncio
if [ ! -e neighbour.json ]; then
    ./tick neighbour &
    beside=$!
    trap 'kill $beside 2>/dev/null || true' EXIT
    measured neighbour.json "$some" "${words[@]}" --no-asyncio
    kill $beside
fi
python3 - >"$here/counted.json.new" <<'END'
import json
import sys

names = {"study": "in the study", "alone": "one thread", "neighbour": "one thread, beside a neighbour"}
json.dump({name: json.load(open(f"{file}.json")) for file, name in names.items()}, sys.stdout, indent=1)
END
mv "$here/counted.json.new" "$here/counted.json"
python3 "$here/counted.py" table "$here/counted.json" "$here/zstd.json" >"$here/counted.md.new"
mv "$here/counted.md.new" "$here/counted.md"
echo "$here/counted.md"
