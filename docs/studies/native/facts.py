#!/usr/bin/env python3
"""What study.sh and divine.sh ask of programs (Python, standard library, objcopy). Results are JSON on standard output."""

import json
import math
import os
import random
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import threading

MAGIC = 0x3145534F444D5250
# Student's t, 97.5 %, by degrees of freedom; in between the next smaller one.
T = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 9: 2.262, 14: 2.145, 19: 2.093, 29: 2.045, 39: 2.023, 59: 2.001}
# Most functions whose dose is tried on the output.
MOST = 500
# Longest that a run of a program may take, s: one that hangs is ended and differs from the others.
LONGEST_S = 600


def section(program, name):
    """The bytes of a section; empty where there is none."""
    with tempfile.TemporaryDirectory() as place:
        file = os.path.join(place, "section")
        words = ["objcopy", f"--dump-section={name}={file}", program, os.path.join(place, "copy")]
        subprocess.run(words, check=False, stderr=subprocess.DEVNULL)
        return open(file, "rb").read() if os.path.exists(file) else b""


def keys(program):
    """By what each function is asked for."""
    return [entry[0] for entry in struct.iter_unpack("<QiiiiII", section(program, "proofmark_sites"))]


def sites(program):
    """Number of sites and of functions, and functions that were left alone, by reason."""
    all_keys = keys(program)
    texts = section(program, "proofmark_left").split(b"\0")
    left = {}
    for reason in texts[1::2]:
        reason = reason.decode("utf-8", "replace")
        left[reason] = left.get(reason, 0) + 1
    return {"sites": len(all_keys), "functions": len(set(all_keys)), "left_alone": left}


def key_of(function):
    """FNV-1a, 64 bits."""
    value = 0xCBF29CE484222325
    for byte in function.encode():
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def write_dose(file, key, turns):
    with open(file, "wb") as out:
        out.write(struct.pack("<QQII", MAGIC, key, turns, 0))


def obeyed(file):
    return struct.unpack("<I", open(file, "rb").read()[20:24])[0]


def run(program, arguments, dose=None):
    """Output and exit status, and CPU time in seconds."""
    environment = dict(os.environ)
    environment.pop("PROOFMARK_DOSES", None)
    if dose:
        environment["PROOFMARK_DOSES"] = dose
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(
            [os.path.abspath(program), *arguments], stdin=subprocess.DEVNULL, stdout=out, stderr=err, env=environment
        )
        limit = threading.Timer(LONGEST_S, os.kill, (process.pid, signal.SIGKILL))
        limit.daemon = True
        limit.start()
        _, status, usage = os.wait4(process.pid, 0)
        limit.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return (process.returncode, out.read(), err.read()), usage.ru_utime + usage.ru_stime


def same(plain, sited, arguments):
    """Whether a dose changes what the program puts out: a turn in each function, or in some of many."""
    expected, _ = run(plain, arguments)
    all_keys = sorted(set(keys(sited)))
    tried = all_keys if len(all_keys) <= MOST else random.Random(1).sample(all_keys, MOST)
    different, took = 0, 0
    with tempfile.TemporaryDirectory() as place:
        dose = os.path.join(place, "dose")
        for key in [None, *tried]:
            if key is not None:
                write_dose(dose, key, 1)
            found, _ = run(sited, arguments, dose if key is not None else None)
            different += found != expected
            took += key is not None and obeyed(dose) > 0
    return {"functions": len(all_keys), "tried": len(tried), "took_the_dose": took, "different": different}


def cost(pairs, plain, sited, arguments):
    """CPU time with sites at rest relative to that without, %: pairs of runs in random order, all kept."""
    if pairs < 2:
        sys.exit("costs need two pairs of runs or more")
    dice, found = random.Random(1), []
    expected, _ = run(plain, arguments)

    def timed(program):
        seen, seconds = run(program, arguments)
        # The time of one that fails, or does something else, says nothing.
        if seen != expected:
            sys.exit(f"{program}: status {seen[0]}, or its output is not that of the first run of {plain} (status {expected[0]})")
        return seconds

    timed(sited)
    for _ in range(pairs):
        order = [plain, sited]
        dice.shuffle(order)
        seconds = {program: timed(program) for program in order}
        found.append([seconds[plain], seconds[sited]])
    logs = [math.log(sited_s / plain_s) for plain_s, sited_s in found]
    mean, spread = statistics.mean(logs), statistics.stdev(logs)
    dof = max(known for known in T if known <= pairs - 1)
    half = T[dof] * spread / math.sqrt(pairs)
    pct = [100 * (math.exp(value) - 1) for value in (mean, mean - half, mean + half)]
    return {"pct": pct[0], "low": pct[1], "high": pct[2], "n": pairs, "pairs_s": found}


