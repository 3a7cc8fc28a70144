#!/usr/bin/env python3
"""Figures and table of this study: table.py DIRECTORY RESULT.json, where study.sh left its recordings.

Writes RESULT.json, and the table into the README beside this file, between its marks. Needs Python 3.9, nothing else.
"""

import collections
import json
import re
import statistics
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from recordings import late, place, shares

# Of each program the method where the time is, and the one that boxes.
METHODS = {"Boxed": ("Boxed.mix", "Boxed.order"), "Beside": ("Beside.mix", "Beside.look")}
KINDS = {"with": "as it is", "without": "`-XX:-EliminateAutoBox`"}


def spread(values):
    """Mean, least and greatest over JVMs."""
    return {"mean": statistics.fmean(values), "least": min(values), "greatest": max(values), "n": len(values)}


def of_java(directory):
    """Rows of one version of Java."""
    known = {}
    for line in (directory / "runs.jsonl").read_text(encoding="utf-8").splitlines():
        run = json.loads(line)
        known[run["program"], run["profiler"], run["run"]] = run
    good = [run for run in known.values() if not run["failure"]]
    rows = []
    for program, (works, boxes) in METHODS.items():
        for kind in KINDS:
            runs = [run for run in good if run["program"] == f"{program} {kind}"]
            truth = json.loads((directory.parent / f"{directory.name}-{program}-{kind}.json").read_text(encoding="utf-8"))
            profiled = collections.defaultdict(list)
            for run in runs:
                if run["file"]:
                    profiled[run["profiler"]].append(shares(place(directory, run)))
            rows.append(
                {
                    "java": directory.name,
                    "program": program,
                    "kind": kind,
                    "clock_pct": truth["pct"],
                    "iteration_ms": spread([late(run) for run in runs if not run["file"]]),
                    "shown": {
                        profiler: {method: spread([one.get(method, 0.0) for one in all_runs]) for method in (works, boxes)}
                        for profiler, all_runs in sorted(profiled.items())
                    },
                }
            )
    return rows, len(known) - len(good)


def said(of, digits=1):
    return f"{of['mean']:.{digits}f} ({of['least']:.{digits}f} to {of['greatest']:.{digits}f})"


def table(result):
    lines = [
        "| Java | program | JVM | its `mix` by the clock at least, % (95 %) | profiler | `mix`, % (least to greatest JVM) | the method that boxes, % | iteration, ms |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in result["rows"]:
        works, boxes = METHODS[row["program"]]
        clock = row["clock_pct"]
        for profiler, shown in row["shown"].items():
            lines.append(
                f"| {row['java']} | {row['program']} | {KINDS[row['kind']]} | {clock['value']:.1f} ({clock['low']:.1f} to {clock['high']:.1f}) "
                f"| {profiler} | {said(shown[works])} | `{boxes.split('.')[1]}` {said(shown[boxes])} | {said(row['iteration_ms'], 2)} |"
            )
    return "\n".join(lines)


def main():
    work, target = Path(sys.argv[1]), Path(sys.argv[2])
    rows, failed = [], 0
    for directory in sorted(path.parent for path in work.glob("*/runs.jsonl")):
        of_it, not_good = of_java(directory)
        rows += of_it
        failed += not_good
    result = {"failed": failed, "rows": rows}
    target.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    readme = HERE / "README.md"
    text = readme.read_text(encoding="utf-8")
    body = f"Results: [{target.name}]({target.name}); {failed} runs failed.\n\n{table(result)}"
    marked = re.compile(r"(<!-- table -->\n).*?(<!-- /table -->)", re.DOTALL)
    readme.write_text(marked.sub(lambda found: f"{found.group(1)}\n{body}\n\n{found.group(2)}", text), encoding="utf-8")
    print(body)


if __name__ == "__main__":
    main()
