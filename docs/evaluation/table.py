#!/usr/bin/env python3
"""The tables of evaluations: table.py FILE... with files that `proofmark evaluate` left, evaluation.json or copies of it.

Files of one directory are one evaluation, and its name is the directory's (2026-11-25). A table is written into the README beside this
file where that has marks for it, `<!-- 2026-11-25 slowing -->`. Tables of an evaluation without any mark are printed. Needs Python 3.8, nothing else.
"""

import collections
import json
import math
import statistics
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
MODELS = ("cycles", "expected", "operations")

Published = collections.namedtuple("Published", "totals plans time units blocks")
# "Divining Profiler Accuracy" (2025): totals for +50, +100 and +150 %, %; for +100 % plans (runs) and time (hours:minutes); compilation
# units and native blocks of the plans.
PUBLISHED = {
    "Bounce": Published((56.1, 99.1, 142.5), 51, "1:55", 1, 21),
    "List": Published((55.6, 102.2, 146.6), 49, "3:18", 1, 59),
    "Mandelbrot": Published((53.1, 101.6, 154.7), 94, "2:51", 1, 11),
    "NBody": Published((50.0, 100.0, 149.1), 50, "1:28", 1, 1),
    "Permute": Published((46.9, 100.0, 146.9), 24, "0:44", 1, 16),
    "Queens": Published((50.0, 94.3, 142.9), 22, "0:30", 1, 107),
    "Sieve": Published((48.6, 98.9, 146.4), 82, "4:47", 1, 17),
    "Storage": Published((54.7, 102.7, 161.5), 74, "3:39", 2, 80),
    "Towers": Published((58.0, 106.2, 160.2), 20, "0:52", 1, 52),
    "CD": Published((46.4, 96.4, 144.5), 367, "11:12", 9, 343),
    "DeltaBlue": Published((50.5, 90.2, 139.5), 491, "25:06", 14, 230),
    "Havlak": Published((47.0, 115.0, 148.0), 400, "21:25", 9, 401),
    "Json": Published((45.6, 94.1, 147.1), 329, "8:36", 10, 470),
    "Richards": Published((48.8, 109.8, 143.9), 141, "3:45", 3, 84),
}
PUBLISHED_TARGETS = (50.0, 100.0, 150.0)
# Parts of the compiler's operations with a source position, the least and the greatest of the 14, %.
PUBLISHED_RATIOS = "70.70 % (List) to 89.24 % (NBody)"
PUBLISHED_SAMPLER = "2.35 % in the median, 0.29 to 5.88"

# What is wanted of +100 % for all 14 programs.
ALL = 14
TOTAL, HALF_WIDTH = 2.0, 2.0
MEDIAN_SETS, MOST_SETS = 8.0, 12.0
WITHIN_10, LOOPS, JUDGED = 75.0, 4.0, 90.0
SUM_PLANS, MOST_PLANS, MINUTES = 110, 16, 60.0

# A plan of a program, and the file that it is in.
Plan = collections.namedtuple("Plan", "result program plan name")


def number(value, digits=1):
    said = f"{value:.{digits}f}"
    return said[1:] if float(said) == 0 and said[0] == "-" else said


def ends(estimate):
    """Lower and upper end; null stands for an open one."""
    low, high = estimate["low"], estimate["high"]
    return (-math.inf if low is None else low, math.inf if high is None else high)


def interval(estimate):
    if estimate is None:
        return "-"
    low, high = ends(estimate)
    return f"{number(estimate['value'])} ({number(low)} to {number(high)})"


def half_width(estimate):
    low, high = ends(estimate)
    return (high - low) / 2


def value(estimate, digits=1):
    return "-" if estimate is None else number(estimate["value"], digits)


def short(program):
    return program.replace("suite:", "", 1)


def minutes(seconds):
    return f"{seconds / 60:.1f}"


def span(values, digits=1):
    return f"{number(min(values), digits)} to {number(max(values), digits)}"