def hottest(matrix):
    return json.load(open(matrix))["methods"][0]["name"]


def tests(rest, dosed, dose, matrix):
    """Exit statuses of the test suite, and what it says at its ends."""
    last = {}
    for kind in ("rest", "dose"):
        lines = open(f"tests.{kind}.txt", errors="replace").read().strip().splitlines()
        results = [line for line in lines if line.startswith("test result:")]
        last[kind] = results or lines[-3:]
    return {
        "status_at_rest": int(rest),
        "status_under_dose": int(dosed),
        "dose": {"function": hottest(matrix), "turns": 5, "sites_that_took_it": obeyed(dose)},
        "says": last,
    }


def join(name, place):
    """All results of a program."""
    whole = {"name": name}
    for part in ("sites", "same", "cost", "tests", "matrix"):
        file = os.path.join(place, f"{part}.json")
        whole[part] = json.load(open(file)) if os.path.exists(file) else None
    return whole


def output(plain, other, arguments):
    """Whether two programs put out the same and end alike."""
    expected, found = run(plain, arguments)[0], run(other, arguments)[0]
    return {"same": expected == found, "status": expected[0], "bytes": len(expected[1]) + len(expected[2])}


def suite(status, log):
    """Exit status of a test suite, and what it says at its end."""
    lines = open(log, errors="replace").read().strip().splitlines()
    return {"status": int(status), "says": lines[-3:]}


# What is kept of the report of a search.
KEPT = (
    "workload target_pct aim_pct environment filler search stop plans_tried wall_s search_s overhead_pct window_pairs "
    "disturbed_pairs judged_sets judged_blocks pooled_blocks coverage_pct outside_pct block_error_raw_pt block_error_noise_pt "
    "block_error_worst_pt judged_loops cluster_error_pt within_10_pt_pct sampling warm_up"
).split()
STEPS = (
    "trees built.plain built.sited built.slots slots.json empty.json rest.json output.json suite.plain.json suite.sites.json "
    "suite.full.json divine.json"
).split()


def divined(name, place):
    """All results of a program of divine.sh, and what failed."""

    def read(step):
        file = os.path.join(place, step)
        return json.load(open(file)) if os.path.exists(file) else None

    failed = {}
    for step in STEPS:
        file = os.path.join(place, step)
        if os.path.exists(file + ".failed"):
            lines = open(file + ".log", errors="replace").read().strip().splitlines()
            failed[step] = {"status": int(open(file + ".failed").read()), "says": lines[-3:]}
    report = read("divine.json")
    return {
        "name": name,
        "failed": failed,
        "slots": read("slots.json"),
        "divine": report and {key: report.get(key) for key in KEPT},
        "empty_slots": read("empty.json"),
        "sites_at_rest": read("rest.json"),
        "output_with_full_slots": read("output.json"),
        "suite_as_it_is": read("suite.plain.json"),
        "suite_with_sites": read("suite.sites.json"),
        "suite_with_full_slots": read("suite.full.json"),
    }


COLUMNS = [
    "program",
    "functions that hold (differ; left out)",
    "total, %",
    "outside of control, %",
    "raw error, points (noise)",
    "plans",
    "time, s",
    "empty slots, %",
    "sites at rest, %",
    "output with full slots",
    "tests as they are; with sites; with full slots",
]
# By what a row is told apart from what is wanted.
WANTED = {"half": 3, "total": 2, "error": 12, "plans": 10, "empty": 5, "rest": 3}


