#!/usr/bin/env python3
"""What profilers say of programs of known answer (Python, standard library, binutils; profilers that are missing are left out).

Usage: known.py lines PAIRS PLACE        PLACE has known, known-no-store, -no-inner and -no-outer, and known-pg for gprof (known.sh)
       known.py table LINES.json DOSE.json...     DOSE: results of `proofmark dose` on the bundled ladder

lines: the store and the inlined function of known.c take as much of the time as the program is faster without them. Every profiler's
innermost addresses are looked up in the line table. A share is right if it is within 5 points of that for certain, wrong if it is
not for certain. JSON on standard output; table: Markdown."""

import json
import math
import os
import random
import statistics
import sys

from addresses import PROFILERS, of_callgrind, run

MARGIN_PT = 5.0
# Rounds of a process that is timed.
TIMED = 400
FUNCTIONS = ["stores", "outer", "other"]
# What the program can be built without: a line, an inlined function with its lines, the function around it.
PARTS = ["store", "inner", "outer"]


def seconds(program, rounds):
    null = os.open(os.devnull, os.O_RDWR)
    pid = os.posix_spawn(program, [program, str(rounds)], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, null, 1)])
    os.close(null)
    _, status, used = os.wait4(pid, 0)
    if status != 0:
        sys.exit(f"{program}: status {status}")
    return used.ru_utime + used.ru_stime


def truths(pairs):
    """By how much of its time the program is faster without each part, %; start-up is left out."""
    found = {part: [] for part in PARTS}
    programs = ["./known", *(f"./known-no-{part}" for part in PARTS)]
    for _ in range(pairs):
        times = {}
        for program in random.sample(programs, len(programs)):
            times[program] = seconds(program, TIMED) - seconds(program, 0)
        for name in found:
            found[name].append(100 * (1 - times[f"./known-no-{name}"] / times["./known"]))
    half = lambda all_: 2.1 * statistics.stdev(all_) / math.sqrt(len(all_))
    return {name: {"value": statistics.mean(all_), "half": half(all_), "n": len(all_)} for name, all_ in found.items()}


def symbols(program):
    """Functions of the program: first address, length, name."""
    rows = [line.split() for line in run(["nm", "-S", "--defined-only", program]).decode().splitlines()]
    return [(int(row[0], 16), int(row[1], 16), row[3]) for row in rows if len(row) == 4 and row[2] in "tT"]


def marks(source):
    """Lines of the source by what they are marked as."""
    found = {}
    for number, line in enumerate(open(source, encoding="utf-8"), 1):
        if "/* line: " in line:
            found.setdefault(line.split("/* line: ")[1].split(" ")[0], set()).add(number)
    return found


def shares(samples, program, source):
    """Parts of the time in the three functions, %: of each, of marked lines, and how many samples there are."""
    table = symbols(program)
    addresses = sorted(samples)
    said = run(["addr2line", "-e", program, *(hex(one) for one in addresses)]).decode().splitlines()
    found, all_ = {}, 0
    for address, place in zip(addresses, said):
        function = next((name for begin, length, name in table if begin <= address < begin + length), None)
        if function not in FUNCTIONS:
            continue
        all_ += samples[address]
        number = place.split(":")[-1].split(" ")[0]
        names = [function] + [name for name, lines in marks(source).items() if number.isdigit() and int(number) in lines]
        for name in names:
            found[name] = found.get(name, 0) + samples[address]
    if all_ == 0:
        raise RuntimeError("no sample in the program's functions")
    return {name: 100 * count / all_ for name, count in found.items()}, all_


def judged(share, samples, truth):
    """Verdict on a share beside what is true, with both intervals."""
    half = truth["half"] + 196 * math.sqrt(max(share * (100 - share), 1)) / 100 / math.sqrt(samples)
    off = abs(share - truth["value"])
    verdict = "right" if off + half <= MARGIN_PT else "wrong" if off - half > MARGIN_PT else "undecided"
    return {"share_pct": share, "truth_pct": truth["value"], "half_pt": half, "verdict": verdict}


def executed(program):
    """Instructions in the three functions."""
    table = symbols(program)
    own = [(begin, begin + length) for begin, length, name in table if name in FUNCTIONS]
    return sum(count for address, count in of_callgrind(program).items() if any(begin <= address < end for begin, end in own))