def table(header, rows):
    """`header`: titles, each with `>` in front where the column is of numbers."""
    titles = [title.lstrip(">") for title in header]
    marks = ["---:" if title.startswith(">") else "---" for title in header]
    return ["| " + " | ".join(row) + " |" for row in [titles, marks, *rows]]


class Evaluation:
    """Files of one directory."""

    def __init__(self, name, paths):
        self.name = name
        self.documents = [(path.stem, json.loads(path.read_text(encoding="utf-8"))) for path in paths]
        self.programs = [(result, program) for result, document in self.documents for program in document["programs"]]
        targets = {plan["target_pct"] for _, program in self.programs for plan in program["plans"]}
        self.plans = []
        for result, program in self.programs:
            for plan in program["plans"]:
                name = short(program["program"]) + ("" if targets == {100.0} else f" +{plan['target_pct']:.0f} %")
                self.plans.append(Plan(result, program, plan, name))

    def of_result(self, header, rows):
        """A table with a column that says the file, if there are several. `rows`: file and cells."""
        if len(self.documents) == 1:
            return table(header, [cells for _, cells in rows])
        return table([header[0], "result", *header[1:]], [[cells[0], result, *cells[1:]] for result, cells in rows])

    def failed(self):
        return [f"- {short(program['program'])} failed: {program['failed']}." for _, program in self.programs if program["failed"]]


def disturbed(plan):
    pairs, among = plan.get("disturbed_pairs"), plan.get("window_pairs")
    if pairs is None:
        return "-"
    return str(pairs) if among is None else f"{pairs} of {among}"


def together(plan):
    """By how much all judged code together is off, points; loops are off by that in the mean at least."""
    judged = sum(share for share, _ in plan["misses"])
    if not judged:
        return "-"
    said = number(sum(share * miss for share, miss in plan["misses"]) / judged)
    return said if said[0] == "-" else f"+{said}"


def slowing(evaluation):
    header = ["program", ">plans", ">min", "program, %, 95 % (n: pairs of windows)", ">sets", "sets off by, pt, 95 % (noise)", ">worst, pt", ">within 10 pt, %",
              ">loops off by, pt", ">all judged code, pt", ">single blocks off by, pt", ">judged, % of time", ">disturbed pairs"]
    rows = []
    for result, _, plan, name in evaluation.plans:
        rows.append((result, [
            name,
            str(plan["plans_tried"]),
            minutes(plan["wall_s"]),
            f"{interval(plan['overhead_pct'])} ({plan['overhead_pct']['n']})",
            str(plan["judged_sets"]),
            f"{interval(plan['set_error_pt'])} ({value(plan['noise_pt'])})",
            value(plan["worst_pt"], 0),
            value(plan["within_10_pt_pct"], 0),
            value(plan["loop_error_pt"]),
            together(plan),
            value(plan["block_error_pt"]),
            number(plan["judged_pct"]),
            disturbed(plan),
        ]))
    return evaluation.of_result(header, rows) + ([""] + evaluation.failed() if evaluation.failed() else [])


def wanted_total(plan):
    overhead = plan["overhead_pct"]
    return abs(overhead["value"] - plan["target_pct"]) <= TOTAL and half_width(overhead) <= HALF_WIDTH


def beyond(value, limit):
    """With so many digits that it is seen to be beyond the limit."""
    return number(value, next((digits for digits in (1, 2, 3) if float(number(value, digits)) != limit), 4))


def lacks(plan):
    """What is wanted of a plan and is not there."""
    overhead, within, loops = plan["overhead_pct"], plan["within_10_pt_pct"], plan["loop_error_pt"]
    if abs(overhead["value"] - plan["target_pct"]) > TOTAL:
        yield f"total {beyond(overhead['value'], plan['target_pct'] + math.copysign(TOTAL, overhead['value'] - plan['target_pct']))} %"
    if half_width(overhead) > HALF_WIDTH:
        yield f"total known to {beyond(half_width(overhead), HALF_WIDTH)} pt"
    if plan["set_error_pt"]["value"] > MOST_SETS:
        yield f"sets {beyond(plan['set_error_pt']['value'], MOST_SETS)} pt"
    if within and within["value"] < WITHIN_10:
        yield f"{beyond(within['value'], WITHIN_10)} % within 10 pt"
    if loops and loops["value"] > LOOPS:
        yield f"loops {beyond(loops['value'], LOOPS)} pt"
    if plan["judged_pct"] < JUDGED:
        yield f"{beyond(plan['judged_pct'], JUDGED)} % judged"
    if plan["plans_tried"] > MOST_PLANS:
        yield f"{plan['plans_tried']} plans"


