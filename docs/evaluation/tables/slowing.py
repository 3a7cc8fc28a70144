"""Is a program slowed as asked, and what is missing of what is wanted?"""

import math
import statistics

from .published import (
    ALL, HALF_WIDTH, JUDGED, LOOPS, MEDIAN_SETS, MINUTES, MOST_PLANS, MOST_SETS, PUBLISHED, PUBLISHED_TARGETS, SUM_PLANS, TOTAL, WITHIN_10,
)
from .text import half_width, interval, minutes, number, span, table, value, with_n


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
            with_n(plan["overhead_pct"]),
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
    return overhead is not None and abs(overhead["value"] - plan["target_pct"]) <= TOTAL and half_width(overhead) <= HALF_WIDTH


def beyond(value, limit):
    """With so many digits that it is seen to be beyond the limit."""
    return number(value, next((digits for digits in (1, 2, 3) if float(number(value, digits)) != limit), 4))


def lacks(plan):
    """What is wanted of a plan and is not there."""
    overhead, within, loops = plan["overhead_pct"], plan["within_10_pt_pct"], plan["loop_error_pt"]
    if overhead is None:
        yield "no total"
        return
    if abs(overhead["value"] - plan["target_pct"]) > TOTAL:
        yield f"total {beyond(overhead['value'], plan['target_pct'] + math.copysign(TOTAL, overhead['value'] - plan['target_pct']))} %"
    if half_width(overhead) > HALF_WIDTH:
        yield f"total known to {beyond(half_width(overhead), HALF_WIDTH)} pt"
    if plan["set_error_pt"] and plan["set_error_pt"]["value"] > MOST_SETS:
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
