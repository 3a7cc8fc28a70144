#!/usr/bin/env python3
"""The tables of this study: table.py DIRECTORY [MARK=DIRECTORY[,DIRECTORY...]...], the one of a date in which run.sh, repeats.sh, judged.sh and others.sh left results.
MARK=DIRECTORY: what others.sh left in other directories, between the marks of that name; if it begins with `four-`, what repeats.sh left in `four` of one.

Writes them into the README beside this file, between their marks. Needs Python 3.8, nothing else. What is not there is left as it is.
"""

import collections
import json
import math
import random
import re
import statistics
import sys
from pathlib import Path

from exact import share
from machines import ACROSS, WITHIN, machine_of, noted
from tally import Tally, ends, planted_in, planted_line

HERE = Path(__file__).resolve().parent
PROFILERS = ("async", "jfr", "jfr+nonsafepoints")
# What a victim's profile is by the clock, and the verdict: what that makes of it.
MEANS = {
    ("right", "right"): "agrees",
    ("wrong", "wrong"): "agrees",
    ("right", "wrong"): "**falsely accused**",
    ("wrong", "right"): "**falsely certified**",
    ("outside", "right"): "right by sites, not in Java",
    ("outside", "wrong"): "wrong by sites, not in Java",
}


def load(path):
    return json.loads(path.read_text(encoding="utf-8"))


def total(estimates):
    """Sum of shares, and its half-width: errors of parts of one profile do not add up to more than this."""
    widths = [(ends(one)[1] - ends(one)[0]) / 2 for one in estimates]
    return sum(one["value"] for one in estimates), math.sqrt(sum(width * width for width in widths))


def short(method):
    """`com.acme.Main.run` -> `Main.run`"""
    return ".".join(method.split(".")[-2:])


def number(value):
    return f"{value:.1f}" if abs(value) < 99.95 else f"{value:.0f}"


def interval(estimate):
    low, high = ends(estimate)
    return f"{number(estimate['value'])} ({number(low)} to {number(high)})"


def by_clock(shares, truth, margin):
    """What a profile is beside the clock, which says how much is the method's at least and all others' at most.

    right: so, to within the margin; wrong: other methods get more than the margin beyond what they can have; outside: they do not, but
    the method lacks more than the margin: its time is in no Java method; open: the intervals do not say.
    """
    own = [one for method, one in shares.items() if method in truth["methods"]]
    others = [one for method, one in shares.items() if method not in truth["methods"]]
    shown, shown_half = total(own)
    charged, charged_half = total(others)
    least = ends(truth["pct"])[0]
    none = [shares[method] for method in truth["none"] if method in shares]
    if any(ends(one)[0] > margin for one in none) or charged - charged_half > 100 - least + margin:
        return "wrong"
    if shown + shown_half < least - margin:
        return "outside"
    if shown - shown_half >= least - margin and charged + charged_half <= 100 - least + margin:
        return "right"
    return "open"


def expected_victims():
    """Name -> what is expected of each profiler, in the order of victims.txt."""
    names = {}
    for line in (HERE / "victims.txt").read_text(encoding="utf-8").splitlines():
        words = line.split()
        if words and not words[0].startswith("#"):
            names[words[0]] = dict(zip(PROFILERS, words[2].split(",")))
    return names


def refused(path):
    """Why a result is missing: the last line of what the command said."""
    lines = path.read_text(encoding="utf-8").split("\n") if path.exists() else []
    lines = [line for line in lines if line.strip()]
    return lines[-1].replace("|", "/") if lines else ""


def rows_in_place(rows):
    """How many rows are right, and the least and the greatest part in place."""
    parts = [row["in_place_pct"]["value"] for row in rows]
    right = sum(row["verdict"] == "right" for row in rows)
    if not rows:
        return "no row"
    return f"{right} of {len(rows)} right, {number(min(parts))} to {number(max(parts))} %"


