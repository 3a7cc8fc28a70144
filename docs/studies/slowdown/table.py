#!/usr/bin/env python3
"""Figures and tables of this study: table.py WORK RESULT.json TURNS..., where study.sh left its logs.

Writes RESULT.json, and the tables into the README beside this file where it has marks for RESULT; prints them in any case. Needs Python 3.8, nothing else.
"""

import collections
import json
import math
import re
import statistics
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Student's t, two-sided 95 %, by degrees of freedom.
T95 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131)
# Lines of -XX:+PrintCompilation (without tiers) and of -XX:+PrintInlining.
COMPILED = re.compile(r"^\s*\d+\s+(\d+)\s+([%sb!n ]*?)\s*(proofmark\.suite\.[\w.$]+)::([\w<>$]+)( @ -?\d+)? \(\d+ bytes\)(.*)$")
INLINING = re.compile(r"^\s+[sbn! ]*@ -?\d+\s+(\S+::\S+)(?: \(\d+ bytes\))?\s*(.*)$")
CODE = re.compile(r"^@code (before|after) (\d+) -?\d+ (-?\d+) (\S+) \[(0x[0-9a-f]+), (0x[0-9a-f]+) - (0x[0-9a-f]+)\]")


def estimate(values, scale=1.0):
    """Mean with Student's interval over processes."""
    values = [value * scale for value in values]
    mean = statistics.fmean(values)
    if len(values) < 2:
        return {"value": mean, "low": None, "high": None, "n": len(values)}
    half = T95[min(len(values) - 1, len(T95)) - 1] * statistics.stdev(values) / math.sqrt(len(values))
    return {"value": mean, "low": mean - half, "high": mean + half, "n": len(values)}


def kind(said):
    """What became of a call: inlined, or why not, without numbers."""
    said = said.strip()
    if re.match(r"\(?(force )?inline|accessor|\(intrinsic\)|intrinsic", said) or "inline succeeded" in said:
        return "inlined"
    return re.sub(r"\s+", " ", re.sub(r"[0-9]+(\.[0-9]+)?", "", said)).strip()


class Log:
    """What one process said."""

    def __init__(self, path):
        self.windows = collections.defaultdict(list)
        self.code = {"before": {}, "after": {}}
        self.calls = 0
        self.compiled_while_measuring = 0
        decisions, root, measuring = {}, None, False
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("@"):
                root = None
                self.told(line)
                measuring = {"@measuring": True, "@measured": False}.get(line.strip(), measuring)
                continue
            compiled = COMPILED.match(line)
            if compiled:
                _, flags, holder, name, osr, rest = compiled.groups()
                root = None
                if "made not entrant" in rest:
                    continue
                self.compiled_while_measuring += measuring
                if not osr and "%" not in flags:
                    root = f"{holder}.{name}"
                    decisions[root] = collections.Counter()
                continue
            inlining = INLINING.match(line)
            if inlining and root is not None:
                decisions[root][(inlining.group(1), kind(inlining.group(2)))] += 1
            elif not inlining:
                root = None
        # A compiled method is a decision too.
        self.decisions = collections.Counter(
            {(root, callee, what): n for root, of in decisions.items() for (callee, what), n in of.items()}
        )
        self.decisions.update({(root, "", "compiled"): 1 for root in decisions})

    def told(self, line):
        words = line.split()
        if words[0] == "@window":
            self.windows[int(words[1])].append(float(words[2]))
        elif words[0] == "@calls":
            self.calls = int(words[1])
        code = CODE.match(line)
        if code:
            when, number, state, method, _, begin, end = code.groups()
            if state in ("0", "1"):
                self.code[when][number] = (method, begin, int(end, 16) - int(begin, 16))

    def ns(self, turns=0):
        """CPU time of an iteration: the median window, because neighbours take time and give none."""
        return statistics.median(self.windows[turns])

    def bytes(self):
        return sum(size for _, _, size in self.code["before"].values())

    def same_code(self):
        """Whether the same machine code stood at the same addresses behind all windows; none if the JVM does not tell."""
        return self.code["before"] == self.code["after"] if self.code["before"] else None


def changed(one, other):
    """Decisions of the compiler that are only in one of two processes."""
    return sum(((one.decisions - other.decisions) + (other.decisions - one.decisions)).values())


def examples(plain, slowed, most=4):
    """Some calls of which something else became, most often met first."""
    all_of = collections.Counter()
    for before, after in zip(plain, slowed):
        for root, callee, what in (after.decisions - before.decisions):
            all_of[f"{root} -> {callee or 'itself'}: {what}"] += 1
    return [text for text, _ in all_of.most_common(most)]


def row(form, turns, added, logs, plain):
    return {
        "form": form,
        "turns": turns,
        "added_ns": estimate(added),
        "decisions_changed": estimate([changed(one, base) for one, base in zip(logs, plain)]),
        "code_bytes": estimate([one.bytes() for one in logs]),
        "examples": examples(plain, logs),
    }


