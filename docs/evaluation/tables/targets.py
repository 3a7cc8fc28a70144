"""A row for each program and target, and for each target what is wanted of the total beside what was reached."""

import statistics

from .published import ALL, HALF_WIDTH, JUDGED, LOOPS, PUBLISHED, PUBLISHED_TARGETS, TOTAL, WITHIN_10
from .slowing import disturbed, lacks, wanted_total
from .text import half_width, interval, minutes, number, short, table, value, with_n


def published_total(program, target):
    """What the study reached, %; none where it is not published."""
    known = program in PUBLISHED and target in PUBLISHED_TARGETS
    return PUBLISHED[program].totals[PUBLISHED_TARGETS.index(target)] if known else None


def name_of(one):
    return short(one.program["program"])


def loops(plan):
    """By how much loops are off, and by how much they differ from all judged code together."""
    apart = plan.get("loop_apart_pt")
    return value(plan["loop_error_pt"]) + (f" ({value(apart)})" if apart else "")


def targets(evaluation):
    if all(one.plan["target_pct"] == 100 for one in evaluation.plans):
        return None
    header = ["program", ">slowed by, %", ">plans", ">min", "program, %, 95 % (n: pairs of windows)", ">published", ">sets", "sets off by, pt, 95 % (noise)", ">worst, pt",
              ">within 10 pt, %", ">loops off by (apart), pt", ">judged, % of time", ">disturbed pairs", "falls short in"]
    rows = []
    for one in evaluation.plans:
        plan = one.plan
        total = published_total(name_of(one), plan["target_pct"])
        rows.append((one.result, [
            name_of(one),
            f"{plan['target_pct']:g}",
            str(plan["plans_tried"]),
            minutes(plan["wall_s"]),
            with_n(plan["overhead_pct"]),
            "-" if total is None else number(total),
            str(plan["judged_sets"]),
            f"{interval(plan['set_error_pt'])} ({value(plan['noise_pt'])})",
            value(plan["worst_pt"], 0),
            value(plan["within_10_pt_pct"], 0),
            loops(plan),
            number(plan["judged_pct"]),
            disturbed(plan),
            ", ".join(lacks(plan)) or "nothing",
        ]))
    notes = evaluation.failed() + not_measured(evaluation)
    return evaluation.of_result(header, rows) + (["", *notes] if notes else [])


def not_measured(evaluation):
    """Programs of the study without a plan, for each target; said once where that is the same for all."""
    missing = {}
    for target in sorted({one.plan["target_pct"] for one in evaluation.plans}):
        there = {name_of(one) for one in evaluation.plans if one.plan["target_pct"] == target}
        missing.setdefault(", ".join(sorted(set(PUBLISHED) - there)), []).append(f"+{target:g} %")
    return [f"- Not measured at {' and '.join(at)}: {names}." for names, at in missing.items() if names]


def of_target(target, found):
    """The row of a target. `found`: its plans."""
    plans = [one.plan for one in found]
    totals = [(abs(one.plan["overhead_pct"]["value"] - target), half_width(one.plan["overhead_pct"]), name_of(one), one.plan["overhead_pct"]["value"]) for one in found if one.plan["overhead_pct"]]
    both = sum(wanted_total(plan) for plan in plans)
    held = "**no**" if both < len(plans) else "yes" if both == ALL else "so far"
    miss, _, worst, reached = max(totals, default=(0.0, 0.0, "-", target))
    widest = max(((width, name) for _, width, name, _ in totals), default=(0.0, "-"))
    published = [(abs(total - target), name, total) for name, total in ((name, published_total(name, target)) for name in PUBLISHED) if total is not None]
    sets = [plan["set_error_pt"]["value"] for plan in plans if plan["set_error_pt"] and plan["judged_sets"] > 1]

    def count(figure, holds):
        values = [plan[figure]["value"] for plan in plans if plan[figure]]
        return f"{sum(map(holds, values))} of {len(values)}"

    return [
        f"+{target:g} %",
        f"{len(plans)} of {ALL}",
        f"{sum(plan['plans_tried'] for plan in plans)}, {max(plan['plans_tried'] for plan in plans)}",
        minutes(sum(plan["wall_s"] for plan in plans)),
        str(sum(gap <= TOTAL for gap, *_ in totals)),
        str(sum(width <= HALF_WIDTH for _, width, *_ in totals)),
        held,
        f"{number(statistics.median(gap for gap, *_ in totals)) if totals else '-'}; {number(miss)} ({worst}, {number(reached)} %)",
        f"±{number(widest[0])} ({widest[1]})",
        f"{sum(gap <= TOTAL for gap, *_ in published)} of {len(published)}; {max(published)[1]}, {number(max(published)[2])} %" if published else "-",
        f"{number(statistics.median(sets))}, {number(max(sets))} ({len(sets)})" if sets else "-",
        count("within_10_pt_pct", lambda part: part >= WITHIN_10),
        count("loop_error_pt", lambda off: off <= LOOPS),
        f"{sum(plan['judged_pct'] >= JUDGED for plan in plans)} of {len(plans)}",
        f"{sum(plan.get('disturbed_pairs') or 0 for plan in plans)} of {sum(plan.get('window_pairs') or 0 for plan in plans)}",
        str(sum(not list(lacks(plan)) for plan in plans)),
    ]


def target_summary(evaluation):
    """What is wanted of the total, and what was reached, for each target."""
    wanted = sorted({one.plan["target_pct"] for one in evaluation.plans})
    if not wanted or wanted == [100.0]:
        return None
    header = ["slowed by", ">programs", ">plans, most", ">min", f">total within {TOTAL:.0f} pt", f">known to {HALF_WIDTH:.0f}", "both held", "total misses by, pt: median; worst", "widest interval, pt",
              f"published: within {TOTAL:.0f} pt; farthest", ">sets off by, pt: median, worst (programs of several)", f">{WITHIN_10:.0f} % within 10 pt", f">loops within {LOOPS:.0f} pt",
              f">{JUDGED:.0f} % judged", ">disturbed pairs", ">nothing falls short"]
    rows = [of_target(target, [one for one in evaluation.plans if one.plan["target_pct"] == target]) for target in wanted]
    needed = sum(program["wall_s"] for _, program in evaluation.programs)
    said = [f"All of it, starting JVMs included, took {minutes(needed)} minutes on {'; '.join(evaluation.machines())}."]
    if evaluation.links():
        said.append(f"Result: {evaluation.links()}.")
    return table(header, rows) + ["", " ".join(said)]