def beside(evaluation):
    """Ours and published, and what falls short."""
    header = ["program", ">total, %", ">published", ">plans", ">published", ">h:min", ">published", "falls short in"]
    rows = []
    for result, _, plan, name in evaluation.plans:
        published = PUBLISHED.get(name.split(" ")[0])
        at = PUBLISHED_TARGETS.index(plan["target_pct"]) if plan["target_pct"] in PUBLISHED_TARGETS else None
        search = published and plan["target_pct"] == 100
        whole = round(plan["wall_s"] / 60)
        rows.append((result, [
            name,
            value(plan["overhead_pct"]),
            number(published.totals[at]) if published and at is not None else "-",
            str(plan["plans_tried"]),
            str(published.plans) if search else "-",
            f"{whole // 60}:{whole % 60:02}",
            published.time if search else "-",
            ", ".join(lacks(plan)) or "nothing",
        ]))
    return evaluation.of_result(header, rows)


def summary(evaluation):
    """What is wanted of all programs at +100 %, and what was reached."""
    plans = [one.plan for one in evaluation.plans if one.plan["target_pct"] == 100]
    names = [one.name for one in evaluation.plans if one.plan["target_pct"] == 100]
    if not plans:
        return ["No plan for +100 %."]
    tried = [plan["plans_tried"] for plan in plans]
    needed = sum(program["wall_s"] for _, program in evaluation.programs) / 60
    misses = [abs(plan["overhead_pct"]["value"] - 100) for plan in plans]
    widths = [half_width(plan["overhead_pct"]) for plan in plans]
    sets = [plan["set_error_pt"]["value"] for plan in plans]
    several = [plan["set_error_pt"]["value"] for plan in plans if plan["judged_sets"] > 1]
    within = [plan["within_10_pt_pct"]["value"] for plan in plans if plan["within_10_pt_pct"]]
    loops = [plan["loop_error_pt"]["value"] for plan in plans if plan["loop_error_pt"]]
    blocks = [plan["block_error_pt"]["value"] for plan in plans if plan["block_error_pt"]]
    judged = [plan["judged_pct"] for plan in plans]

    def at(values, extreme):
        return names[values.index(extreme(values))]

    def row(what, wanted, reached, held):
        return [what, wanted, reached, ("yes" if len(plans) == ALL else "so far") if held else "**no**"]

    both = sum(wanted_total(plan) for plan in plans)
    rows = [
        row("plans", f"{SUM_PLANS} together at most, {MOST_PLANS} for one", f"{sum(tried)} together, {max(tried)} at most ({at(tried, max)})", sum(tried) <= SUM_PLANS and max(tried) <= MOST_PLANS),
        row("time", f"{MINUTES:.0f} minutes at most", f"{needed:.1f} minutes", needed <= MINUTES),
        row("total of the program", f"within {TOTAL:.0f} points, known to {HALF_WIDTH:.0f}",
            f"both in {both} of {len(plans)}: within {TOTAL:.0f} points in {sum(miss <= TOTAL for miss in misses)}, known to {HALF_WIDTH:.0f} in {sum(width <= HALF_WIDTH for width in widths)}; "
            f"median miss {number(statistics.median(misses))}, worst {number(max(misses))} ({at(misses, max)}); widest interval ±{number(max(widths))} ({at(widths, max)})", both == len(plans)),
        row("sets off by", f"median {MEDIAN_SETS:.0f} points at most, none above {MOST_SETS:.0f}",
            f"median {number(statistics.median(sets))}, worst {number(max(sets))} ({at(sets, max)}), {sum(one > MOST_SETS for one in sets)} above {MOST_SETS:.0f}"
            + (f"; of the {len(several)} programs with more than one set the median is {number(statistics.median(several))}" if several else ""),
            statistics.median(sets) <= MEDIAN_SETS and max(sets) <= MOST_SETS),
    ]
    if within:
        rows.append(row("time in sets within 10 points", f"{WITHIN_10:.0f} % or more", f"in {sum(one >= WITHIN_10 for one in within)} of {len(within)}, least {number(min(within), 0)} % ({at(within, min)})", min(within) >= WITHIN_10))
    if loops:
        rows.append(row("loops off by", f"{LOOPS:.0f} points at most", f"in {sum(one <= LOOPS for one in loops)} of {len(loops)}; median {number(statistics.median(loops))}, worst {beyond(max(loops), LOOPS)} ({at(loops, max)})", max(loops) <= LOOPS))
    rows.append(row("judged", f"{JUDGED:.0f} % of the time or more", f"in {sum(one >= JUDGED for one in judged)} of {len(judged)}, least {number(min(judged))} % ({at(judged, min)})", min(judged) >= JUDGED))
    if blocks:
        rows.append(["single blocks off by", "-", f"median {number(statistics.median(blocks))}, {span(blocks)} points", "-"])
    lines = table(["what", "our goal", "reached", "held"], rows)
    failed = sum(program["failed"] is not None for _, program in evaluation.programs)
    lines += ["", f"{len(plans)} of {ALL} programs, {failed} failed. Nothing falls short in {sum(not list(lacks(plan)) for plan in plans)}. Published: 2,194 plans, 3.75 days for +100 %, totals 90.2 (DeltaBlue) to 115.0 % (Havlak)."]
    return lines


