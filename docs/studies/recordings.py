"""What the tables of studies read of recordings that `proofmark study run` left. Needs Python 3.9, nothing else."""

import collections
import re
import statistics


def shares(path):
    """Part of the samples whose innermost Java method each method is, %; the interpreted and the compiled ones together."""
    weights = collections.Counter()
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        stack, _, weight = line.rpartition(" ")
        frames = [frame for frame in stack.split(";") if not frame.startswith("[")]
        java = [re.sub(r"_\[[0ijk]\]$", "", frame) for frame in frames if re.search(r"_\[[0ij]\]$", frame)]
        weights[short(java[-1]) if java else "no Java method"] += float(weight)
    total = sum(weights.values())
    return {method: 100 * weight / total for method, weight in weights.items()} if total else {}


def short(frame):
    """`com.acme.Main.run(I)V` -> `Main.run`: profilers do not all tell descriptors."""
    return ".".join(re.split(r"[./]", frame.split("(")[0])[-2:])


def late(run):
    """Median time of an iteration in the second half of a run, ms."""
    times = run["iterations_ms"]
    return statistics.median(times[len(times) // 2 :])


def place(study, run):
    """Where a recording is: its name is relative to the study, or to its recordings."""
    direct = study / run["file"]
    return direct if direct.exists() else study / "recordings" / run["file"]
