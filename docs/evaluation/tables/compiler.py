"""What our sampler costs, what static cost models say, and how much of the code knows its source position."""

import statistics

from .published import PUBLISHED, PUBLISHED_RATIOS, PUBLISHED_SAMPLER
from .text import correlation, ends, interval, number, short, span, value

MODELS = ("cycles", "expected", "operations")


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
