"""What repeats of a test have in common, for the tables of this study. Needs Python 3.8, nothing else."""

import collections
import itertools
import math

from exact import share
from machines import lie


def ends(estimate):
    """Lower and upper end; null stands for an open one."""
    low, high = estimate["low"], estimate["high"]
    return (-math.inf if low is None else low, math.inf if high is None else high)


def verdict_counts(verdicts):
    return ", ".join(f"{verdict} {n}" for verdict, n in collections.Counter(verdicts).most_common())


def differs(row):
    """Whether a row is right in one JVM of a repeat and wrong in another."""
    words = row.get("jvms") or {}
    return words.get("right", 0) > 0 and words.get("wrong", 0) > 0


def part(n, of):
    return f"{n} of {of}" + (f", {100 * n / of:.1f} %" if of else "")


def planted_in(attribution):
    """How many errors were planted into right rows, and how many of them would have been called wrong and right."""
    planted = attribution.get("planted") or {}
    return {word: planted.get(word, 0) for word in ("of", "wrong", "right")}


def planted_line(planted):
    return (
        f"- Of {planted['of']} errors of 15 % of the added time that were planted into right rows, {planted['wrong']} would have been called wrong, "
        f"{planted['right']} right. Missed: {share(planted['of'] - planted['wrong'], planted['of'])}."
    )


class Tally:
    """What repeats of one program under one profiler, or sums of such, have in common. What is counted of pairs of repeats is counted of those
    within one machine and of those across two machines too."""

    def __init__(self):
        self.counts = collections.Counter()
        self.planted = collections.Counter()
        self.verdicts = []

    def add_runs(self, attributions, machines):
        """`attributions`: what each repeat says of one profiler; `machines`: on which machine each was measured."""
        self.verdicts += [one["verdict"] for one in attributions]
        of_runs = []
        for one in attributions:
            self.planted.update(planted_in(one))
            rows = {(row["method"], row["place"]): row for row in one["rows"]}
            of_runs.append(rows)
            self.counts["rows"] += len(rows)
            self.counts["undecided rows"] += sum(row["verdict"] == "undecided" for row in rows.values())
            self.counts["differing rows"] += sum(differs(row) for row in rows.values())
            self.counts["rows of several"] += sum(len(row["in_place_per_run_pct"]) > 1 for row in rows.values())
        if of_runs:
            self.counts["sites"] += len(set().union(*of_runs))
            self.counts["sites in all"] += len(set.intersection(*(set(rows) for rows in of_runs)))
        verdicts = [one["verdict"] for one in attributions]
        for (a, rows_a, of_a), (b, rows_b, of_b) in itertools.combinations(zip(verdicts, of_runs, machines), 2):
            where = lie(of_a, of_b)
            for key in rows_a.keys() & rows_b.keys():
                self.add_pair(rows_a[key], rows_b[key], where)
            self.count("verdict pairs", where)
            self.count("flips", where, {a, b} == {"right", "wrong"})
            self.count("moves", where, a != b and "undecided" in (a, b))

    def add_pair(self, a, b, where):
        (low_a, high_a), (low_b, high_b) = ends(a["in_place_pct"]), ends(b["in_place_pct"])
        self.count("pairs", where)
        self.count("disjoint", where, high_a < low_b or high_b < low_a)
        self.count("flips of rows", where, {a["verdict"], b["verdict"]} == {"right", "wrong"})

    def count(self, what, where, number=1):
        """Counts it among all pairs, and among those that lie to each other like this."""
        self.counts[what] += number
        self.counts[what, where] += number

    def pairs(self, what, where=None):
        """How many pairs are so: of all, or of those that lie to each other like this."""
        return self.counts[(what, where) if where else what]

    def merge(self, other):
        self.counts += other.counts
        self.planted += other.planted
        self.verdicts += other.verdicts

    def cells(self):
        c = self.counts
        return [
            f"{c['sites in all']} of {c['sites']}",
            part(c["disjoint"], c["pairs"]),
            part(c["flips of rows"], c["pairs"]),
            part(c["undecided rows"], c["rows"]),
            part(c["differing rows"], c["rows of several"]) if c["rows of several"] else "-",
            verdict_counts(self.verdicts),
            part(c["flips"], c["verdict pairs"]),
            part(c["moves"], c["verdict pairs"]),
        ]

    def cells_of_pairs(self, where):
        """The same of pairs that lie to each other like this; nothing where it is of single repeats."""
        rows = [part(self.pairs(what, where), self.pairs("pairs", where)) for what in ("disjoint", "flips of rows")]
        verdicts = [part(self.pairs(what, where), self.pairs("verdict pairs", where)) for what in ("flips", "moves")]
        return ["-", *rows, "-", "-", "-", *verdicts]