def sampler(evaluation):
    rows, costs = [], []
    for result, _, plan, name in evaluation.plans:
        cost = plan.get("sampler")
        if cost and cost["pct"]:
            costs.append(cost["pct"])
            rows.append((result, [name, f"{cost['rate_hz']:,.0f}", f"{interval(cost['pct'])} ({cost['pct']['n']})"]))
    if not rows:
        return None
    lines = evaluation.of_result(["program", ">samples per second", "an iteration takes longer by, %, 95 % (n: rounds)"], rows)
    surely = sum(ends(cost)[0] > 0 for cost in costs)
    values = [cost["value"] for cost in costs]
    typical = [document["sampler"]["pct"] for _, document in evaluation.documents if document.get("sampler")]
    said = f", typically {interval(typical[0])} (pseudo-median over programs)" if len(typical) == 1 and typical[0] else ""
    return lines + ["", f"{span(values)} %, median {number(statistics.median(values))}{said}; for certain above 0 in {surely} of {len(costs)}. Published of the study's own sampler, another one at another rate: {PUBLISHED_SAMPLER}."]


def worst_set(figures):
    worst = figures["worst"]
    unit = worst["unit"].split("(")[0].split(".")
    return f"{'.'.join(unit[-2:])}: {number(worst['model_pct'])} for {interval(worst['measured_pct'])}"


