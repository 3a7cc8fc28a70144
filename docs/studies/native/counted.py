#!/usr/bin/env python3
"""A second truth of what a dose adds to a native program: executions, times turns, times the time of a turn (Python, standard
library, valgrind). No profiler takes part.

Usage: counted.py PAIRS TICK FUNCTIONS PROGRAM [ARGUMENT...]
       counted.py table RESULT.json MATRIX.json
       counted.py committed MATRIX.json       the same of a result of study.sh, without running anything

PROGRAM and TICK (tick.c) are built with sites; FUNCTIONS are separated by commas. For each, a high and a low dose are run in turn,
beside the same of TICK, in random order. What turns add by counting is told as a part of what the clock says was added: 100 where
nothing but the loop takes longer, less where the rest of the program gets slower under the dose. JSON on standard output.

How often a function is passed is what valgrind counts: a turn has 6 instructions, and what a dose adds is divided by them."""

import json
import math
import os
import random
import re
import statistics
import struct
import subprocess
import sys
import tempfile

MAGIC = 0x3145534F444D5250
# Instructions of a turn of a site's loop.
OF_A_TURN = 6
# Under the high dose the program takes so many times as long again; the low one has a tenth of its turns.
GROWTH = 6.0
# Calls of tick, and what a dose adds to one of its processes at most, s.
CALLS, TICK_S = 50, 0.1
# Student's t, 97.5 %, by degrees of freedom; in between the next smaller one.
T = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 9: 2.262, 14: 2.145, 19: 2.093, 29: 2.045, 39: 2.023, 59: 2.001}


def key_of(function):
    """FNV-1a, 64 bits."""
    value = 0xCBF29CE484222325
    for byte in function.encode():
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


