#!/usr/bin/env python3
"""Why planted errors are missed, from results: missed.py results/DATE/others... (Python 3.8, standard library)

Judges the right rows of each result as crates/experiment/src/dose does, with an error of 15 % of the added time in each, and again as if
one source of width were not there. A result has the interval of a row in each JVM and its number of samples, not its pairs of windows:
these are reckoned from samples, in windows of 0.2 s. So is what counting would know if the windows of all JVMs counted, as if JVMs did not
differ; those of a profiler do not count for itself. `--alarms` simulates how often rows are falsely called wrong instead."""

import collections
import json
import math
import random
import sys
from pathlib import Path

from exact import share
from student import common, quantile
from tally import ends

# Planted error, a part of the added time; tolerance, points; a pair of windows, s.
ERROR, TOLERANCE, PAIR_S = 0.15, 10.0, 0.41
# The rules DOSE_ALIKE_DF, DOSE_ALIKE_LEAST and DOSE_ACCUSED_TOGETHER. Not DOSE_ALIKE_LEAST_DF: pairs are reckoned, to one or so.
ALIKE_DF, ALIKE_LEAST, TOGETHER = 4.0, 16, 0.8
# Of counting, in points: DOSE_COUNTED_KNOWN, DOSE_TRUTHS_APART and DOSE_SITES_APART; sites, DOSE_COUNTED_OTHERS; and pairs of windows of a
# site in a JVM.
COUNTED_KNOWN, APART, SITES_APART = 5.0, 10.0, 0.5
COUNTED_OTHERS, COUNTED_PAIRS = 3, 5

Known = collections.namedtuple("Known", "value error df")


def jvms_of(row, per_s):
    """What each JVM knows of a row."""
    known = []
    for part in row["in_place_per_run_pct"]:
        low, high = ends(part)
        df = max(2, round(part["n"] / per_s / PAIR_S)) - 1
        known.append(Known(part["value"], (high - low) / 2 / quantile(df), df))
    return known


def mean(jvms):
    """What they know together (Welch and Satterthwaite)."""
    total = sum(one.error**2 for one in jvms)
    df = total**2 / sum(one.error**4 / one.df for one in jvms) if total else sum(one.df for one in jvms)
    return Known(sum(one.value for one in jvms) / len(jvms), math.sqrt(total) / len(jvms), df)


def alike(rows):
    """The same by the scatter that all rows have in common, as crates/experiment/src/dose/scatter.rs has it."""
    scatter = [(one.error**2 * (one.df + 1), one.df) for row in rows for one in row if one.error > 0]
    if len(scatter) < ALIKE_LEAST:
        return rows
    df, variance = common(scatter)
    df = min(df, ALIKE_DF)

    def like(one):
        own = one.error**2 * (one.df + 1)
        if own <= 0:
            return one
        shared = max(own, (df * variance + one.df * own) / (df + one.df))
        return Known(one.value, math.sqrt(shared / (one.df + 1)), one.df + df)

    return [[like(one) for one in row] for row in rows]


def is_found(jvms, least, missed, t=quantile):
    """Whether an error is found that leaves so much less in place, by intervals that miss the truth so often each."""
    return is_below(mean(jvms), least, missed, t) or any(is_below(one, least, missed, t) for one in jvms)


def is_below(known, least, missed, t=quantile):
    return (known.value + t(known.df, missed) * known.error) * (1 - ERROR) < least - TOLERANCE


def is_found_by_parts(jvms, least, missed):
    """The same where all JVMs together have more than an equal part of what may be missed, as crates/experiment/src/dose/accusing.rs has it."""
    several = len(jvms)
    if several < 2:
        return is_found(jvms, least, missed)
    together, each = missed * TOGETHER * (several + 1), missed * (1 - TOGETHER) * (several + 1) / several
    return is_below(mean(jvms), least, together) or any(is_below(one, least, each) for one in jvms)