def static(evaluation):
    """Where models believe the time to be, beside where it was measured."""
    header = ["program", ">judged, % of time", ">sets", ">again", "overlap, %, 95 %: cycles", "expected", "operations", "correlation, cycles", ">off by > 5 pt, % of judged time: cycles, expected, operations",
              "worst set by cycles: model, % for measured", ">plan by cycles off by, pt; by measuring", ">blocks", "overlap, %, blocks, cycles"]
    rows, nearer = [], []
    overlaps, blocks, off = ({model: [] for model in MODELS} for _ in range(3))
    for result, _, plan, name in evaluation.plans:
        models = {one["model"]: one for one in plan.get("static_cost", [])}
        if not set(MODELS) <= set(models):
            continue
        sets = {model: models[model]["sets"] for model in MODELS}
        single = {model: models[model]["blocks"] for model in MODELS}
        for model in MODELS:
            if sets[model]:
                overlaps[model].append((sets[model]["overlap_pct"]["value"], name))
                off[model].append(sets[model]["off_by_5_pt_pct"]["value"])
            if single[model]:
                blocks[model].append(single[model]["overlap_pct"]["value"])
        cycles, one = sets["cycles"], single["cycles"]
        of_sets = [str(plan["judged_sets"]), "-", "-", "-", "-", "-", "-", "-", "-"]
        if cycles:
            by_model, by_measuring = 2 * (100 - cycles["overlap_pct"]["value"]), plan["set_error_pt"]["value"]
            nearer.append(by_measuring < by_model)
            of_sets = [str(cycles["compared"]), number(cycles["again_pct"])]
            of_sets += [interval(sets[model]["overlap_pct"]) for model in MODELS]
            of_sets.append(correlation(cycles["correlation"]))
            of_sets.append(", ".join(value(sets[model]["off_by_5_pt_pct"], 0) for model in MODELS))
            of_sets.append(worst_set(cycles))
            of_sets.append(f"{number(by_model, 0)}; {number(by_measuring, 0)}")
        rows.append((result, [name, number(plan["judged_pct"]), *of_sets, str(one["compared"]) if one else "-", interval(one["overlap_pct"]) if one else "-"]))
    if not rows:
        return None
    lines = evaluation.of_result(header, rows) + [""]
    typical = {one["model"]: one for _, document in evaluation.documents for one in document.get("static_costs", [])} if len(evaluation.documents) == 1 else {}
    for model in MODELS:
        if not overlaps[model]:
            continue
        values = [overlap for overlap, _ in overlaps[model]]
        over = typical.get(model, {}).get("overlap_pct")
        said = f", typically {interval(over)} (pseudo-median)" if over else ""
        lines.append(
            f"- {model}: sets overlap by {number(min(values))} ({min(overlaps[model])[1]}) to {number(max(values))} % ({max(overlaps[model])[1]}), median {number(statistics.median(values))}{said}, "
            f"{len(values)} programs. In sets off by more than 5 points are {span(off[model], 0)} % of the judged time, median {number(statistics.median(off[model]), 0)}. Single blocks overlap by {span(blocks[model])} %, {len(blocks[model])} programs."
        )
    if nearer:
        lines.append(f"- The plan that was found by measuring is nearer to its target than one by cycles would be in {sum(nearer)} of {len(nearer)} programs.")
    return lines


def correlation(estimate):
    if estimate is None:
        return "-"
    low, high = ends(estimate)
    return f"{number(estimate['value'], 2)} ({number(low, 2)} to {number(high, 2)})"


def debug(evaluation):
    rows, ratios = [], []
    for result, program in evaluation.programs:
        info = program["debug_info"]
        if not info or not info["operations"]:
            continue
        name = short(program["program"])
        ratio = 100 * info["positioned"] / info["operations"]
        ratios.append((ratio, name))
        published = PUBLISHED.get(name)
        rows.append((result, [
            name,
            f"{info['units']:,}",
            f"{info['blocks']:,}",
            f"{info['operations']:,}",
            f"{info['positioned']:,}",
            number(ratio),
            str(published.units) if published else "-",
            str(published.blocks) if published else "-",
        ]))
    if not rows:
        return None
    header = ["program", ">units", ">blocks", ">instructions", ">with position", ">ratio, %", ">published: units", ">native blocks"]
    lines = evaluation.of_result(header, rows)
    least, most = min(ratios), max(ratios)
    return lines + ["", f"Ratios: {number(least[0])} % ({least[1]}) to {number(most[0])} % ({most[1]}), median {number(statistics.median(ratio for ratio, _ in ratios))}. Published: {PUBLISHED_RATIOS}."]


def shares(evaluation):
    rows = []
    for result, document in evaluation.documents:
        for one in document.get("share_changes", []):
            published = one["published"]
            worst = one["worst"]
            rows.append((result, [
                one["profiler"],
                str(one["target_pct"]),
                str(one["methods"]),
                correlation(one["correlation"]),
                str(one["off_by_5_pt"]),
                str(one["off_by_5_pt_corrected"]),
                f"{short(worst[0])}, {number(worst[2])}" if worst else "-",
                f"{published['correlation']}, {published['off_by_5_pt']}, {published['worst_pt']}" if published else "-",
            ]))
    header = ["profiler", ">slowed by, %", ">methods", "correlation, 95 %", ">off by > 5 pt", ">also with blocks' own slowdowns", "worst, pt", "published: correlation, off by > 5 pt, worst pt"]
    return evaluation.of_result(header, rows) if rows else None


