#!/usr/bin/env bash
# Slurm on this one machine, to try `proofmark evaluate --on slurm` with: a controller and a node that listen on the loopback
# device only, with configuration, keys, logs and state in one directory.
#
#   scripts/slurm-single-node.sh start DIRECTORY    installs Debian's packages if they are missing, and starts what does not run
#   scripts/slurm-single-node.sh status DIRECTORY
#   scripts/slurm-single-node.sh stop DIRECTORY     cancels all jobs, and ends the processes that `start` started, by their ids
#
# `export SLURM_CONF=DIRECTORY/slurm.conf` lets sbatch and the like find it. It keeps no accounts, so that sacct has nothing to tell.
# Debian's own services of the packages are not started; where systemd boots the machine, `systemctl disable munge slurmctld slurmd`
# keeps them from starting with it.
set -euo pipefail

usage() {
    sed -n '2,11s/^# \{0,1\}//p' "$0" >&2
    exit 2
}

install_packages() {
    local missing=() tool
    for tool in sbatch:slurm-client slurmctld:slurmctld slurmd:slurmd munged:munge; do
        PATH=$PATH:/usr/sbin:/sbin command -v "${tool%%:*}" >/dev/null || missing+=("${tool##*:}")
    done
    ((${#missing[@]})) || return 0
    # Packages start their services with the system's configuration, unless this file says that they may not.
    local policy=/usr/sbin/policy-rc.d ours=
    if [ ! -e "$policy" ]; then
        printf '#!/bin/sh\nexit 101\n' >"$policy"
        chmod 755 "$policy"
        ours=$policy
    fi
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends slurm-wlm munge
    [ -z "$ours" ] || rm "$ours"
}

# The process of a daemon, if it is one that this script started and that still runs.
process_of() {
    local file=$directory/$1.pid pid
    [ -s "$file" ] || return 1
    pid=$(cat "$file")
    [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = "$1" ] || return 1
    tr '\0' ' ' <"/proc/$pid/cmdline" | grep -qF "$directory/" || return 1
    echo "$pid"
}

# Starts a daemon in the foreground of a session of its own, so that its id is known.
start_daemon() {
    local name=$1
    shift
    process_of "$name" >/dev/null && return 0
    setsid "$@" </dev/null >>"$directory/log/$name.out" 2>&1 &
    echo $! >"$directory/$name.pid"
}

# Waits until a command succeeds, at most 30 s.
until_works() {
    local turn
    for turn in $(seq 300); do
        "$@" >/dev/null 2>&1 && return 0
        sleep 0.1
    done
    echo "no answer: $*; see $directory/log" >&2
    return 1
}

configure() {
    local user host
    user=$(id -un)
    host=$(hostname -s)
    mkdir -p "$directory"/{log,state,spool}
    chmod 755 "$directory" "$directory"/{log,state,spool}
    if [ ! -s "$directory/munge.key" ]; then
        (umask 077 && head -c 1024 /dev/urandom >"$directory/munge.key")
    fi
    cat >"$directory/slurm.conf" <<END
ClusterName=single
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$directory/munge.socket
SlurmctldPort=26817
SlurmdPort=26818
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
StateSaveLocation=$directory/state
SlurmdSpoolDir=$directory/spool
SlurmctldPidFile=$directory/state/slurmctld.pid
SlurmdPidFile=$directory/spool/slurmd.pid
SlurmctldLogFile=$directory/log/slurmctld.log
SlurmdLogFile=$directory/log/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
MpiDefault=none
SwitchType=switch/none
ReturnToService=2
MinJobAge=300
SlurmdParameters=config_overrides
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE OverSubscribe=NO State=UP
END
}

start() {
    install_packages
    configure
    # --force: the directory may lie where others may write, such as below /tmp. The key is for this user alone.
    start_daemon munged munged --foreground --force --key-file="$directory/munge.key" --socket="$directory/munge.socket" \
        --pid-file="$directory/state/munged.pid" --log-file="$directory/log/munged.log" \
        --seed-file="$directory/state/munged.seed"
    until_works sh -c "munge --socket='$directory/munge.socket' --no-input | unmunge --socket='$directory/munge.socket'"
    start_daemon slurmctld slurmctld -D -f "$directory/slurm.conf"
    until_works sh -c 'scontrol ping | grep -q UP'
    start_daemon slurmd slurmd -D -f "$directory/slurm.conf"
    until_works sh -c "sinfo --noheader --states=idle,allocated,mixed --format=%D | grep -q '[1-9]'"
    echo "export SLURM_CONF=$directory/slurm.conf"
}

stop() {
    local name pid
    # All jobs here are of this node: without the controller they would wait for it.
    if process_of slurmctld >/dev/null && process_of slurmd >/dev/null; then
        squeue --noheader --format=%A | xargs --no-run-if-empty scancel
        until_works sh -c '[ -z "$(squeue --noheader)" ]' || true
    fi
    for name in slurmd slurmctld munged; do
        pid=$(process_of "$name") || continue
        kill "$pid"
        # A process that nobody has taken note of yet has ended as well.
        until_works sh -c "[ ! -e /proc/$pid ] || grep -q '^State:.*Z' /proc/$pid/status" || kill -KILL "$pid"
        rm -f "$directory/$name.pid"
    done
}

status() {
    local name pid
    for name in munged slurmctld slurmd; do
        if pid=$(process_of "$name"); then echo "$name: process $pid"; else echo "$name: does not run"; fi
    done
    sinfo || true
    squeue || true
}

[ $# -eq 2 ] || usage
mkdir -p "$2"
directory=$(cd "$2" && pwd)
export PATH=$PATH:/usr/sbin:/sbin SLURM_CONF=$directory/slurm.conf
case $1 in
start | stop | status) "$1" ;;
*) usage ;;
esac
