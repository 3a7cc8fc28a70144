#!/usr/bin/env bash
# Builds programs of others with a site in every function and without, and asks of each: how many sites are there, and which
# functions were left alone; does any dose change what it puts out; does its own test suite pass with sites at rest and under a
# dose; what do sites cost at rest; what do profilers report of known time (the matrix).
#
# Usage: study.sh PROOFMARK SOURCES OUT [PROGRAM...]     programs: ladder minigzip lua zstd ripgrep (all)
#
# SOURCES holds what this fetches, with deb-src enabled (none is needed for ladder and ripgrep):
#   apt-get source --download-only zlib=1:1.2.13.dfsg-1 lua5.4=5.4.4-3+deb12u1 libzstd=1.5.4+dfsg2-5
# ripgrep comes by cargo fetch, with the versions of its own lock file. Needed: cc, make, objcopy, perf, valgrind, cargo, python3.
#
# What is done is kept in OUT/PROGRAM and not done again: started once more, the script goes on. A program that fails is
# named, and the others are done. Results: one JSON file per program, beside this script.
# PROFILERS, METHODS, ROUNDS, BUDGET, PAIRS: profilers, functions, rounds, seconds for more rounds, pairs of runs; LADDER: what
# the ladder has to do (6000 makes processes of a second, which gprof and gperftools need).
set -euo pipefail
self=$(realpath "$0") here=$(dirname "$(realpath "$0")")
[ $# -ge 3 ] || { sed -n '2,6s/^# //p' "$self" >&2; exit 2; }
proofmark=$(realpath "$1") sources=$2 mkdir_out=$3
mkdir -p "$mkdir_out" "$sources"
sources=$(realpath "$sources") out=$(realpath "$mkdir_out")
shift 3
names=("$@")
[ $# -gt 0 ] || names=(ladder minigzip lua zstd ripgrep)
if [ ${#names[@]} -gt 1 ]; then
    failed=0
    for name in "${names[@]}"; do
        bash "$self" "$proofmark" "$sources" "$out" "$name" || { echo "$name: failed, see $out/$name" >&2; failed=1; }
    done
    exit $failed
fi
name=${names[0]}
mkdir -p "$out/$name"
cd "$out/$name"
facts=(python3 "$here/facts.py")

# Runs a step whose result is a file, unless it is there. The file comes to be when the step is through.
step() {
    local file=$1
    shift
    [ -e "$file" ] && return
    echo "$name: $file" >&2
    "$@" >"$file.new" 2>"$file.log"
    mv "$file.new" "$file"
}

# A tree with sites and one without, of a source package of Debian.
unpacked() {
    local file kind
    file=$(compgen -G "$sources/$1_*.orig.tar.*" | grep -v '\.asc$' | head -n 1) ||
        { echo "$sources has no $1_*.orig.tar.*" >&2; return 1; }
    for kind in plain sited; do
        [ -d $kind ] && continue
        rm -rf $kind.new && mkdir $kind.new
        tar xf "$file" -C $kind.new --strip-components=1
        mv $kind.new $kind
    done
}

# What is the same for all: $program below plain and sited, $arguments, $tests (a function: directory; empty: none).
study() {
    step sites.json "${facts[@]}" sites "sited/$program"
    step same.json "${facts[@]}" same "plain/$program" "sited/$program" "${arguments[@]}"
    step cost.json "${facts[@]}" cost "${PAIRS:-20}" "plain/$program" "sited/$program" "${arguments[@]}"
    step matrix.json matrix
    if [ -n "$tests" ]; then
        step tests.json tested
    fi
    "${facts[@]}" join "$name" . >"$here/$name.json.new"
    mv "$here/$name.json.new" "$here/$name.json"
    echo "$name: $here/$name.json"
}

# Exit codes 0, 1 and 4 are verdicts.
matrix() {
    local code=0
    rm -rf dose
    "$proofmark" --quiet --format json dose --profiler "${PROFILERS:-perf,callgrind}" --methods "${METHODS:-8}" \
        --rounds "${ROUNDS:-2}" --window 0.05 --budget "${BUDGET:-20}" --out dose -- "sited/$program" "${arguments[@]}" ||
        code=$?
    case $code in 0 | 1 | 4) ;; *) return $code ;; esac
}

# The test suite at rest, and with a few turns in the function that the matrix had first.
tested() {
    local rest=0 dosed=0
    ($tests) >tests.rest.txt 2>&1 || rest=$?
    "${facts[@]}" dose "$PWD/tests.dose" "$("${facts[@]}" hottest matrix.json)" 5
    (export PROOFMARK_DOSES="$PWD/tests.dose" && $tests) >tests.dose.txt 2>&1 || dosed=$?
    "${facts[@]}" tests $rest $dosed tests.dose matrix.json
}

ladder() {
    mkdir -p plain sited
    step built.plain cc -O2 -g -o plain/ladder "$here/../../../native/suite/ladder.c"
    step built.sited "$proofmark" cc -O2 -g -o sited/ladder "$here/../../../native/suite/ladder.c"
    program=ladder arguments=("${LADDER:-100}") tests=
    study
}

of_zlib() {
    cd "$1"
    CC="$2" CFLAGS="-O2 -g" ./configure --static
    make example minigzip
}
tests_of_zlib() {
    make -C sited teststatic
}
minigzip() {
    unpacked zlib
    step built.plain eval "(of_zlib plain cc)"
    step built.sited eval "(of_zlib sited '$proofmark cc')"
    # The sources are what is compressed, often enough that a process takes some 50 ms.
    if [ ! -e in.txt ]; then
        for _ in $(seq 6); do cat plain/[a-i]*.c; done >in.new
        mv in.new in.txt
    fi
    program=minigzip arguments=(-c in.txt) tests=tests_of_zlib
    study
}

lua() {
    unpacked lua5.4
    step built.plain make -C plain/src CC="cc -std=gnu99" MYCFLAGS=-g linux-noreadline
    step built.sited make -C sited/src CC="$proofmark cc -std=gnu99" MYCFLAGS=-g linux-noreadline
    # Its test suite is not in Debian's sources.
    program=src/lua arguments=("$here/work.lua") tests=
    study
}

tests_of_zstd() {
    # They build the program anew, with assertions.
    if [ ! -d tested ]; then
        rm -rf tested.new && cp -r sited tested.new && mv tested.new tested
    fi
    make -C tested/tests CC="$proofmark cc" MOREFLAGS=-g shortest
}
zstd() {
    unpacked libzstd
    step built.plain make -C plain/programs CC=cc MOREFLAGS=-g zstd
    step built.sited make -C sited/programs CC="$proofmark cc" MOREFLAGS=-g zstd
    cat plain/lib/*/*.c >in.txt
    program=programs/zstd arguments=(-q --single-thread -7 -c in.txt) tests=tests_of_zstd
    study
}

fetched() {
    local empty=fetch/src
    mkdir -p "$empty"
    printf '[package]\nname = "fetch"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\nripgrep = "=14.1.1"\n[workspace]\n' \
        >fetch/Cargo.toml
    : >"$empty"/lib.rs
    cargo fetch --manifest-path fetch/Cargo.toml >&2
    # A program is no dependency, so that cargo metadata does not name its place.
    compgen -G "${CARGO_HOME:-$HOME/.cargo}/registry/src/*/ripgrep-14.1.1" | head -n 1
}
of_rust() {
    local kind=$1
    shift
    CARGO_PROFILE_RELEASE_DEBUG=line-tables-only CARGO_PROFILE_RELEASE_STRIP=none CARGO_PROFILE_RELEASE_CODEGEN_UNITS=1 \
        CARGO_PROFILE_RELEASE_LTO=off cargo "$@" --release --locked --manifest-path source/Cargo.toml --target-dir "$kind"
}
tests_of_ripgrep() {
    RUSTC_WRAPPER="$proofmark" of_rust sited test
}
ripgrep() {
    step place fetched
    if [ ! -d source ]; then
        rm -rf source.new && cp -r "$(cat place)" source.new && chmod -R u+w source.new
        # It is no member of a workspace that may be around it.
        grep -q '^\[workspace\]' source.new/Cargo.toml || printf '\n[workspace]\n' >>source.new/Cargo.toml
        mv source.new source
    fi
    step built.plain of_rust plain build
    RUSTC_WRAPPER="$proofmark" step built.sited of_rust sited build
    if [ ! -e in.txt ]; then
        for _ in $(seq 40); do cat source/crates/core/*.rs source/crates/core/*/*.rs source/tests/*.rs; done >in.new
        mv in.new in.txt
    fi
    program=release/rg tests=tests_of_ripgrep
    arguments=(--no-config --color never -j1 -i -c '[a-z]+_[a-z]+\([^)]*str' in.txt)
    study
}

case $name in
    ladder | minigzip | lua | zstd | ripgrep) $name ;;
    *)
        echo "no program $name: ladder minigzip lua zstd ripgrep" >&2
        exit 2
        ;;
esac