def added(evaluation):
    rows = []
    for result, document in evaluation.documents:
        for one in document.get("added_time", []):
            published = one["published"]
            rows.append((result, [
                f"{one['profiler']}: {one['dosed']}",
                str(one["programs"]),
                f"{one['counted']} of {one['tried']}",
                interval(one["detected_pct"]),
                interval(one["grew_pct"]),
                interval(one["error_pt"]),
                f"{published['detected']} of {published['tried']}, {published['error_pt']}" if published else "-",
            ]))
    header = ["profiler", ">programs", ">count, of tried", "method shown, %, 95 %", "its share grew, %, 95 %", "off by, pt, 95 %", "published: shown, off by, pt"]
    return evaluation.of_result(header, rows) if rows else None


def share_programs(evaluation):
    """By how much the five hottest methods of each program move, when everything is slowed by the same factor."""
    rows = []
    for result, program in evaluation.programs:
        for profiler in program["profilers"]:
            for top in profiler["top"]:
                most = max(top["methods"], default=None, key=lambda one: abs(one["slowed_pct"]["value"] - one["normal_pct"]["value"]))
                rows.append((result, [
                    short(program["program"]),
                    profiler["name"],
                    str(top["target_pct"]),
                    str(len(top["methods"])),
                    *([method_name(most["method"]), interval(most["normal_pct"]), interval(most["slowed_pct"])] if most else ["-"] * 3),
                    str(top["off_by_5_pt"]),
                    str(top["off_by_5_pt_corrected"]),
                ]))
    header = ["program", "profiler", ">slowed by, %", ">methods", "moves most", "normal, %, 95 %", "slowed, %, 95 %", ">off by > 5 pt", ">remain"]
    return evaluation.of_result(header, rows) if rows else None


def method_name(method):
    return ".".join(method.split("(")[0].replace("/", ".").split(".")[-2:])


def singles(evaluation):
    """Blocks that were slowed alone, and whether the profiler's share grew by what the clock says."""
    rows = []
    for result, program in evaluation.programs:
        for profiler in program["profilers"]:
            if profiler["role"] != "subject":
                continue
            for one in profiler["singles"]:
                which = one["label"].split(" of ")[0]
                rows.append((result, [
                    short(program["program"]),
                    f"{method_name(one['method'])}, {which}",
                    profiler["name"],
                    interval(one["added_pct"]),
                    interval(one["before_pct"]),
                    interval(one["after_pct"]),
                    interval(one["predicted_pt"]),
                    interval(one["error_pt"]),
                    "yes" if one["counts"] else "no",
                ]))
    header = ["program", "slowed alone", "profiler", "program grew, %", "shown before, %", "after, %", "gain predicted, pt", "gain seen beyond, pt", "counts"]
    return evaluation.of_result(header, rows) if rows else None


