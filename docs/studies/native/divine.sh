#!/usr/bin/env bash
# Divines five native programs at +100 % and measures what slots and sites cost. Asked of each: is what a disassembler reads of every
# function the program's code and what was inserted (proofmark slots); how near does a plan come, in how many tries and how long;
# what do empty slots cost, and sites at rest; does the program's own test suite pass as it is, with a site in every function, and
# with all slots of every function full.
#
# Usage: divine.sh PROOFMARK SOURCES OUT [PROGRAM...]     programs: ladder lua minigzip zstd bzip2 (all)
#
# SOURCES holds the sources as Debian 12 has them (none is needed for ladder; with deb-src enabled):
#   apt-get source --download-only zlib=1:1.2.13.dfsg-1 lua5.4=5.4.4-3+deb12u1 libzstd=1.5.4+dfsg2-5 bzip2=1.0.8-5
# They are taken by their SHA-256, whoever had them. Needed: cc, make, objcopy, bzip2, xz, perf_event_open, python3.
#
# What is done is kept in OUT/PROGRAM and not done again: started once more, the script goes on, a search in its last round. A step
# that fails is kept with its exit status and the end of what it said, and stands in the results; the next start tries it again.
# Results: divine/PROGRAM.json beside this script, and a table of all that are there.
# PAIRS: pairs of runs for costs (30); SUITE_S: longest that a test suite may take, s (7200).
set -euo pipefail
self=$(realpath "$0") here=$(dirname "$(realpath "$0")")
[ $# -ge 3 ] || { sed -n '2,7s/^# //p' "$self" >&2; exit 2; }
proofmark=$(realpath "$1")
mkdir -p "$2" "$3" "$here/divine"
sources=$(realpath "$2") out=$(realpath "$3")
shift 3
names=("$@")
[ $# -gt 0 ] || names=(ladder lua minigzip zstd bzip2)
if [ ${#names[@]} -gt 1 ]; then
    failed=0
    for name in "${names[@]}"; do
        bash "$self" "$proofmark" "$sources" "$out" "$name" || failed=1
    done
    exit $failed
fi
name=${names[0]}
mkdir -p "$out/$name"
cd "$out/$name"
facts=(python3 "$here/facts.py")
# Nothing of the caller's surroundings decides what is built, or how its tests are told.
unset PROOFMARK_SLOTS PROOFMARK_DOSES PROOFMARK_CC PROOFMARK_CXX CC CFLAGS CPPFLAGS LDFLAGS MAKEFLAGS
export LC_ALL=C
failed=0

# Runs a step whose result is a file, unless it is there. The file comes to be when the step is through.
step() {
    local file=$1 code
    shift
    [ -e "$file" ] && return
    echo "$name: $file" >&2
    rm -f "$file.failed"
    # Not in a condition: there, a function would go on behind what fails in it.
    set +e
    (set -e && "$@") >"$file.new" 2>"$file.log"
    code=$?
    set -e
    if [ $code = 0 ]; then
        mv "$file.new" "$file"
    else
        echo $code >"$file.failed"
        echo "$name: $file failed ($code), see $out/$name/$file.log" >&2
        failed=1
    fi
}
# The same, if what it needs is there.
with() {
    local needed=$1
    shift
    [ ! -e "$needed" ] || step "$@"
}

# Trees of a source: as it is, with sites, with slots.
trees() {
    local pattern=$1 digest=$2 file kind
    # Signatures lie beside some.
    for file in "$sources"/$pattern; do
        case $file in *.asc) ;; *) break ;; esac
    done
    [ -f "$file" ] || { echo "$sources has no $pattern" >&2; return 1; }
    echo "$digest  $file" | sha256sum --check --quiet >&2
    for kind in plain sited slots; do
        rm -rf $kind && mkdir $kind
        tar xf "$file" -C $kind --strip-components=1
    done
}
# Builds in a tree, with the compiler that it is named after.
built() {
    case $1 in
        plain) build plain cc ;;
        sited) build sited "$proofmark cc" ;;
        slots) PROOFMARK_SLOTS=1 build slots "$proofmark cc" ;;
    esac
}
# Exit code 1 says that something differs: a result.
checked() {
    local code=0
    "$proofmark" --quiet --format json slots --output full "slots/$program" || code=$?
    [ $code -le 1 ]
}
# The directory of an earlier start is gone on with.
divined() {
    "$proofmark" --quiet --format json divine --target 100 --out search --output plan.json -- "slots/$program" "${arguments[@]}"
}
# The program's own tests in a copy of the tree: as it is, with all slots full or a site everywhere. Whether they pass is a result.
suite() {
    local kind=$1 tree=$2 one code
    rm -rf "tested.$kind" && cp -a "$tree" "tested.$kind"
    if [ "$kind" = full ]; then
        for one in "${binaries[@]}"; do
            # Exit code 1 says that something differs, which slots.json has; the tests are run all the same.
            code=0
            "$proofmark" --quiet slots --output "tested.full/$one" "slots/$one" >&2 || code=$?
            [ $code -le 1 ]
        done
    fi
    set +e
    (set -e && own_tests "tested.$kind") >"suite.$kind.txt" 2>&1 </dev/null
    code=$?
    set -e
    "${facts[@]}" suite $code "suite.$kind.txt"
}

