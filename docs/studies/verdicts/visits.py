#!/usr/bin/env python3
"""What a program was like in each visit of a set of sites: docs/studies/verdicts/visits.py WORK METHOD ROW...

WORK holds what `repeats.sh` leaves of one program (WORK/NAME-REPEAT/async, async-run-2, ...). METHOD's share of the samples while nothing
is added (gates open, no turn) tells states of the program apart; behind it stands, of each site
of the set, which ROW (a method) got most of the added samples, and how many. One line a visit: repeat, JVM, set, share of METHOD, and of each site in the set its parts."""
import glob
import itertools
import json
import os
import re
import sys


def samples(windows, method):
    """Samples of a method and of all, and CPU time, over windows."""
    of = sum(window["methods"].get(method, 0) for window in windows)
    return of, sum(sum(window["methods"].values()) for window in windows)


def per_iteration(windows, method):
    """Samples of a method and of all in an iteration."""
    iterations = sum(window["cpu_ns"] / window["iteration_ns"] for window in windows)
    return [count / iterations for count in samples(windows, method)]


def in_place(low, high, method):
    """Part of the samples that an iteration has more under the high dose which the method got, %."""
    (a, all_a), (b, all_b) = per_iteration(low, method), per_iteration(high, method)
    return 100 * (b - a) / (all_b - all_a)


def visits(place, state, rows):
    windows = json.load(open(f"{place}/windows.json"))
    for number, site_set in itertools.groupby(windows, key=lambda window: window["set"]):
        all_of_it = list(site_set)
        rest = [window for window in all_of_it if window["level"] == "rest"]
        of, total = samples(rest, state)
        parts = []
        for site in sorted({window["site"] for window in all_of_it if window["site"] is not None}):
            level = lambda name: [one for one in all_of_it if one["site"] == site and one["level"] == name]
            low, high = level("low"), level("high")
            if not low or not high:
                continue
            found = {row: in_place(low, high, row) for row in rows}
            row = max(found, key=found.get)
            parts.append(f"site {site}: {found[row]:.0f} % in {row.rsplit('.', 2)[-2]}.{row.rsplit('.', 1)[-1]}")
        yield "closed" if number is None else number, 100 * of / max(total, 1), len(rest), "; ".join(parts)


def main():
    work, state, rows = sys.argv[1], sys.argv[2], sys.argv[3:]
    for place in sorted(glob.glob(f"{work}/*/async*/windows.json")):
        name, jvm = re.search(r"([^/]+)/([^/]+)/windows.json$", place).groups()
        for number, share, count, parts in visits(os.path.dirname(place), state, rows):
            print(f"{name} {jvm}: set {number}: {share:.1f} % ({count} windows)  {parts}".rstrip())


main()
