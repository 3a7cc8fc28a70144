#!/usr/bin/env bash
# Two programs of the suite measured by `evaluate --on slurm` with a real Slurm on this machine, some ten minutes:
#
#   scripts/slurm-evaluate.sh DIRECTORY [PROOFMARK]
#
# Checks that an interrupt cancels what was submitted, that jobs which are left running are found again and not submitted
# twice, and that a local evaluation with the same directory takes the results for its own. Not a part of .ci/run: it
# installs Slurm (scripts/slurm-single-node.sh). Ends with "all as it must be", or with what is not.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "${1:?directory for Slurm and the results}"
to=$(cd "$1" && pwd)
proofmark=$(realpath "${2:-target/release/proofmark}")

"$here/slurm-single-node.sh" start "$to/slurm"
trap '"$here/slurm-single-node.sh" stop "$to/slurm"' EXIT
export SLURM_CONF=$to/slurm/slurm.conf

fail() {
    echo "not as it must be: $*" >&2
    exit 1
}

# Starts the evaluation in the background with these further words; its errors go to the file named first.
begin() {
    local log=$to/$1
    shift
    "$proofmark" evaluate --on slurm --profiler none --format json --out "$to/evaluation" "$@" \
        suite:Sieve suite:List >"$to/answer.json" 2>"$log" &
    evaluation=$!
}

# Waits until a command succeeds while the evaluation runs.
until_seen() {
    until "$@" >/dev/null 2>&1; do
        kill -0 "$evaluation" || fail "the evaluation ended before: $*"
        sleep 1
    done
}

ends_with() {
    local code=0
    wait "$evaluation" || code=$?
    [ "$code" = "$1" ] || fail "exit code $code instead of $1"
}

running() { squeue --noheader --states=running --format=%i | grep -q .; }
queued() { squeue --noheader --array --format=%i | wc -l; }

begin cancelled.err
until_seen running
kill -INT "$evaluation"
ends_with 130
grep -q 'jobs were cancelled' "$to/cancelled.err" || fail "nothing is said of the jobs"
for _ in $(seq 60); do
    [ "$(queued)" = 0 ] && break
    sleep 1
done
[ "$(queued)" = 0 ] || fail "jobs are left in the queue"

begin left.err --leave-jobs
until_seen running
kill -INT "$evaluation"
ends_with 130
[ "$(queued)" = 2 ] || fail "$(queued) jobs are left instead of 2"

begin again.err
until_seen grep -q 'not submitted again' "$to/again.err"
[ "$(queued)" -le 2 ] || fail "something was submitted twice"
ends_with 0
mv "$to/answer.json" "$to/cluster.json"

"$proofmark" evaluate --profiler none --format json --out "$to/evaluation" suite:Sieve suite:List \
    >"$to/local.json" 2>"$to/local.err"
cmp "$to/cluster.json" "$to/local.json" || fail "the local evaluation answers otherwise"
[ "$(grep -c 'taken from the run before' "$to/local.err")" = 2 ] || fail "something was measured again"
echo "all as it must be: $to/cluster.json"