def of_method(place, turns):
    """All figures of one method."""
    rounds = sorted(int(path.stem.split("-")[1]) for path in place.glob("plain-*.log"))

    def logs(variant):
        return [Log(place / f"{variant}-{number}.log") for number in rounds]

    calls = Log(place / "count-1.log").calls
    plain, dose = logs("plain"), logs("dose")
    rows, by_form = [], {}
    for form in ("dropped", "kept"):
        for n in turns:
            slowed = logs(f"{form}-{n}")
            added = [(one.ns() - base.ns()) / calls for one, base in zip(slowed, plain)]
            by_form.setdefault(form, []).append(added)
            rows.append(row(form, n, added, slowed, plain))
    rest = [(one.ns() - base.ns()) / calls for one, base in zip(dose, plain)]
    rows.append(row("dose at rest", 0, rest, dose, plain))
    for n in turns:
        added = [(one.ns(n) - one.ns()) / calls for one in dose]
        by_form.setdefault("dose", []).append(added)
        rows.append({"form": "dose", "turns": n, "added_ns": estimate(added)})
    same = [one.same_code() for one in dose]
    return {
        "method": place.name,
        "program": (place / "program").read_text(encoding="utf-8").split()[0],
        "calls_per_iteration": calls,
        "plain_ns": estimate([one.ns() for one in plain]),
        "plain_decisions": estimate([sum(one.decisions.values()) for one in plain]),
        "plain_against_plain": estimate([changed(a, b) for a, b in zip(plain, plain[1:] + plain[:1])]),
        "plain_code_bytes": estimate([one.bytes() for one in plain]),
        "rows": rows,
        "turn_ns": {form: per_turn(added, turns) for form, added in by_form.items()},
        "dose_compiled_while_measuring": sum(one.compiled_while_measuring for one in dose),
        "dose_same_code": None if None in same else all(same),
    }


def per_turn(added, turns):
    """Time that a turn more adds, ns, between neighbouring numbers of turns, from none to the first too; by rounds."""
    steps = [0, *turns]
    added = [[0.0] * len(added[0]), *added]
    pairs = zip(added, added[1:], steps, steps[1:])
    return [estimate([(b - a) / (to - start) for a, b in zip(less, more)]) for less, more, start, to in pairs]


def number(value):
    if value is None:
        return "?"
    return f"{value:.2f}" if abs(value) < 9.95 else f"{value:.1f}" if abs(value) < 99.95 else f"{value:.0f}"


def interval(of):
    return f"{number(of['value'])} ({number(of['low'])} to {number(of['high'])})"


def find(method, form, turns):
    return next(one for one in method["rows"] if (one["form"], one["turns"]) == (form, turns))


def times(result):
    """Time added per execution of the method."""
    turns = result["turns"]
    head = ["method", "form"] + [f"{n} turns, ns" for n in turns] + [f"a turn more, to {n}" for n in turns]
    rows = []
    for method in result["methods"]:
        for form in ("dropped", "kept", "dose"):
            added = [interval(find(method, form, n)["added_ns"]) for n in turns]
            steps = [interval(step) for step in method["turn_ns"][form]]
            rows.append([f"{method['program']}.{method['method']}", form, *added, *steps])
    return table(head, rows)


def compiler(result):
    """What the compiler did otherwise."""
    last = result["turns"][-1]
    head = ["method", "decisions", "plain again", "dropped", "kept", "dose at rest", "between doses", "code of plain, bytes", "dropped", "kept", "dose"]
    rows = []
    for method in result["methods"]:
        kinds = [find(method, form, turns) for form, turns in (("dropped", last), ("kept", last), ("dose at rest", 0))]
        same = {True: "0, the same code", False: "compiled anew", None: "not told"}[method["dose_same_code"]]
        rows.append(
            [f"{method['program']}.{method['method']}", number(method["plain_decisions"]["value"]), number(method["plain_against_plain"]["value"])]
            + [number(one["decisions_changed"]["value"]) for one in kinds]
            + [f"{same}; {method['dose_compiled_while_measuring']} compiled", f"{method['plain_code_bytes']['value']:.0f}"]
            + [f"{one['code_bytes']['value']:.0f}" for one in kinds]
        )
    return table(head, rows)


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def written(text, mark, body):
    """The text between `<!-- mark -->` and `<!-- /mark -->` replaced, where there are such marks."""
    pattern = re.compile(rf"(<!-- {mark} -->\n).*?(<!-- /{mark} -->)", re.DOTALL)
    return pattern.sub(lambda found: f"{found.group(1)}\n{body}\n\n{found.group(2)}", text)


def main():
    work, target, turns = Path(sys.argv[1]), Path(sys.argv[2]), [int(word) for word in sys.argv[3:]]
    places = sorted(path.parent for path in work.glob("*/program"))
    result = {
        "java": (work / "java.txt").read_text(encoding="utf-8").splitlines()[0],
        "turns": turns,
        "methods": [of_method(place, turns) for place in places],
    }
    target.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    readme = HERE / "README.md"
    text = readme.read_text(encoding="utf-8")
    said = f"Results: [{target.name}]({target.name}), {result['java']}, {result['methods'][0]['plain_ns']['n']} processes of every variant; 95 % intervals over them."
    text = written(text, f"{target.stem} times", f"{said}\n\n{times(result)}")
    text = written(text, f"{target.stem} compiler", compiler(result))
    readme.write_text(text, encoding="utf-8")
    print(times(result), compiler(result), sep="\n\n")


if __name__ == "__main__":
    main()
