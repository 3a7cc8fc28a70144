#!/usr/bin/env python3
"""The tables of evaluations: table.py [--print] FILE... with files that `proofmark evaluate` left, evaluation.json or copies of it.

Files of one directory are one evaluation, and its name is the directory's (2026-11-25). A table is written into the README beside this
file where that has marks for it, `<!-- 2026-11-25 slowing -->`. Tables of an evaluation without any mark are printed; with --print all
are, and nothing is written. Needs Python 3.8, nothing else.
"""

import collections
import sys
from pathlib import Path

from tables.compiler import debug, sampler, static
from tables.evaluation import Evaluation
from tables.profilers import added, doses, fresh, share_programs, shares, singles
from tables.slowing import beside, slowing, summary
from tables.targets import target_summary, targets

HERE = Path(__file__).resolve().parent


QUESTIONS = (
    ("summary", summary),
    ("target summary", target_summary),
    ("targets", targets),
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


def made(evaluation):
    """All tables that it has figures for, by question."""
    tables = [(question, of(evaluation)) for question, of in QUESTIONS]
    return [(question, lines) for question, lines in tables if lines]


def main():
    only_print = sys.argv[1:2] == ["--print"]
    files = sys.argv[2:] if only_print else sys.argv[1:]
    if not files:
        sys.exit(__doc__.strip())
    directories = collections.defaultdict(list)
    for path in map(Path, files):
        directories[path.resolve().parent].append(path)
    readme = HERE / "README.md"
    before = text = readme.read_text(encoding="utf-8")
    for directory, paths in directories.items():
        evaluation = Evaluation(directory.name, sorted(paths))
        tables, written = made(evaluation), []
        for question, lines in tables:
            replaced = None if only_print else put(text, f"{evaluation.name} {question}", lines)
            if replaced is not None:
                text = replaced
                written.append(question)
        if written:
            print(f"{evaluation.name}: written: {', '.join(written)}")
        else:
            print("\n\n".join([f"# {evaluation.name}", *(f"{question}\n\n" + "\n".join(lines) for question, lines in tables)]))
    if text != before:
        readme.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
