#!/usr/bin/env python3
"""In how many JVMs a program changed while it was measured: docs/studies/verdicts/went_over.py WORK...

WORK holds what `repeats.sh` or `others.sh` leave of programs (WORK/NAME[-REPEAT]/PROFILER[-run-K]/windows.json). Windows with all gates
closed, before a site is visited and behind, are compared as crates/experiment/src/dose/sites/went_over.rs does: a program changed where
more than the margin (5 points of its Java time) lies between the ends of 95 % intervals."""
import collections
import json
import math
import re
import sys
from pathlib import Path

MARGIN = 5
# Student's t, 97.5 %, by degrees of freedom.
T = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23)


def share(windows, method):
    """Part of the samples in Java methods, and half the width of its interval; never less than the samples allow."""
    hits = [window["methods"].get(method, 0) for window in windows]
    totals = [sum(window["methods"].values()) for window in windows]
    n, total = len(windows), sum(totals)
    part = sum(hits) / total
    spread = n / (n - 1) * sum((hit - part * of) ** 2 for hit, of in zip(hits, totals)) / total**2
    spread = max(spread, max(part, 1 / total) * (1 - part) / total)
    return part, T[min(n - 2, len(T) - 1)] * math.sqrt(spread)


def change(before, behind):
    """Points that lie apart, and the method with most of them."""
    apart = []
    for method in {name for window in before + behind for name in window["methods"]}:
        (a, half_a), (b, half_b) = share(before, method), share(behind, method)
        beyond = 100 * (abs(a - b) - half_a - half_b)
        if beyond > 0:
            apart.append((beyond, b > a, f"{method} {100 * a:.0f} % to {100 * b:.0f} %"))
    points = max(sum(one[0] for one in apart if one[1] == up) for up in (True, False))
    return points, max(apart)[2] if apart else ""


def main():
    found = collections.defaultdict(list)
    for place in sorted(path for work in sys.argv[1:] for path in Path(work).glob("*/*/windows.json")):
        windows = json.loads(place.read_text())
        opened = next((at for at, one in enumerate(windows) if one["set"] is not None), len(windows))
        closed = [[], []]
        for at, window in enumerate(windows):
            if window["set"] is None and window["level"] == "rest" and window["methods"]:
                closed[at > opened].append(window)
        if min(map(len, closed)) > 1:
            program, profiler = re.sub(r"-\d+$", "", place.parts[-3]), re.sub(r"-run-\d+$", "", place.parts[-2])
            found[program, profiler].append(change(*closed))
    for (program, profiler), all_of_it in sorted(found.items()):
        changed = sorted((one for one in all_of_it if one[0] > MARGIN), reverse=True)
        most = f"; most: {changed[0][1]}" if changed else ""
        print(f"{program} {profiler}: in {len(changed)} of {len(all_of_it)} JVMs{most}")


main()