def interval(one, low, high, missed):
    """A figure with its interval, bold if it is not what is wanted. An end that is open is null in JSON."""
    mark = "**" if missed else ""
    low, high = ("open" if end is None else f"{end:+.1f}" for end in (low, high))
    return f"{mark}{one:+.1f}{mark} ({low} to {high})"


def row(all_of):
    """A line of the table: a figure that is missing says which step failed, or that it was not done."""

    def missing(*steps):
        there = [step for step in steps if step in all_of["failed"]]
        return f"failed: {there[0]}" if there else "not done"

    def cost(key, step, wanted):
        one = all_of[key]
        return interval(one["pct"], one["low"], one["high"], one["pct"] > wanted) if one else missing(step, *builds)

    def suite_of(key, step):
        if all_of["name"] in ("ladder", "lua"):
            return "none"
        one = all_of.get(key)
        return missing(step, *builds) if one is None else "pass" if one["status"] == 0 else f"**status {one['status']}**"

    builds = ["trees", "built.plain", "built.sited", "built.slots"]
    slots, report, output_ = all_of["slots"], all_of["divine"], all_of["output_with_full_slots"]
    cells = [all_of["name"], missing("slots.json", *builds)] + [missing("divine.json", *builds)] * 5
    if slots:
        differ, left = len(slots["differing"]), len(slots["left_out"])
        cells[1] = f"{slots['functions']} ({differ}; {left})"
    if report:
        total, error, noise = (report[key] for key in ("overhead_pct", "block_error_raw_pt", "block_error_noise_pt"))
        if total:
            off = abs(total["value"] - report["target_pct"]) > WANTED["total"]
            cells[2] = interval(total["value"], total["low"], total["high"], off)
        if report["outside_pct"] is not None:
            cells[3] = f"{report['outside_pct']:.1f}"
        if error:
            mark = "**" if error["value"] > WANTED["error"] else ""
            cells[4] = f"{mark}{error['value']:.1f}{mark} ({noise['value']:.1f})" if noise else f"{mark}{error['value']:.1f}{mark}"
        mark = "**" if report["plans_tried"] > WANTED["plans"] else ""
        cells[5], cells[6] = f"{mark}{report['plans_tried']}{mark}", f"{report['wall_s']:.0f}"
    cells.append(cost("empty_slots", "empty.json", WANTED["empty"]))
    cells.append(cost("sites_at_rest", "rest.json", WANTED["rest"]))
    same = output_ and output_["same"]
    cells.append("same" if same else "**differs**" if output_ else missing("output.json", "slots.json", *builds))
    suites = [("suite_as_it_is", "suite.plain.json"), ("suite_with_sites", "suite.sites.json")]
    suites.append(("suite_with_full_slots", "suite.full.json"))
    cells.append("; ".join(suite_of(key, step) for key, step in suites))
    return cells


def table(place):
    """One table of all programs, in Markdown."""
    files = sorted(name for name in os.listdir(place) if name.endswith(".json"))
    rows = [row(json.load(open(os.path.join(place, name)))) for name in files]
    lines = ["<!-- Made by facts.py table. -->", "", "| " + " | ".join(COLUMNS) + " |", "| --- " + "| ---: " * (len(COLUMNS) - 1) + "|"]
    lines += ["| " + " | ".join(cells) + " |" for cells in rows]
    lines += ["", "Bold: not what is wanted, by the figure itself: the total within 2 points of the target, an error of 12 points at"]
    lines += ["most, 10 plans at most, empty slots at 5 % at most, sites at rest at 3 % at most, tests that pass. Intervals are of 95 %."]
    return "\n".join(lines)


def half(row):
    """Half the width of the interval of what is in place, points."""
    place = row["in_place_pct"]
    return (place["high"] - place["low"]) / 2


def verdicts(all_of):
    """A program's profilers, a row each, in Markdown."""
    for profiler, found in all_of["matrix"]["attribution"].items():
        rows = found["rows"]
        if not rows:
            continue
        functions = {row["method"] for row in rows}
        least = min(rows, key=lambda row: row["in_place_pct"]["value"])
        most = max(rows, key=lambda row: row["in_place_pct"]["value"])
        span = [f"{one['in_place_pct']['value']:.1f}" for one in (least, most)]
        halves = sorted(half(row) for row in rows)
        mark = "**" if halves[-1] > WANTED["half"] else ""
        cells = [all_of["name"], profiler, found["verdict"], str(len(functions)), f"{span[0]} to {span[1]}", f"`{least['method']}`"]
        cells += [f"{statistics.median(halves):.1f}", f"{mark}{halves[-1]:.1f}{mark}"]
        yield "| " + " | ".join(cells) + " |"


