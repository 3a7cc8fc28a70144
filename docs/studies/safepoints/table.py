#!/usr/bin/env python3
"""Figures and table of this study: table.py STUDY RESULT.json, where `proofmark study run` left its recordings.

Writes RESULT.json, and the table into the README beside this file, between its marks. Needs Python 3.9, nothing else.
"""

import json
import random
import re
import statistics
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from recordings import late, place, shares

WITH, WITHOUT = " with polls", " without polls"
DRAWS = 1000


def mean(runs):
    """Mean share of every method over runs."""
    methods = {method for run in runs for method in run}
    return {method: statistics.fmean(run.get(method, 0.0) for run in runs) for method in methods}


def moved(one, other):
    """Sum over methods of |change of share|, points, and the method whose share changed most."""
    change = {method: other.get(method, 0.0) - one.get(method, 0.0) for method in {*one, *other}}
    most = max(change, key=lambda method: abs(change[method]))
    return sum(map(abs, change.values())), most


def quantile(values, part):
    values = sorted(values)
    place = part * (len(values) - 1)
    low = int(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (place - low) * (values[high] - values[low])


def compared(with_polls, without, numbers):
    """What polls change, and what differs between runs with polls by itself."""
    before, after = mean(with_polls), mean(without)
    value, most = moved(before, after)
    drawn = lambda runs: [numbers.choice(runs) for _ in runs]
    draws = [moved(mean(drawn(with_polls)), mean(drawn(without)))[0] for _ in range(DRAWS)]
    alone = []
    for _ in range(200):
        mixed = numbers.sample(with_polls, len(with_polls))
        half = len(mixed) // 2
        alone.append(moved(mean(mixed[:half]), mean(mixed[half:]))[0])
    # Draws have the noise once more: what they are above the value is taken off the lower end.
    above = max(statistics.fmean(draws) - value, 0.0)
    return {
        "moved_pt": {"value": value, "low": max(min(quantile(draws, 0.025) - 2 * above, value), 0.0), "high": max(quantile(draws, 0.975), value), "n": len(with_polls) + len(without)},
        "alone_pt": statistics.fmean(alone),
        "most": {"method": most, "with_pct": before.get(most, 0.0), "without_pct": after.get(most, 0.0)},
        "shares": {method: [before.get(method, 0.0), after.get(method, 0.0)] for method in {*before, *after} if max(before.get(method, 0.0), after.get(method, 0.0)) >= 1},
    }


def table(result):
    head = "| program | profiler | sum of changes, points (95 %) | between runs alone, at most | most moved | with polls, % | without, % |"
    rows = [head, "| --- | --- | --- | ---: | --- | ---: | ---: |"]
    for row in result["rows"]:
        of, most = row["moved_pt"], row["most"]
        rows.append(
            f"| {row['program']} | {row['profiler']} | {of['value']:.1f} ({of['low']:.1f} to {of['high']:.1f}) | {row['alone_pt']:.1f} "
            f"| {most['method']} | {most['with_pct']:.1f} | {most['without_pct']:.1f} |"
        )
    lines = [f"{one['program']}: {one['with_ms']:.2f} ms with polls, {one['without_ms']:.2f} ms without" for one in result["times"]]
    return "\n".join([*rows, "", "Iterations without a profiler (median of the second half of a run, median over runs): " + "; ".join(lines) + "."])


def main():
    study, target = Path(sys.argv[1]), Path(sys.argv[2])
    numbers = random.Random(1)
    known = {}
    for line in (study / "runs.jsonl").read_text(encoding="utf-8").splitlines():
        run = json.loads(line)
        known[run["program"], run["profiler"], run["run"]] = run
    good = [run for run in known.values() if not run["failure"]]
    programs = sorted({run["program"].removesuffix(WITH) for run in good if run["program"].endswith(WITH)})
    profilers = sorted({run["profiler"] for run in good if run["file"]})
    rows, times = [], []
    for program in programs:
        of = lambda polls, profiler: [run for run in good if (run["program"], run["profiler"]) == (program + polls, profiler)]
        for profiler in profilers:
            sides = [[shares(place(study, run)) for run in of(polls, profiler) if run["file"]] for polls in (WITH, WITHOUT)]
            sides = [[run for run in side if run] for side in sides]
            if min(map(len, sides)) >= 2:
                rows.append({"program": program, "profiler": profiler, **compared(*sides, numbers)})
        plain = [[late(run) for run in good if run["program"] == program + polls and not run["file"]] for polls in (WITH, WITHOUT)]
        if all(plain):
            times.append({"program": program, "with_ms": statistics.median(plain[0]), "without_ms": statistics.median(plain[1])})
    result = {"failed": len(known) - len(good), "rows": rows, "times": times}
    target.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    readme = HERE / "README.md"
    text = readme.read_text(encoding="utf-8")
    body = f"Results: [{target.name}]({target.name}); {result['failed']} runs failed.\n\n{table(result)}"
    marked = re.compile(r"(<!-- table -->\n).*?(<!-- /table -->)", re.DOTALL)
    readme.write_text(marked.sub(lambda found: f"{found.group(1)}\n{body}\n\n{found.group(2)}", text), encoding="utf-8")
    print(body)


if __name__ == "__main__":
    main()