def chances(one, row, jvms):
    """Standard errors that counting samples alone leaves in each JVM, points."""
    own_pct = (one["shares_pct"].get(row["method"]) or {"value": 0.0})["value"]
    samples = [part["n"] for part in row["in_place_per_run_pct"]]
    low, high = (part / 100 for part in row["growth_pct"])
    errors = []
    for one, n in zip(jvms, samples):
        squared = 0.0
        for growth in (low, high):
            part = min(1, max(0, (one.value / 100 * growth + own_pct / 100) / (1 + growth)))
            part = (part * n / 2 + 1) / (n / 2 + 2)
            squared += ((1 + growth) / (high - low)) ** 2 * part * (1 - part) / (n / 2)
        errors.append(100 * math.sqrt(squared))
    return errors


def counted_over_jvms(result, judged):
    """The least that is right at a site if counting knew it from the windows of all JVMs but those of the profiler that is judged (or as it
    is, with fewer than four); as it is where it is not counted."""
    asked = result["replication"]
    jvms = 1 + sum(asked["runs"] + asked.get("added", {}).get(name, 0) for name in result["attribution"] if name != judged)
    if jvms < 4:
        return lambda row: row["truth_pct"][0]
    known = {}
    for site in result["sites"]:
        part = site["by_count_pct"]
        if part and part["n"] > 1 and abs(part["value"] - 100) <= APART:
            low, high = ends(part)
            error = (high - low) / 2 / quantile(part["n"] - 1) * math.sqrt(part["n"] / COUNTED_PAIRS / jvms)
            known[site["method"], site["place"]] = part["value"] - quantile(jvms - 1) * error

    def least(row):
        return min(100.0, known.get((row["method"], row["place"]), row["truth_pct"][0]))

    return least


def prediction(parts):
    """What several sites say of one more: the least and the greatest that it may have, points, or None where it may have all. Each has a
    value and a standard error, in points (crates/stats/src/random_effects.rs, OtherSites of crates/experiment/src/dose/truth.rs)."""
    if len(parts) < COUNTED_OTHERS:
        return None

    def weighted(between):
        weights = [1 / (error**2 + between) for _, error in parts]
        middle = sum(weight * value for weight, (value, _) in zip(weights, parts)) / sum(weights)
        return weights, middle, sum(weight * (value - middle) ** 2 for weight, (value, _) in zip(weights, parts))

    df = len(parts) - 1
    weights, _, scatter = weighted(0.0)
    between = (scatter - df) / (sum(weights) - sum(weight**2 for weight in weights) / sum(weights))
    between = max(between, SITES_APART**2)
    weights, middle, scatter = weighted(between)
    variance = max(scatter / df, 1.0) / sum(weights)
    t = quantile(df)
    if middle + t * math.sqrt(variance) >= 100:
        return None
    half = t * math.sqrt(between + variance)
    return min(max(middle - half, 100 - APART), 100.0), middle + half, half


def half_width(part):
    low, high = ends(part)
    return (high - low) / 2


def counted_with_others(result):
    """The least that is right at a site by the rules of today (Truth of crates/experiment/src/dose/truth.rs). What counting says is that of all
    JVMs, also of those of the profiler that is judged."""
    parts = {(site["method"], site["place"]): site["by_count_pct"] for site in result["sites"] if site["by_count_pct"]}

    def usable(part):
        return half_width(part) <= COUNTED_KNOWN and abs(part["value"] - 100) <= APART

    def least(row):
        if row["kind"] != "arithmetic":
            return row["truth_pct"][0]
        at, hidden = (row["method"], row["place"]), row["truth_pct"][1] - 100
        others = [part for site, part in parts.items() if site != at and usable(part)]
        others = prediction([(part["value"], max(half_width(part) / quantile(max(part["n"], 2) - 1), 0.01)) for part in others])
        own = parts.get(at)
        own = own if own and half_width(own) <= COUNTED_KNOWN else None
        if own is None:
            return others[0] if others else 100.0
        if max(own["value"] - 100 - hidden, 100 - own["value"]) > APART:
            return 100.0 - APART if own["value"] < 100 else 100.0
        low, high = ends(own)
        if others and others[2] < (high - low) / 2 and high >= others[0]:
            return others[0]
        return min(low, 100.0)

    return least