def sited(all_of):
    """What sites do to a program, in Markdown."""
    sites_, same_, cost_, tests_ = (all_of[part] for part in ("sites", "same", "cost", "tests"))
    off = cost_["pct"] > WANTED["rest"]
    pair = statistics.median(first for first, _ in cost_["pairs_s"])
    tried = f"{same_['tried']} ({same_['different']})"
    cost_of = interval(cost_["pct"], cost_["low"], cost_["high"], off) + f", n = {cost_['n']}"
    said = "none run"
    if tests_:
        passed = {True: "pass", False: "**fail**"}
        said = f"{passed[tests_['status_at_rest'] == 0]}; {passed[tests_['status_under_dose'] == 0]}"
    cells = [all_of["name"], str(sites_["functions"]), str(sum(sites_["left_alone"].values())), tried, f"{1000 * pair:.0f}", cost_of, said]
    return "| " + " | ".join(cells) + " |"


def matrices(place):
    """Two tables of all programs of study.sh, in Markdown."""
    files = sorted(name for name in os.listdir(place) if name.endswith(".json"))
    every = [json.load(open(os.path.join(place, name))) for name in files]
    every = [one for one in every if isinstance(one, dict) and "matrix" in one and "sites" in one]
    lines = ["<!-- Made by facts.py matrices. -->", ""]
    lines += ["| program | functions with a site | left alone | functions dosed (output differs) | a run, ms | sites at rest, % | own tests at rest; under a dose |"]
    lines += ["| --- " + "| ---: " * 6 + "|"] + [sited(one) for one in every]
    lines += ["", "| program | profiler | verdict | functions | in place, %, least to most | least | half-width, points, median | widest |"]
    lines += ["| --- | --- | --- | ---: | ---: | --- | ---: | ---: |"]
    lines += [row for one in every for row in verdicts(one)]
    lines += ["", "Bold: sites that cost more than 3 % at rest by the figure, a half-width above 3 points, tests that fail. Intervals are of 95 %."]
    return "\n".join(lines)


def others(place):
    """A table of the results of `proofmark dose` in a directory, in Markdown."""
    lines = ["<!-- Made by facts.py others. -->", ""]
    lines += ["| program | profiler | verdict | functions | in place, %, least to most | least | half-width, points, median | widest |"]
    lines += ["| --- | --- | --- | ---: | ---: | --- | ---: | ---: |"]
    for name in sorted(name for name in os.listdir(place) if name.endswith(".json")):
        matrix = json.load(open(os.path.join(place, name)))
        lines += verdicts({"name": name.removesuffix(".json"), "matrix": matrix})
        lines += [f"| {name.removesuffix('.json')} | {profiler} | not judged: {why} |" + " |" * 5 for profiler, why in matrix["failed"].items()]
    return "\n".join(lines)


def main():
    what, words = sys.argv[1], sys.argv[2:]
    if what == "dose":
        write_dose(words[0], key_of(words[1]), int(words[2]))
    elif what == "hottest":
        print(hottest(words[0]))
    elif what == "matrices":
        print(matrices(words[0]))
    elif what == "table":
        print(table(words[0]))
    elif what == "others":
        print(others(words[0]))
    else:
        answers = {
            "sites": lambda: sites(words[0]),
            "same": lambda: same(words[0], words[1], words[2:]),
            "cost": lambda: cost(int(words[0]), words[1], words[2], words[3:]),
            "tests": lambda: tests(*words),
            "join": lambda: join(*words),
            "output": lambda: output(words[0], words[1], words[2:]),
            "suite": lambda: suite(*words),
            "divined": lambda: divined(*words),
        }
        json.dump(answers[what](), sys.stdout, indent=1)
        print()


main()
