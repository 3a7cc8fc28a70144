#!/usr/bin/env python3
"""Truth beside the predictions of `proofmark speedup` about speedup.c (Python, standard library).

Usage: speedup.py PAIRS RESULT...     RESULT: JSON of `proofmark speedup`, whose program is in the working directory

Each function gets as much less to do as the prediction is for. Pairs of processes with and without that, in random order: the
mean of the logarithms of their ratios with Student's interval. A table goes to standard error, JSON to standard output."""

import json
import math
import os
import random
import shlex
import statistics
import sys
import time

# Student's t, 97.5 %, by degrees of freedom; in between the next smaller one.
T = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 9: 2.262, 14: 2.145, 19: 2.093, 29: 2.045, 39: 2.023, 59: 2.001, 99: 1.984}
FUNCTIONS = ["first", "second"]


def timed(words):
    """Wall and CPU time of a process, s."""
    begin = time.monotonic()
    null = os.open(os.devnull, os.O_WRONLY)
    pid = os.posix_spawn(words[0], words, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, null, 1)])
    os.close(null)
    _, status, used = os.wait4(pid, 0)
    if status != 0:
        sys.exit(f"{shlex.join(words)}: status {status}")
    return time.monotonic() - begin, used.ru_utime + used.ru_stime


def saved(pairs):
    """Per cent by which the second of a pair is shorter."""
    logs = [math.log(after / before) for before, after in pairs]
    centre = statistics.mean(logs)
    t = T[max(df for df in T if df < len(logs))]
    half = t * statistics.stdev(logs) / math.sqrt(len(logs))
    low, high = (100 * (1 - math.exp(centre + way * half)) for way in (1, -1))
    return {"value": 100 * (1 - math.exp(centre)), "low": low, "high": high, "n": len(logs)}


def faster(words, function, part):
    """The command with that function doing so much less."""
    changed = list(words)
    at = 2 + FUNCTIONS.index(function)
    changed[at] = str(round(int(words[at]) * (1 - part)))
    return changed


def truth(words, function, part, count):
    """What really comes of it, by either clock."""
    commands = [words, faster(words, function, part)]
    pairs = []
    for _ in range(count):
        order = random.sample([0, 1], 2)
        times = {at: timed(commands[at]) for at in order}
        pairs.append((times[0], times[1]))
    by = lambda clock: saved([(before[clock], after[clock]) for before, after in pairs])
    return {"command": shlex.join(commands[1]), "wall_pct": by(0), "cpu_pct": by(1)}


def shown(figure):
    if figure is None:
        return "-"
    # An end that is open is null in JSON.
    low, high = ("open" if figure[end] is None else f"{figure[end]:.1f}" for end in ("low", "high"))
    return f"{figure['value']:.1f} ({low} to {high})"


def main():
    random.seed(1)
    count, files = int(sys.argv[1]), sys.argv[2:]
    if count < 2:
        sys.exit("an interval needs two pairs or more")
    rows = []
    print(f"{'program':<20} {'function':<8} {'clock':<5} {'predicted, %':>22} {'really, %':>22}", file=sys.stderr)
    for file in files:
        with open(file, encoding="utf-8") as text:
            result = json.load(text)
        words, part = shlex.split(result["program"]), result["faster_by_pct"] / 100
        for one in sorted(result["functions"], key=lambda one: one["function"]):
            real = truth(words, one["function"], part, count)
            for clock in ["wall_pct", "cpu_pct"]:
                row = [shown(one["by_clock"][clock]), shown(real[clock])]
                name = clock.split("_", maxsplit=1)[0]
                print(f"{result['program']:<20} {one['function']:<8} {name:<5} {row[0]:>22} {row[1]:>22}", file=sys.stderr)
            rows.append({"program": result["program"], "function": one["function"], "faster_by_pct": result["faster_by_pct"],
                         "clock": result["clock"], "predicted": one["by_clock"], "really": real,
                         "slowed_pct": one["slowed_pct"]})
    json.dump({"plan": result["plan"], "rows": rows}, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