def victim_rows(name, directory, expected, counts):
    """A line for every profiler of a victim; `counts` gets what each means."""
    truth, sites = load(directory / f"{name}-truth.json"), load(directory / f"{name}-sites.json")
    verdicts = load(directory / f"{name}.json")["attribution"]
    margin = sites["margin_pt"]
    for profiler in PROFILERS:
        if profiler not in verdicts:
            why = sites["failed"].get(profiler, "not judged").replace("|", "/").replace("\n", " ")
            counts["not judged"] += 1
            yield [name, profiler, interval(truth["pct"]), "-", "-", "-", expected[profiler], "-", "-", why]
            continue
        one = verdicts[profiler]
        shares = one["shares_pct"]
        own, _ = total([share for method, share in shares.items() if method in truth["methods"]])
        everything, _ = total(list(shares.values()))
        others = [(share["value"], method) for method, share in shares.items() if method not in truth["methods"]]
        largest = f"{short(max(others)[1])} {number(max(others)[0])}" if others else "none"
        clock = by_clock(shares, truth, margin)
        means = MEANS.get((clock, one["verdict"]), "not decided")
        counts[means.strip("*")] += 1
        counts["by the clock as expected"] += expected[profiler] in (clock, "open")
        yield [
            name,
            profiler,
            interval(truth["pct"]),
            number(own),
            largest,
            number(max(100 - everything, 0)),
            expected[profiler],
            clock,
            f"{one['verdict']}; {rows_in_place(one['rows'])}",
            means,
        ]


def never_shown(name, directory):
    """What is shown of methods that take no time, and which could get no site."""
    truth, sites = load(directory / f"{name}-truth.json"), load(directory / f"{name}-sites.json")
    left_out = [short(one["method"]) for one in sites["left_out"]]
    shown = []
    for profiler, one in sites["attribution"].items():
        for method, share in one["shares_pct"].items():
            if method in truth["none"] and share["value"] > 0:
                shown.append(f"{profiler}: {short(method)} {interval(share)} %")
        for row in one["rows"]:
            charged = [other for other in row["elsewhere"] if other["method"] in truth["none"]]
            for other in charged:
                shown.append(f"{profiler}: {interval(other['pct'])} % of {short(row['method'])}'s added time in {short(other['method'])}")
    parts = []
    if truth["none"]:
        parts.append(f"of methods without time: {'; '.join(shown) or 'nothing'}")
    if left_out:
        parts.append(f"no site in {', '.join(left_out)}")
    return f"- {name}: {'; '.join(parts)}." if parts else None


def victims_table(directory):
    expected = expected_victims()
    counts = collections.Counter()
    table = [
        ["victim", "profiler", "the method's, by the clock at least, %", "shown, %", "most shown elsewhere, %", "shown nowhere, %",
         "expected", "by the clock", "verdict; rows in place", "so the verdict"],
        ["---", "---", "---", "---:", "---", "---:", "---", "---", "---", "---"],
    ]
    notes, missing = [], []
    for name, of_profilers in expected.items():
        if not (directory / f"{name}.json").exists():
            missing.append(f"{name} ({refused(directory / f'{name}-refused.txt') or 'not measured'})")
            continue
        table += victim_rows(name, directory, of_profilers, counts)
        notes.append(never_shown(name, directory))
    as_expected = counts.pop("by the clock as expected", 0)
    judged = sum(counts.values())
    lines = ["| " + " | ".join(row) + " |" for row in table]
    lines += ["", *(note for note in notes if note)]
    lines.append(f"- {judged} verdicts: " + ", ".join(f"{n} {what}" for what, n in counts.most_common()) + ".")
    lines.append(f"- Beside the clock {as_expected} profiles are as expected (or nothing was).")
    lines += [f"- Missing: {'; '.join(missing)}."] if missing else []
    return "\n".join(lines)