def counted_exactly(result):
    """The least that is right at a site if counting knew it exactly; where it is not counted, that of the others in the mean."""
    known = {}
    for site in result["sites"]:
        part = site["by_count_pct"]
        if part and (ends(part)[1] - ends(part)[0]) / 2 <= COUNTED_KNOWN and abs(part["value"] - 100) <= APART:
            known[site["method"], site["place"]] = part["value"]
    others = sum(known.values()) / len(known) if known else 100.0

    def least(row):
        least = row["truth_pct"][0]
        return min(100.0, known.get((row["method"], row["place"]), others)) if least < 100 else least

    return least


def sources(result, name, one, found, said):
    """Judges a profiler of a result, as it is and without one source of width; `said`: what its result says was found and planted."""
    missed = 0.05 / one["accusing_intervals"]
    every = [jvms_of(row, one["samples_per_s"]) for row in one["rows"]]
    exactly, over_jvms, with_others = counted_exactly(result), counted_over_jvms(result, name), counted_with_others(result)
    for row, jvms, shared in zip(one["rows"], every, alike(every)):
        if row["verdict"] != "right":
            continue
        least = row["truth_pct"][0]
        chance = chances(one, row, jvms)
        beyond = [Known(jvm.value, math.sqrt(max(0, jvm.error**2 - error**2)), jvm.df) for jvm, error in zip(jvms, chance)]
        only = [Known(jvm.value, error, jvm.df) for jvm, error in zip(jvms, chance)]

        def normal(df, missed):
            return quantile(1e6, missed)

        found["rows"] += 1
        found["as each row knows itself"] += is_found(jvms, least, missed)
        found["by scatter in common"] += is_found(shared, least, missed)
        found["by scatter in common, with parts"] += is_found_by_parts(shared, least, missed)
        found["by scatter in common, with parts, and by other sites (today)"] += is_found_by_parts(shared, with_others(row), missed)
        found["1 no noise of samples"] += is_found(beyond, least, missed)
        found["2 nothing but noise of samples"] += is_found(only, least, missed)
        found["1+2 no noise of windows"] += mean(jvms).value * (1 - ERROR) < least - TOLERANCE
        found["4 what is right known exactly"] += is_found(jvms, exactly(row), missed)
        found["5 normal quantile for Student's"] += is_found(jvms, least, missed, normal)
        found["5 one interval of 95 %, not one of many"] += is_found(jvms, least, 0.05)
        found["4+5"] += is_found(jvms, exactly(row), missed, normal)
        found["4, with scatter in common"] += is_found(shared, exactly(row), missed)
        found["counting over all JVMs, with scatter in common"] += is_found(shared, over_jvms(row), missed)
    planted = one.get("planted") or {"of": 0, "wrong": 0}
    said["of"] += planted["of"]
    said["wrong"] += planted["wrong"]


def between(one, scatter):
    """Of each right row the variance between JVMs, in that of what windows leave open; and of each of its JVMs what windows leave open, in
    what samples alone do."""
    for row in one["rows"]:
        jvms = jvms_of(row, one["samples_per_s"])
        if row["verdict"] == "right" and len(jvms) > 1:
            middle = mean(jvms).value
            of_jvms = sum((jvm.value - middle) ** 2 for jvm in jvms) / (len(jvms) - 1)
            scatter["JVMs"].append(of_jvms / (sum(jvm.error**2 for jvm in jvms) / len(jvms)))
            for jvm, error in zip(jvms, chances(one, row, jvms)):
                scatter["windows"].append((jvm.error / error) ** 2)