def instructions():
    """The same truth in instructions, which callgrind counts; none without it."""
    try:
        all_ = executed("./known")
        return {part: {"value": 100 * (1 - executed(f"./known-no-{part}") / all_), "half": 0.0} for part in PARTS}
    except (OSError, RuntimeError):
        return None


def lines(pairs, place):
    source = os.path.join(os.path.dirname(os.path.realpath(__file__)), "known.c")
    os.chdir(place)
    random.seed(1)
    by_clock, by_count = truths(pairs), instructions()
    result = {"margin_pt": MARGIN_PT, "by_clock_pct": by_clock, "by_instructions_pct": by_count, "profilers": {}, "failed": {}}
    for name, profiler in PROFILERS.items():
        print(name, file=sys.stderr)
        try:
            found, count = shares(profiler(), "./known-pg" if name == "gprof" else "./known", source)
        except (OSError, RuntimeError, KeyError, ValueError, IndexError, StopIteration) as error:
            result["failed"][name] = str(error)
            continue
        truth = by_count if name == "callgrind" else by_clock
        verdicts = {part: judged(found.get(part, 0.0), count, truth[part]) for part in PARTS}
        result["profilers"][name] = {"samples": count, "shares_pct": found, **verdicts}
    json.dump(result, sys.stdout, indent=1)
    print()


# Units of work of a round: rung1 is called by tail as well.
UNITS = {"rung1": 2, **{f"rung{n}": n for n in range(2, 11)}, "tail": 4}


def of_units(shares_pct):
    """Greatest distance of a rung's share, of all their time, from what its work is, points; none if a rung is not shown."""
    shown = {name: shares_pct[name]["value"] for name in UNITS if name in shares_pct}
    if len(shown) < len(UNITS):
        return None
    of = lambda values, name: 100 * values[name] / sum(values.values())
    return max(abs(of(shown, name) - of(UNITS, name)) for name in UNITS)


def table(lines_file, *doses):
    """Verdicts per profiler, in Markdown."""
    print("<!-- Made by known.py table. -->\n")
    print("| profiler | verdict at sites | functions | in place, % | half-width, median | shares of 11 off by at most | function that is never run |")
    print("| --- | --- | ---: | --- | ---: | ---: | --- |")
    failed = {}
    for file in doses:
        dose = json.load(open(file))
        failed.update(dose["failed"])
        untested = any(one["method"] == "never" for one in dose["left_out"])
        for name, one in dose["attribution"].items():
            places = [row["in_place_pct"] for row in one["rows"]]
            if not places:
                continue
            values = [place["value"] for place in places]
            half = statistics.median((place["high"] - place["low"]) / 2 for place in places)
            off, never = of_units(one["shares_pct"]), one["shares_pct"].get("never", {"value": 0.0})["value"]
            said = f"{never:.1f} % shown, " + ("no dose slows it" if untested else "**it took a dose**")
            print(f"| {name} | {one['verdict']} | {len(values)} | {min(values):.1f} to {max(values):.1f} | {half:.1f} "
                  f"| {'-' if off is None else f'{off:.1f}'} | {said} |")
    result = json.load(open(lines_file))
    failed.update(result["failed"])

    def said(one):
        return f"{one['share_pct']:.1f} of {one['truth_pct']:.1f}: {one['verdict']}"

    print("\n| profiler | samples | store, % shown of % true | loop's line shown | place's line shown | inlined function's lines | function around it |")
    print("| --- | ---: | --- | ---: | ---: | --- | --- |")
    for name, one in result["profilers"].items():
        loop, place = (one["shares_pct"].get(line, 0.0) for line in ("loop", "place"))
        print(f"| {name} | {one['samples']:.0f} | {said(one['store'])} | {loop:.1f} | {place:.1f} | {said(one['inner'])} | {said(one['outer'])} |")
    for name, why in failed.items():
        print(f"\nNot judged: {name}: {why}")


if __name__ == "__main__":
    if sys.argv[1] == "lines":
        lines(int(sys.argv[2]), sys.argv[3])
    else:
        table(*sys.argv[2:])