def doses(evaluation):
    """The matrix by block doses: how much of the added time each profiler reports in the method that got it, and what it is called."""
    rows, truths, means, within = [], 0, [], [0, 0]
    wrong = collections.Counter()
    for result, program in evaluation.programs:
        block_doses = program.get("block_doses")
        if not block_doses or not block_doses.get("map"):
            continue
        called = {one["name"]: one["verdict"] for one in program["profilers"]}
        mean = block_doses["map"]["mean_in_place_pct"]
        truth = block_doses["map"]["called_truth"]
        truths += truth
        means.append((mean["value"], short(program["program"])))
        cells = [short(program["program"]), f"{interval(mean)}", "yes" if truth else "no"]
        for name in ("oracle", "safepoint", *sorted(set(called) - {"oracle", "safepoint"})):
            found = (block_doses["attribution"].get(name) or {}).get("rows", [])
            parts = [row["in_place_pct"]["value"] for row in found]
            if name == "oracle":
                within[0] += sum(95 <= part <= 105 for part in parts)
                within[1] += len(parts)
            wrong[name, called.get(name)] += 1
            right = sum(row["verdict"] == "right" for row in found)
            missed = sum(row["verdict"] == "wrong" for row in found)
            cells.append(f"{span(parts) if parts else '-'} ({right} right, {missed} wrong of {len(found)}); {called.get(name, '-')}")
        rows.append((result, cells))
    if not rows:
        return None
    names = sorted({one["name"] for _, program in evaluation.programs for one in program["profilers"]} - {"oracle", "safepoint"})
    header = ["program", "oracle: in place in the mean, %, 95 %", "called truth", *(f"{name}: in place, %; called" for name in ("oracle", "safepoint", *names))]
    said = ", ".join(f"{name} {verdict} in {count}" for (name, verdict), count in sorted(wrong.items(), key=str))
    return evaluation.of_result(header, rows) + ["", (
        f"The oracle is within 95 to 105 % in {within[0]} of {within[1]} rows; in the mean of a program {number(min(means)[0])} ({min(means)[1]}) to {number(max(means)[0])} % ({max(means)[1]}). "
        f"The block map is called truth in {truths} of {len(means)} programs. Verdicts in the laboratory: {said}."
    )]


def fresh(evaluation):
    rows, agree = [], 0
    for result, _, plan, name in evaluation.plans:
        one = plan.get("fresh")
        total = one and one["total"]
        if not total:
            continue
        agree += total["agrees"]
        rows.append((result, [
            name,
            interval(total["quick_pct"]),
            interval(total["fresh_pct"]),
            interval(total["bias_pt"]),
            "yes" if total["agrees"] else "**no**",
            "-" if one["spread_pt"] is None else number(one["spread_pt"]),
            f"{one['sets']['agree']} of {one['sets']['compared']}",
            "-" if one["fitted_pct"] is None else number(one["fitted_pct"]),
            str(one["pairs"]),
        ]))
    if not rows:
        return None
    header = ["program", "in the laboratory, %, 95 %", "in JVMs of their own, %, 95 %", "difference, pt, 95 %", "agree", ">spread of JVMs, pt", ">sets that agree", ">fitted, %", ">pairs of JVMs"]
    return evaluation.of_result(header, rows) + ["", f"{agree} of {len(rows)} totals agree."]


QUESTIONS = (
    ("summary", summary),
    ("slowing", slowing),
    ("beside", beside),
    ("sampler", sampler),
    ("static", static),
    ("debug", debug),
    ("shares", shares),
    ("share programs", share_programs),
    ("added", added),
    ("singles", singles),
    ("doses", doses),
    ("fresh", fresh),
)


def put(text, name, lines):
    """Replaces what stands between the marks of a table; none without marks."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    if text.count(begin) == 0 and text.count(end) == 0:
        return None
    if text.count(begin) != 1 or text.count(end) != 1:
        sys.exit(f"the README has marks {begin} and {end} more or less than once")
    head, rest = text.split(begin)
    return head + begin + "\n" + "\n".join(lines) + "\n" + end + rest.split(end)[1]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip())
    directories = collections.defaultdict(list)
    for path in map(Path, sys.argv[1:]):
        directories[path.resolve().parent].append(path)
    readme = HERE / "README.md"
    text = readme.read_text(encoding="utf-8")
    for directory, paths in directories.items():
        evaluation = Evaluation(directory.name, sorted(paths))
        made = [(question, of(evaluation)) for question, of in QUESTIONS]
        made = [(question, lines) for question, lines in made if lines]
        written = []
        for question, lines in made:
            replaced = put(text, f"{evaluation.name} {question}", lines)
            if replaced is not None:
                text = replaced
                written.append(question)
        if written:
            print(f"{evaluation.name}: written: {', '.join(written)}")
        else:
            print("\n\n".join(f"{question}\n\n" + "\n".join(lines) for question, lines in made))
    readme.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
