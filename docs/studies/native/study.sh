#!/usr/bin/env bash
# Builds zlib and Lua from Debian's sources with a site in every function, runs zlib's own test, checks that no dose
# changes what the programs put out, and judges perf and callgrind. Usage: study.sh PROOFMARK SOURCES OUT
# SOURCES holds what `apt-get source --download-only zlib lua5.4` fetches (deb-src enabled).
set -euo pipefail
proofmark=$(realpath "$1") sources=$(realpath "$2") here=$(realpath "$(dirname "$0")")
mkdir -p "$3" && cd "$3"
tar xf "$sources"/zlib_*.orig.tar.* && tar xf "$sources"/lua5.4_*.orig.tar.*
(
    cd zlib-*/
    CC="$proofmark cc" CFLAGS="-O2 -g" ./configure --static >../zlib.log
    make example minigzip >>../zlib.log 2>&1
    ./example >../example.txt
    # What the programs of zlib compress: their own sources.
    cat ./*.c >in.txt
)
make -C lua-*/src CC="$proofmark cc -std=gnu99" MYCFLAGS="-g" linux-noreadline >lua.log 2>&1
options=(--quiet --format json dose --profiler perf,callgrind --methods 8 --rounds 2 --window 0.05 --budget 10)
judge() {
    local name=$1 code=0
    shift
    "$proofmark" "${options[@]}" --out "$name" -- "$@" >"$here/$name.json" || code=$?
    echo "$name: exit code $code"
}
"$proofmark" cc -O2 -g -o ladder "$here/../../../native/suite/ladder.c"
judge ladder ./ladder 40
judge minigzip ./zlib-*/minigzip -c ./zlib-*/in.txt
judge lua ./lua-*/src/lua "$here/work.lua"
