#!/usr/bin/env bash
# samply and gperftools on two programs of others, minigzip and zstd, in the functions that study.sh has perf and callgrind judged in.
#
# Usage: others.sh PROOFMARK SOURCES OUT
#
# SOURCES: see study.sh. Both programs get more to do than there, some 0.1 s, for gperftools' timer begins with each process and has
# 250 ticks a second. Results: others/PROGRAM.json and others.md beside this script. Needed: cc, make, python3, libprofiler.so.0,
# samply (kernel.perf_event_paranoid at 1). What is done is kept in OUT. PROFILERS, ROUNDS, BUDGET: samply,gperftools; 2; 15 s for each profiler.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
[ $# -eq 3 ] || { echo "usage: others.sh PROOFMARK SOURCES OUT" >&2; exit 2; }
proofmark=$(realpath "$1") sources=$(realpath "$2")
mkdir -p "$3" "$here/others"
cd "$3"

unpacked() {
    local file
    [ -d "$1" ] && return
    file=$(compgen -G "$sources/$1_*.orig.tar.*" | grep -v '\.asc$' | head -n 1) ||
        { echo "$sources has no $1_*.orig.tar.*" >&2; return 1; }
    rm -rf "$1.new" && mkdir "$1.new"
    tar xf "$file" -C "$1.new" --strip-components=1
    mv "$1.new" "$1"
}

# Exit codes 0, 1 and 4 are verdicts.
judged() {
    local name=$1 code=0 one
    local -a functions=()
    shift
    [ -e "$name.json" ] && return
    while [ "$1" != -- ]; do functions+=(--method "$1") && shift; done
    "$proofmark" --quiet --format json dose --profiler "${PROFILERS:-samply,gperftools}" --methods 8 --rounds "${ROUNDS:-2}" \
        --window 0.05 --budget "${BUDGET:-15}" --out "$name.d" "${functions[@]}" "$@" >"$name.new" || code=$?
    case $code in 0 | 1 | 4) mv "$name.new" "$name.json" ;; *) return $code ;; esac
    cp "$name.json" "$here/others/$name.json"
}

unpacked zlib
if [ ! -e minigzip ]; then
    (cd zlib && CC="$proofmark cc" CFLAGS="-O2 -g" ./configure --static && make minigzip) >zlib.log 2>&1
    cp zlib/minigzip minigzip
fi
[ -e sources.txt ] || for _ in $(seq 12); do cat zlib/[a-i]*.c; done >sources.txt
unpacked libzstd
if [ ! -e zstd ]; then
    make -j2 -C libzstd/programs CC="$proofmark cc" MOREFLAGS=-g zstd >zstd.log 2>&1
    cp libzstd/programs/zstd zstd
fi
[ -e in.txt ] || for _ in 1 2 3; do cat libzstd/lib/*/*.c; done >in.txt

judged minigzip longest_match deflate_slow compress_block slide_hash crc32_z pqdownheap build_tree deflate -- ./minigzip -c sources.txt
judged zstd ZSTD_RowFindBestMatch_noDict_5_4.constprop.0 ZSTD_compressBlock_lazy_row ZSTD_encodeSequences_bmi2 HIST_count_parallel_wksp \
    ZSTD_RowFindBestMatch_extDict_5_4.constprop.0 ZSTD_seqToCodes ZSTD_XXH64_update ZSTD_count \
    -- ./zstd -q --single-thread -7 -c in.txt
python3 "$here/facts.py" others "$here/others" >"$here/others.md.new"
mv "$here/others.md.new" "$here/others.md"
echo "$here/others.md"