def repeats_of(directory):
    """Program -> its results, in the order of the repeats. Each has the name of its machine as `measured_on`, None where that is not known."""
    found = collections.defaultdict(list)
    notes = noted(directory)
    for path in sorted(directory.glob("*.json")):
        program, repeat = re.fullmatch(r"(.+)-(\d+)", path.stem).groups()
        result = load(path)
        result["measured_on"] = machine_of(path.stem, result, notes)
        found[program].append((int(repeat), result))
    return {program: [result for _, result in sorted(runs, key=lambda run: run[0])] for program, runs in found.items()}


def proportions(every, sums, lying):
    """What all repeats say, with exact intervals; of disjoint pairs also by profiler, and by how the repeats lie to each other."""

    def disjoint_in(tally, where=None):
        return share(tally.pairs("disjoint", where), tally.pairs("pairs", where))

    parts = [f"{profiler} {disjoint_in(tally)}" for profiler, tally in sorted(sums.items())]
    parts += [f"{where} {disjoint_in(every, where)}" for where in lying]
    said = "; ".join([disjoint_in(every), *parts])
    lines = [f"- Disjoint pairs: {said}. Exact 95 % intervals, as if no pair depended on another."]
    lines.append(f"- Undecided verdicts: {share(every.verdicts.count('undecided'), len(every.verdicts))}.")
    if every.planted["of"]:
        lines.append(planted_line(every.planted))
    return lines


def repeats_table(directory):
    header = ["program", "profiler", "repeats", "sites in all repeats, of all sites", "disjoint pairs of intervals", "row pairs right and wrong",
              "rows undecided", "rows right and wrong in one repeat", "verdicts", "verdict pairs right and wrong", "one of them undecided"]
    table = [header, ["---", "---", "---:", "---:", "---:", "---:", "---:", "---:", "---", "---:", "---:"]]
    sums = collections.defaultdict(Tally)
    every, seconds, jvms, machines = Tally(), [], set(), collections.Counter()
    for program, results in repeats_of(directory).items():
        seconds += [result["seconds"] for result in results]
        jvms |= {result["replication"]["runs"] for result in results}
        machines.update(result["measured_on"] for result in results)
        for profiler in sorted({name for result in results for name in result["attribution"]}):
            having = [result for result in results if profiler in result["attribution"]]
            said = [result["attribution"][profiler] for result in having]
            tally = Tally()
            tally.add_runs(said, [result["measured_on"] for result in having])
            sums[profiler].merge(tally)
            every.merge(tally)
            table.append([program, profiler, str(len(said)), *tally.cells()])
    all_tallies = [*sorted(sums.items()), ("all", every)]
    table += [["**all**", name, str(len(tally.verdicts)), *tally.cells()] for name, tally in all_tallies]
    lying = (WITHIN, ACROSS) if len(set(machines) - {None}) > 1 else ()
    table += [[f"**{where}**", name, "-", *tally.cells_of_pairs(where)] for where in lying for name, tally in all_tallies]
    lines = ["| " + " | ".join(row) + " |" for row in table]
    took = f"{min(seconds):.0f} to {max(seconds):.0f} s each, {sum(seconds) / 60:.0f} minutes in all" if seconds else "none"
    asked = " or ".join(str(number) for number in sorted(jvms)) or "no"
    several = "" if jvms == {1} else "s"
    lines += ["", f"- {len(seconds)} runs of `dose`, {asked} JVM{several} per profiler: {took}."]
    if lying:
        lines.append("- Machines: " + ", ".join(f"{name or 'not known'} {number}" for name, number in machines.most_common()) + ".")
    lines += proportions(every, sums, lying)
    for path in sorted(directory.glob("*-refused.txt")):
        lines.append(f"- {path.name.replace('-refused.txt', '')} is missing: {refused(path)}")
    return "\n".join(lines)