def alarms(rows, jvms=4, tests=100, seed=1):
    """How often a row that is off by exactly as much as is allowed is called wrong, where the scatter of rows differs in several ways: by each
    row's own scatter, and by what all have in common. Exact but for the scatter, which is drawn."""
    draw = random.Random(seed)

    def chi(df):
        return draw.gammavariate(df / 2, 2 / df)

    kinds = {
        "alike": lambda row: 1.0,
        "as by 2.5 degrees of freedom": lambda row: 1 / chi(2.5),
        "a tenth has nine times the variance": lambda row: 9.0 if draw.random() < 0.1 else 1.0,
        "one row has four times the variance": lambda row: 4.0 if row == 0 else 1.0,
        "half has a hundredth of the variance": lambda row: 0.01 if row % 2 else 1.0,
    }
    # Two intervals of each row, in place and missing.
    of_all, of_each = 0.05 * TOGETHER / (rows * 2), 0.05 * (1 - TOGETHER) / (rows * jvms * 2)
    for name, variance in kinds.items():
        false = [0.0, 0.0]
        for _ in range(tests):
            true = [[variance(row) for _ in range(jvms)] for row in range(rows)]
            every = []
            for row in true:
                every.append([Known(0, math.sqrt(one * chi(df)), df) for one, df in ((one, 3 if draw.random() < 0.6 else 5) for one in row)])
            for at, known in enumerate((every, shared_pairs(every))):
                for row, truth in zip(known, true):
                    together = mean(row)
                    pairs = [(together, sum(truth) / jvms**2, of_all), *((one, exact, of_each) for one, exact in zip(row, truth))]
                    false[at] += sum(math.erfc(quantile(one.df, level) * one.error / math.sqrt(2 * exact)) / 2 for one, exact, level in pairs)
        own, shared = (100 * one / tests / rows for one in false)
        print(f"| {rows} | {name} | {own:.2f} | {shared:.2f} |")


def shared_pairs(rows):
    """As `alike` where errors are those of one pair of windows."""
    each = [[one._replace(error=one.error / math.sqrt(one.df + 1)) for one in row] for row in rows]
    return [[one._replace(error=one.error * math.sqrt(was.df + 1)) for one, was in zip(row, before)] for row, before in zip(alike(each), rows)]


def main():
    if sys.argv[1:2] == ["--alarms"]:
        print("| rows | scatter | falsely called wrong by its own scatter, % | by scatter in common, % |\n| ---: | --- | ---: | ---: |")
        for rows in (int(word) for word in sys.argv[2:]):
            alarms(rows)
        return
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip())
    for directory in sys.argv[1:]:
        found, said, scatter = collections.Counter(), collections.Counter(), collections.defaultdict(lambda: collections.defaultdict(list))
        for path in sorted(Path(directory).glob("*.json")):
            result = json.loads(path.read_text(encoding="utf-8"))
            before = found.copy()
            for name, one in result["attribution"].items():
                sources(result, name, one, found, said)
                between(one, scatter[name])
            own, today, of = (found[word] - before[word] for word in ("as each row knows itself", "by scatter in common, with parts, and by other sites (today)", "rows"))
            print(f"{path.stem}: of {of} errors {own} are found as each row knows itself, {today} as it is today")
        print(f"{directory}: its results say {said['wrong']} of {said['of']}")
        for word, number in found.items():
            if word != "rows":
                print(f"| {word} | {number} | {share(found['rows'] - number, found['rows'])} |")
        for name, ratios in scatter.items():
            if not ratios["JVMs"]:
                continue
            of_jvms, of_windows = (sorted(ratios[word])[len(ratios[word]) // 2] for word in ("JVMs", "windows"))
            print(f"{name}: variance between JVMs {of_jvms:.1f} times that of windows, and that {of_windows:.1f} times that of samples, in the median of {len(ratios['JVMs'])} rows")


if __name__ == "__main__":
    main()
