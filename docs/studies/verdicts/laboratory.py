#!/usr/bin/env python3
"""Do tests in the laboratory come again? laboratory.py DIRECTORY, in which laboratory.sh left results: a table of disjoint pairs of intervals.

A pair is one figure of one profiler in two repeats of one program. Figures are the errors that `assess` judges by, points: of profiles as they are
(absolute), of a program that is slowed everywhere (uniform), and of time that is added to one block; and the part of that time that
is reported in place, %. Needs Python 3.8, nothing else.
"""

import collections
import itertools
import json
import sys
from pathlib import Path

from exact import share
from tally import ends, part, verdict_counts

KINDS = ("absolute", "uniform", "one block", "in place")


def figures(judgement, attribution):
    """(kind, of what) -> estimate, of one profiler in one repeat. A block is known by its label, so that repeats in which it has another one say nothing of it."""
    tests = judgement["tests"]
    found = {}
    if tests.get("absolute"):
        found["absolute", ""] = tests["absolute"]["result"]["error_pt"]
    for test in tests.get("uniform", []):
        found["uniform", test["target_pct"]] = test["result"]["error_pt"]
    for test in tests.get("single", []):
        if test.get("counts", True):
            found["one block", test["owner"], test["label"]] = test["result"]["error_pt"]
    for row in (attribution or {}).get("rows", []):
        found["in place", row["method"], row["kind"]] = row["in_place_pct"]
    return found


class Tally:
    """Of pairs of repeats, by kind of figure: how many there are, and how many are disjoint."""

    def __init__(self):
        self.pairs, self.apart = collections.Counter(), collections.Counter()
        self.verdicts, self.turned, self.both = [], 0, 0

    def add(self, repeats):
        """`repeats`: verdict and figures of one profiler in each."""
        self.verdicts += [verdict for verdict, _ in repeats]
        for (verdict_a, a), (verdict_b, b) in itertools.combinations(repeats, 2):
            self.both += 1
            self.turned += {verdict_a, verdict_b} == {"right", "wrong"}
            for key in a.keys() & b.keys():
                (low_a, high_a), (low_b, high_b) = ends(a[key]), ends(b[key])
                self.pairs[key[0]] += 1
                self.apart[key[0]] += high_a < low_b or high_b < low_a

    def merge(self, other):
        self.pairs += other.pairs
        self.apart += other.apart
        self.verdicts += other.verdicts
        self.turned += other.turned
        self.both += other.both

    def cells(self):
        parts = [part(self.apart[kind], self.pairs[kind]) for kind in KINDS]
        return [*parts, verdict_counts(self.verdicts), part(self.turned, self.both)]


def repeats_of(directory):
    """Program -> its results, in the order of the repeats, of which there are less than ten."""
    found = collections.defaultdict(list)
    for path in sorted(directory.glob("*-*.json")):
        found[path.stem.rpartition("-")[0]].append(json.loads(path.read_text(encoding="utf-8")))
    return found


def rows_by_doses(result):
    """Profiler -> what it reported of time added to blocks."""
    doses = result.get("block_doses") or {}
    return doses.get("attribution") or {}


def table(directory):
    header = ["program", "profiler", "repeats", *(f"{kind}: disjoint" for kind in KINDS), "verdicts", "right and wrong"]
    lines = ["| " + " | ".join(header) + " |", "| --- | --- | ---: |" + " ---: |" * len(KINDS) + " --- | ---: |"]
    sums = collections.defaultdict(Tally)
    for program, results in repeats_of(directory).items():
        names = [one["name"] for result in results for one in result["profilers"]]
        for name in dict.fromkeys(names):
            repeats = []
            for result in results:
                judged = [one for one in result["profilers"] if one["name"] == name]
                repeats += [(one["verdict"], figures(one, rows_by_doses(result).get(name))) for one in judged]
            tally = Tally()
            tally.add(repeats)
            sums["controls" if name in ("oracle", "safepoint") else "profilers"].merge(tally)
            lines.append("| " + " | ".join([program, name, str(len(repeats)), *tally.cells()]) + " |")
    for name, tally in sorted(sums.items()):
        lines.append("| " + " | ".join(["**all**", name, str(len(tally.verdicts)), *tally.cells()]) + " |")
    every = Tally()
    for tally in sums.values():
        every.merge(tally)
    lines += ["", f"- Disjoint pairs of all: {share(sum(every.apart.values()), sum(every.pairs.values()))}. Exact 95 % interval, as if no pair depended on another."]
    lines += [f"- {path.name.replace('-refused.txt', '')} is missing: refused." for path in sorted(directory.glob("*-refused.txt"))]
    return "\n".join(lines)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    print(table(Path(sys.argv[1])))


if __name__ == "__main__":
    main()