# Quantiles of Student's t, 95 %, by degrees of freedom: those of the intervals over 2 to 5 JVMs, and inside of one.
STUDENT = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571}
# Repeats that are drawn for a row, and pairs of windows in each JVM of the results, at least.
DRAWN, PAIRS = 400, 6
# JVMs in which a row must have been measured for JVMs to be drawn from them, or all that there are.
LEAST_JVMS = 9


def over(jvms):
    """Interval over JVMs, as crates/experiment/src/dose/runs.rs has it; each JVM has a value and a half-width."""
    n = len(jvms)
    values = [value for value, _ in jvms]
    mean = sum(values) / n
    within = 0.25 * math.sqrt(sum(half * half for _, half in jvms)) / n
    between = 0.0
    if n > 1:
        between = STUDENT[n - 1] * math.sqrt(sum((value - mean) ** 2 for value in values) / (n - 1) / n)
    half = max(between, within) if n > 1 else jvms[0][1]
    lowest = min(0.0, min(value - half for value, half in jvms))
    highest = max(100.0, max(value + half for value, half in jvms))
    return max(mean - half, lowest), min(mean + half, highest)


def disjoint(rows, jvms, draw):
    """Part of pairs of intervals that do not touch, if each is over so many JVMs that are drawn from those of a row."""

    def one(row):
        value, half = draw.choice(row)
        return value + draw.gauss(0.0, half / STUDENT[PAIRS - 1]), half

    apart = 0
    for row in rows:
        for _ in range(DRAWN):
            (low_a, high_a), (low_b, high_b) = (over([one(row) for _ in range(jvms)]) for _ in range(2))
            apart += high_a < low_b or high_b < low_a
    return 100 * apart / (len(rows) * DRAWN)


def expected_table(directory):
    """How often intervals over several JVMs would be disjoint, by JVMs drawn with replacement from those of all repeats; none without rows of enough JVMs."""
    rows = collections.defaultdict(list)
    for results in repeats_of(directory).values():
        for profiler in sorted({name for result in results for name in result["attribution"]}):
            each = collections.defaultdict(list)
            for result in results:
                if profiler not in result["attribution"]:
                    continue
                for row in result["attribution"][profiler]["rows"]:
                    for part in row["in_place_per_run_pct"] or [row["in_place_pct"]]:
                        low, high = ends(part)
                        each[row["method"], row["place"]].append((part["value"], (high - low) / 2))
            asked = sum(result["replication"]["runs"] for result in results)
            rows[profiler] += [jvms for jvms in each.values() if len(jvms) >= min(LEAST_JVMS, asked)]
    rows["all"] = [row for of_profiler in list(rows.values()) for row in of_profiler]
    if not rows["all"]:
        return None
    numbers = range(1, 6)
    lines = ["| profiler | rows | " + " | ".join(f"{number} JVM{'s' if number > 1 else ''}" for number in numbers) + " |"]
    lines.append("| --- | ---: |" + " ---: |" * len(numbers))
    draw = random.Random(1)
    for profiler in sorted(set(rows) - {"all"}) + ["all"]:
        parts = [f"{disjoint(rows[profiler], number, draw):.1f} %" for number in numbers]
        lines.append(f"| {profiler} | {len(rows[profiler])} | " + " | ".join(parts) + " |")
    return "\n".join(lines)


def rows_of(attribution):
    """`8 of 9`, and how many of them were saved by what is right being a range: those that 100 % alone would not have called right."""
    rows = attribution["rows"]
    right = [row for row in rows if row["verdict"] == "right"]
    beyond = [row for row in right if not (90 <= ends(row["in_place_pct"])[0] and ends(row["in_place_pct"])[1] <= 110)]
    said = f"{len(right)} of {len(rows)}"
    return said + (f" ({len(beyond)} by the range)" if beyond else "")


