"""What profilers show in the laboratory, and plans in JVMs of their own."""

import collections

from .text import correlation, interval, method_name, number, short, span


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