# A test suite ends, if by nothing else by this.
in_time() { timeout --kill-after=10 "${SUITE_S:-7200}" "$@"; }

# What is the same for all: $program below each tree, $arguments, $binaries that its tests use (none: it has no tests).
study() {
    local pairs=${PAIRS:-30} kind
    # What was measured with other arguments is not gone on with.
    if [ -e arguments ] && [ "$(cat arguments)" != "${arguments[*]}" ]; then
        rm -rf empty.json rest.json output.json divine.json search
    fi
    echo "${arguments[*]}" >arguments
    for kind in plain sited slots; do
        with trees "built.$kind" built $kind
    done
    with built.slots slots.json checked
    if [ -e built.plain ]; then
        with built.slots empty.json "${facts[@]}" cost "$pairs" "plain/$program" "slots/$program" "${arguments[@]}"
        with built.sited rest.json "${facts[@]}" cost "$pairs" "plain/$program" "sited/$program" "${arguments[@]}"
        with slots.json output.json "${facts[@]}" output "plain/$program" full "${arguments[@]}"
    fi
    if [ ${#binaries[@]} -gt 0 ]; then
        with built.plain suite.plain.json suite plain plain
        with built.sited suite.sites.json suite sites sited
        with built.slots suite.full.json suite full slots
    fi
    with built.slots divine.json divined
    "${facts[@]}" divined "$name" . >"$here/divine/$name.json.new"
    mv "$here/divine/$name.json.new" "$here/divine/$name.json"
    "${facts[@]}" table "$here/divine" >"$here/divine/table.md.new"
    mv "$here/divine/table.md.new" "$here/divine/table.md"
    echo "$name: $here/divine/$name.json"
    exit $failed
}

ladder() {
    own_trees() { mkdir -p plain sited slots; }
    build() { $2 -O2 -g -o "$1/ladder" "$here/../../../native/suite/ladder.c"; }
    program=ladder arguments=(400) binaries=()
    step trees own_trees
    study
}

lua() {
    build() { make -C "$1/src" CC="$2 -std=gnu99" MYCFLAGS=-g linux-noreadline; }
    # Its test suite is not in Debian's sources.
    program=src/lua arguments=(loops.lua) binaries=()
    cp "$here/loops.lua" .
    step trees trees 'lua5.4_*.orig.tar.*' 164c7849653b80ae67bec4b7473b884bf5cc8d2dca05653475ec2ed27b9ebf61
    study
}

minigzip() {
    build() {
        cd "$1"
        CC="$2" CFLAGS="-O2 -g" ./configure --static
        make example minigzip
    }
    own_tests() { in_time make -C "$1" teststatic; }
    program=minigzip arguments=(-c in.txt) binaries=(example minigzip)
    step trees trees 'zlib_*.orig.tar.*' 71feb7947e3c00ef125f83b79a4e529bde31171e5babe48b391f06758d1ab0a1
    # As often as takes some 50 ms.
    [ ! -e trees ] || for _ in 1 2 3 4 5 6; do cat plain/[a-i]*.c; done >in.txt
    study
}

zstd() {
    build() { make -C "$1/programs" CC="$2" MOREFLAGS=-g zstd; }
    own_tests() {
        make -C "$1/tests" CC=cc datagen
        cd "$1/tests"
        ZSTD_BIN="$PWD/../programs/zstd" DATAGEN_BIN="$PWD/datagen" in_time ./playTests".sh"
    }
    # Without --no-asyncio other threads read and write.
    program=programs/zstd arguments=(-q --single-thread --no-asyncio -7 -c in.txt) binaries=(programs/zstd)
    step trees trees 'libzstd_*.orig.tar.*' 8cf4bbb65e77ec348d052c8d6230eba66d435bddf64c8b5be2fcb16880c19953
    [ ! -e trees ] || cat plain/lib/*/*.c >in.txt
    study
}

bzip2() {
    build() { make -C "$1" CC="$2" CFLAGS="-Wall -O2 -g -D_FILE_OFFSET_BITS=64" bzip2; }
    own_tests() { in_time make -C "$1" test; }
    program=bzip2 arguments=(-k -c in.txt) binaries=(bzip2)
    step trees trees 'bzip2_*.orig.tar.*' ab5a03176ee106d3f0fa90e381da478ddae405918153cca248e682cd0c4a2269
    # Nothing twice: it sorts what repeats itself otherwise. Some 50 ms.
    [ ! -e trees ] || cat plain/*.c plain/manual.xml plain/manual.html plain/sample[123].ref >in.txt
    study
}

case $name in
    ladder | lua | minigzip | zstd | bzip2) $name ;;
    *)
        echo "no program $name: ladder lua minigzip zstd bzip2" >&2
        exit 2
        ;;
esac
