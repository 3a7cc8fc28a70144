#!/usr/bin/env python3
"""Every pair of windows of an evaluation: pairs.py STEPS [MS]. STEPS: steps.jsonl of a program, which `evaluate --out` leaves.

A pair is an iteration's CPU time, ms, as the program is and slowed, and how much longer it takes, %. MS tells two speeds of the machine
apart, by the iteration of the program as it is: medians and quartiles of both. Needs Python 3.8, nothing else.
"""

import json
import statistics
import sys


def ms(window):
    return window["cpu_ns"] / window["iterations"] / 1e6


def evaluations(path):
    """Target -> pairs of windows that were not sampled, in the order in which they were measured."""
    found = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            step = json.loads(line)
            measured = step["result"].get("Measured", {}) if isinstance(step["result"], dict) else {}
            if measured.get("part") != "Evaluation":
                continue
            sides = [[ms(one) for one in measured["round"][side] if not one["sampled"]] for side in ("baseline", "slowed")]
            found.setdefault(step["name"].split()[1], []).extend(zip(*sides))
    return found


def longer(pairs):
    return [100 * (slowed / before - 1) for before, slowed in pairs]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip())
    for target, pairs in evaluations(sys.argv[1]).items():
        print(f"asked {target} %, {len(pairs)} pairs")
        print("  " + ", ".join(f"{before:.1f} {slowed:.1f} {each:.0f}" for (before, slowed), each in zip(pairs, longer(pairs))))
        limit = float(sys.argv[2]) if len(sys.argv) > 2 else None
        for said, chosen in (("up to", [one for one in pairs if limit and one[0] <= limit]), ("above", [one for one in pairs if limit and one[0] > limit])):
            if len(chosen) > 1:
                low, middle, high = statistics.quantiles(longer(chosen), n=4)
                print(f"  {said} {limit} ms: {len(chosen)} pairs, longer by {middle:.1f} % (quartiles {low:.1f} to {high:.1f})")


if __name__ == "__main__":
    main()