def others_table(*directories):
    """One test of each program at default settings."""
    lines = ["| program | methods, s | gates closed, % | " + " | ".join(PROFILERS) + " |"]
    lines.append("| --- | --- | ---: | " + "--- | " * len(PROFILERS))
    verdicts, widths, planted = collections.Counter(), collections.defaultdict(list), collections.Counter()
    programs = {program: results for directory in directories for program, results in repeats_of(directory).items()}
    for program, results in sorted(programs.items()):
        result = results[0]
        added = result["replication"].get("added") or {}
        cells = []
        for profiler in PROFILERS:
            one = result["attribution"].get(profiler)
            if one is None:
                cells.append("not judged")
                continue
            verdicts[one["verdict"]] += 1
            for row in one["rows"]:
                low, high = ends(row["in_place_pct"])
                widths[profiler].append((high - low) / 2)
            planted.update(planted_in(one))
            points = ""
            if one["verdict"] != "right":
                points = f", {number(one['misplaced_pt'][0])} to {number(one['misplaced_pt'][1])} points"
            verdict = f"**{one['verdict']}**" if one["verdict"] == "wrong" else one["verdict"]
            small = sum(row.get("small_pt") is not None for row in one["rows"])
            besides = f" ({small} small)" if small else ""
            more = f", {added[profiler]} JVMs more" if profiler in added else ""
            cells.append(f"{verdict}, {rows_of(one)}{besides}{points}{more}")
        head = [program, f"{len(result['methods'])}, {result['seconds']:.0f}", interval(result["rest_cost"])]
        lines.append("| " + " | ".join(head + cells) + " |")
    lines.append("")
    said = ", ".join(f"{verdicts[word]} {word}" for word in ("right", "wrong", "undecided"))
    lines.append(f"- Verdicts: {said}, of {sum(verdicts.values())}. Undecided: {share(verdicts['undecided'], sum(verdicts.values()))}.")
    if planted["of"]:
        lines.append(planted_line(planted))
    for profiler, all_widths in widths.items():
        wide = sum(width > 3 for width in all_widths)
        middle = statistics.median(all_widths)
        lines.append(f"- Half-widths of the part in place over JVMs, {profiler}: {number(middle)} points in the median, {wide} of {len(all_widths)} above 3.")
    return "\n".join(lines)


def put(text, name, table):
    """Replaces what stands between the marks of a table."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    if text.count(begin) != 1 or text.count(end) != 1:
        sys.exit(f"the README has no marks {begin} and {end}")
    head, rest = text.split(begin)
    return head + begin + "\n" + table + "\n" + end + rest.split(end)[1]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip())
    directory, others = Path(sys.argv[1]), [word.partition("=") for word in sys.argv[2:]]
    readme = HERE / "README.md"
    text = readme.read_text(encoding="utf-8")
    written = []
    tables = (
        ("victims", "victims", victims_table),
        ("repeats", "repeats", repeats_table),
        ("expected", "repeats", expected_table),
        ("judged", "judged", repeats_table),
        ("expected-judged", "judged", expected_table),
        ("four", "four", repeats_table),
        ("others", "others", others_table),
    )
    for name, results, table in tables:
        if any((directory / results).glob("*.json")):
            made = table(directory / results)
            if made is None:
                continue
            source = f"Results: {directory.resolve().name}/{results}, made by `table.py`.\n\n"
            text = put(text, name, source + made)
            written.append(name)
    for mark, _, directories in others:
        named = [Path(one) for one in directories.split(",")]
        if mark.startswith("four-"):
            text = put(text, mark, f"Results: {named[0].resolve().name}/four, made by `table.py`.\n\n" + repeats_table(named[0] / "four"))
            written.append(mark)
            continue
        source = ", ".join(f"{one.resolve().name}/others" for one in named)
        text = put(text, mark, f"Results: {source}, made by `table.py`.\n\n" + others_table(*(one / "others" for one in named)))
        written.append(mark)
    if not written:
        sys.exit(f"{directory} holds no results")
    readme.write_text(text, encoding="utf-8")
    print(f"written: {', '.join(written)}")


if __name__ == "__main__":
    main()
