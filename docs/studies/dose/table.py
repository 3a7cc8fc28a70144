#!/usr/bin/env python3
"""The table of gates.sh: table.py DIRECTORY. Python, standard library."""

import json
import os
import statistics
import sys

MARGIN = 3.0
KNOWN = 5.0


def pct(estimate):
    value, low, high = (estimate[name] for name in ("value", "low", "high"))
    return f"{value:+.1f} ({low:.1f} to {high:.1f})"


def profiler(one):
    """`right, 5 of 5`: the verdict, and how many rows are right; rows that do not decide are counted behind it."""
    if one is None:
        return "-"
    rows = one["rows"]
    right = sum(row["verdict"] == "right" for row in rows)
    changed = sum(bool(row.get("change") and row["change"]["voids_rows"]) for row in rows)
    verdict = one["verdict"]
    points = one["misplaced_pt"]
    said = f"**wrong**, {right} of {len(rows)}, {points[0]:.0f} to {points[1]:.0f} points" if verdict == "wrong" else f"{verdict}, {right} of {len(rows)}"
    if one.get("change") and one["change"]["voids_rows"]:
        said += ", profile changed"
    return said + (f", {changed} changed" if changed else "")


def half_widths(results, name):
    rows = [row for one in results for who, of in one["attribution"].items() if who == name for row in of["rows"]]
    return [(row["in_place_pct"]["high"] - row["in_place_pct"]["low"]) / 2 for row in rows]


def truths(results):
    """What counting makes of the added time, where it knows a site to 5 points: a line for the list below the table."""
    parts = [site["by_count_pct"] for one in results for site in one["sites"] if site.get("by_count_pct")]
    known = [part["value"] for part in parts if part["high"] - part["low"] <= 2 * KNOWN]
    if len(known) < 3:
        return f"- Two truths: counting knows {len(known)} of {len(parts)} sites to {KNOWN:.0f} points."
    half = 2 * statistics.stdev(known) / len(known) ** 0.5
    near = sum(abs(value - 100) <= MARGIN for value in known)
    return (
        f"- Two truths: counting makes {statistics.mean(known):.1f} % of what the clock says was added (plus and minus {half:.1f}, two standard errors over "
        f"the {len(known)} of {len(parts)} sites that it knows to {KNOWN:.0f} points); single sites {min(known):.0f} to {max(known):.0f} %, {near} within {MARGIN:.0f} points."
    )


def planted(results):
    """How many errors that were planted into right rows would have been found: a line for the list below the table, None of older results."""
    of_all = [of["planted"] for one in results for of in one["attribution"].values() if of.get("planted")]
    total, wrong, right = (sum(one[word] for one in of_all) for word in ("of", "wrong", "right"))
    if not total:
        return None
    return (
        f"- Of {total} errors of 15 % of the added time that were planted into right rows, {wrong} would have been called wrong, {right} right. "
        f"Missed: {100 * (total - wrong) / total:.0f} %."
    )


def main(directory):
    results = []
    for name in sorted(os.listdir(directory)):
        if name.endswith(".json"):
            with open(os.path.join(directory, name)) as file:
                results.append((name.removesuffix(".json"), json.load(file)))
    names = sorted({who for _, one in results for who in one["attribution"]})
    print("| program | sites, s | all gates closed, % | one gate open, %: median, most |", " | ".join(names), "|")
    print("| --- | --- | ---: | --- |", " | ".join("---" for _ in names), "|")
    for name, one in results:
        opened = [site["open_cost_pct"]["value"] for site in one["sites"] if site.get("open_cost_pct")]
        costs = f"{statistics.median(opened):+.1f}, {max(opened):+.1f}" if opened else "-"
        said = " | ".join(profiler(one["attribution"].get(who)) for who in names)
        print(f"| {name} | {len(one['sites'])}, {one['seconds']:.0f} | {pct(one['rest_cost'])} | {costs} | {said} |")
    print()
    closed = [one["rest_cost"] for _, one in results]
    within = sum(abs(cost["value"]) <= 5 for cost in closed)
    certain = sum(cost["low"] > 5 or cost["high"] < -5 for cost in closed)
    print(f"- All gates closed: median {statistics.median(cost['value'] for cost in closed):+.1f} %, within 5 % in {within} of {len(closed)}, beyond 5 % for certain in {certain}.")
    for who in names:
        widths = half_widths([one for _, one in results], who)
        if widths:
            wide = sum(width > MARGIN for width in widths)
            print(f"- Half-widths of the part in place, {who}: {statistics.median(widths):.1f} points in the median, {wide} of {len(widths)} above {MARGIN:.0f}.")
    print(truths([one for _, one in results]))
    found = planted([one for _, one in results])
    if found:
        print(found)
    verdicts = [of["verdict"] for _, one in results for of in one["attribution"].values()]
    print(f"- Verdicts: {', '.join(f'{verdicts.count(word)} {word}' for word in ('right', 'wrong', 'undecided'))}, of {len(verdicts)}.")


main(sys.argv[1])