class Dosed:
    """A command whose function gets doses."""

    def __init__(self, words, function, place):
        self.words, self.key = [os.path.abspath(words[0]), *words[1:]], key_of(function)
        self.file = os.path.join(place, f"dose-{self.key:016x}-{os.path.basename(words[0])}")

    def environment(self, turns):
        with open(self.file, "wb") as out:
            out.write(struct.pack("<QQII", MAGIC, self.key, turns, 0))
        return {**os.environ, "PROOFMARK_DOSES": self.file}

    def seconds(self, turns):
        """CPU time of a process. It must take the dose and end well."""
        null = os.open(os.devnull, os.O_RDWR)
        actions = [(os.POSIX_SPAWN_DUP2, null, stream) for stream in (0, 1, 2)]
        pid = os.posix_spawn(self.words[0], self.words, self.environment(turns), file_actions=actions)
        os.close(null)
        _, status, used = os.wait4(pid, 0)
        obeyed = struct.unpack("<I", open(self.file, "rb").read()[20:24])[0]
        if status != 0 or (turns > 0 and obeyed == 0):
            sys.exit(f"{self.words[0]}: status {status}, {obeyed} sites took the dose")
        return used.ru_utime + used.ru_stime

    def instructions(self, turns):
        """What valgrind counts in a process."""
        words = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *self.words]
        done = subprocess.run(words, env=self.environment(turns), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, check=True)
        return collected(done.stderr)

    def high(self):
        """Turns that make the program GROWTH slower."""
        rest, turns = min(self.seconds(0) for _ in range(5)), 16
        while (grown := self.seconds(turns) / rest - 1) < 1:
            if turns >= 1 << 27:
                sys.exit(f"{self.words[0]}: a dose hardly slows it")
            turns *= 4
        return max(10, round(turns * GROWTH / grown)), rest

    def executions(self, high):
        """How often the function is passed in a process. Under valgrind a quarter of the high dose adds enough."""
        few, more = 1, max(2, high // 4)
        return (self.instructions(more) - self.instructions(few)) / (OF_A_TURN * (more - few))


def collected(said):
    """The sum that callgrind prints at its end."""
    return int(re.search(r"Collected : (\d+)", said).group(1))


def part(pairs, executions, turns):
    """What counting makes of the clock's added time, %. Pairs: seconds under low and high dose, and those of a turn then."""
    all_ = [100 * executions * turns * turn / (high - low) for low, high, turn in pairs]
    t = T[max(known for known in T if known < len(all_))]
    half = t * statistics.stdev(all_) / math.sqrt(len(all_))
    mean = statistics.mean(all_)
    return {"value": mean, "low": mean - half, "high": mean + half, "n": len(all_)}


def counted(program, tick, ticking, pairs):
    high, rest = program.high()
    low = high // 10
    executions = program.executions(high)
    found = []
    for _ in range(pairs):
        runs = [(program, low), (program, high), (tick, 0), (tick, ticking)]
        times = {}
        for at in random.sample(range(4), 4):
            times[at] = runs[at][0].seconds(runs[at][1])
        found.append((times[0], times[1], (times[3] - times[2]) / (CALLS * ticking)))
    by_count = part(found, executions, high - low)
    added = statistics.mean(high_s - low_s for low_s, high_s, _ in found)
    slower = {end: (100 - by_count[end]) * added / rest for end in ("value", "low", "high")}
    return {"executions": executions, "turns": [low, high], "rest_s": rest, "added_s": added,
            "turn_ns": 1e9 * statistics.mean(turn for *_, turn in found), "by_count_pct": by_count,
            # By how much all other code got slower, of the program's time at rest.
            "others_slower_pct": {"value": slower["value"], "low": slower["high"], "high": slower["low"]},
            "pairs_s": found}


def table(result, matrix):
    """Both truths beside what perf reports, in Markdown."""
    rows = {row["method"]: row for row in json.load(open(matrix))["matrix"]["attribution"]["perf"]["rows"]}

    def shown(one):
        return f"{one['value']:.1f} ({one['low']:.1f} to {one['high']:.1f})"

    print("<!-- Made by counted.py table. -->\n")
    print("| as | function | passed | by counting, % of the clock | perf: in place, % | all else slower, % of the program |")
    print("| --- | --- | ---: | ---: | ---: | ---: |")
    for condition, functions in json.load(open(result)).items():
        for name, one in functions.items():
            place = shown(rows[name]["in_place_pct"]) if name in rows else "-"
            print(f"| {condition} | `{name}` | {one['executions']:.0f} | {shown(one['by_count_pct'])} | {place} "
                  f"| {shown(one['others_slower_pct'])} |")


def committed(matrix):
    """How long an added instruction takes, by the clock and by what perf reports in place, in means of the program's own: callgrind
    and perf had doses in the same functions. What is the same everywhere is the loops' time."""
    found = json.load(open(matrix))["matrix"]["attribution"]
    per_turn = lambda row: (row["growth_pct"][1] - row["growth_pct"][0]) / (row["turns"][1] - row["turns"][0])
    added = {row["method"]: per_turn(row) for row in found["callgrind"]["rows"]}
    print("| function | by the clock | by what perf has in place | perf: in place, % |")
    print("| --- | ---: | ---: | ---: |")
    for row in found["perf"]["rows"]:
        if row["method"] in added:
            clock, place = per_turn(row) / added[row["method"]], row["in_place_pct"]["value"]
            print(f"| `{row['method']}` | {clock:.3f} | {clock * place / 100:.3f} | {place:.1f} |")


def main():
    if sys.argv[1] == "table":
        return table(*sys.argv[2:])
    if sys.argv[1] == "committed":
        return committed(sys.argv[2])
    pairs, tick_file, functions, words = int(sys.argv[1]), sys.argv[2], sys.argv[3].split(","), sys.argv[4:]
    if pairs < 2:
        sys.exit("an interval needs two pairs or more")
    random.seed(1)
    with tempfile.TemporaryDirectory() as place:
        tick = Dosed([tick_file, str(CALLS)], "tick", place)
        rest = tick.seconds(0)
        ticking = max(1, round(1e5 * TICK_S / (tick.seconds(100_000) - rest)))
        done = {}
        for function in functions:
            print(function, file=sys.stderr)
            done[function] = counted(Dosed(words, function, place), tick, ticking, pairs)
    json.dump(done, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
