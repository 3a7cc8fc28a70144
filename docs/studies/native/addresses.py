#!/usr/bin/env python3
"""Innermost addresses of what profilers leave, for known.py (Python, standard library). The program is linked to a fixed place.

Usage: addresses.py      reads pieces of each format of its own, and says whether it found what is in them"""

import json
import os
import struct
import subprocess
import sys

# Rounds of a process that is profiled, and of one under valgrind.
PROFILED, COUNTED = 4000, 100
LIBPROFILER = "/usr/lib/x86_64-linux-gnu/libprofiler.so.0"


def run(words, **more):
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, **more)
    if done.returncode != 0:
        raise RuntimeError(f"{words[0]}: status {done.returncode}: {done.stderr.decode(errors='replace')[-300:]}")
    return done.stdout


# Of each profiler: samples by address in the program, which is linked to a fixed place.


def of_perf(options):
    run(["perf", "record", "-q", "-e", "cpu-clock", "-F", "5000", *options, "-o", "perf.data", "--", "./known", str(PROFILED)])
    # Innermost places only.
    return perf_addresses(run(["perf", "script", "-i", "perf.data", "-F", "ip,dso", *(["-G"] if options else [])]).decode())


def perf_addresses(text):
    """Lines of an address and the file that it is in."""
    found = {}
    for line in text.splitlines():
        words = line.split()
        if len(words) > 1 and words[-1].strip("()").endswith("/known"):
            address = int(words[0], 16)
            found[address] = found.get(address, 0) + 1
    return found


def of_samply():
    run(["samply", "record", "--save-only", "--no-open", "--rate", "1000", "-o", "samply.json", "--", "./known", str(PROFILED)])
    return samply_addresses(json.load(open("samply.json")), 0x400000)


def samply_addresses(profile, base):
    """Addresses count from where the program begins in memory."""
    found = {}
    for thread in profile["threads"]:
        tables = thread if thread.get("stackTable") else profile["shared"]
        for row, stack in enumerate(thread["samples"]["stack"]):
            if stack is None:
                continue
            frame = tables["stackTable"]["frame"][stack]
            resource = tables["funcTable"]["resource"][tables["frameTable"]["func"][frame]]
            library = None if resource in (None, -1) else tables["resourceTable"]["lib"][resource]
            address = tables["frameTable"]["address"][frame]
            if library is None or profile["libs"][library]["name"] != "known" or address < 0:
                continue
            weight = thread["samples"].get("weight")
            found[base + address] = found.get(base + address, 0) + (weight[row] if weight else 1)
    return found


def of_gperftools():
    environment = {**os.environ, "LD_PRELOAD": LIBPROFILER, "CPUPROFILE": "known.prof", "CPUPROFILE_FREQUENCY": "1000"}
    run(["./known", str(PROFILED)], env=environment)
    return cpu_profile(open("known.prof", "rb").read())


def cpu_profile(data):
    """gperftools' samples: count, depth, addresses; words of 8 bytes behind a header of its own length."""
    words = [word for word, in struct.iter_unpack("<Q", data[: len(data) // 8 * 8])]
    at, found = 2 + words[1], {}
    while words[at : at + 3] != [0, 1, 0]:
        count, depth = words[at], words[at + 1]
        found[words[at + 2]] = found.get(words[at + 2], 0) + count
        at += 2 + depth
    return found


def of_gprof():
    found = {}
    # 100 samples a second are few.
    for _ in range(3):
        run(["./known-pg", str(PROFILED)], env={**os.environ, "GMON_OUT_PREFIX": "known.gmon"})
        file = next(one for one in os.listdir(".") if one.startswith("known.gmon"))
        for address, count in gmon(open(file, "rb").read()).items():
            found[address] = found.get(address, 0) + count
        os.remove(file)
    return found


def gmon(data):
    """gprof's histogram: pieces of code, each by its first address."""
    at, found = 20, {}
    while at < len(data):
        tag, at = data[at], at + 1
        if tag == 0:
            low, high, pieces = struct.unpack_from("<QQI", data, at)
            at += 40
            counts = struct.unpack_from(f"<{pieces}H", data, at)
            at += 2 * pieces
            for number, count in enumerate(counts):
                if count:
                    address = low + (high - low) * number // pieces
                    found[address] = found.get(address, 0) + count
        elif tag == 1:
            at += 20
        else:
            break
    return found


def of_callgrind(program="./known"):
    run(["valgrind", "--tool=callgrind", "--dump-instr=yes", "--callgrind-out-file=known.callgrind", program, str(COUNTED)])
    with open("known.callgrind", encoding="utf-8", errors="replace") as text:
        return callgrind(text)


def callgrind(lines):
    """Instructions by address: what a call took belongs to the called."""
    found, address, of_call = {}, 0, False
    for line in lines:
        words = line.split()
        if line.startswith("calls="):
            of_call = True
        elif words and words[0][0] in "0+-*" and len(words) > 1:
            # Absolute, or counted from the line before.
            if words[0] != "*":
                number = int(words[0].lstrip("+-"), 16 if "0x" in words[0] else 10)
                address = number if words[0][0] == "0" else address + (-number if words[0][0] == "-" else number)
            if not of_call:
                found[address] = found.get(address, 0) + int(words[-1])
            of_call = False
    return found


PROFILERS = {
    "perf": lambda: of_perf([]),
    "perf+fp": lambda: of_perf(["--call-graph", "fp"]),
    "perf+dwarf": lambda: of_perf(["--call-graph", "dwarf,4096"]),
    "samply": of_samply,
    "gperftools": of_gperftools,
    "gprof": of_gprof,
    "callgrind": of_callgrind,
}


def main():
    words = [0, 3, 0, 4000, 0, 5, 2, 0x401010, 0x402000, 2, 1, 0x401010, 0, 1, 0]
    assert cpu_profile(struct.pack("<15Q", *words) + b"maps") == {0x401010: 7}
    histogram = struct.pack("<QQI", 0x401000, 0x401010, 4) + struct.pack("<I", 100) + bytes(16) + struct.pack("<4H", 0, 3, 0, 4)
    arc = bytes([1]) + bytes(20)
    assert gmon(b"gmon" + bytes(16) + arc + bytes([0]) + histogram + arc) == {0x401004: 3, 0x40100C: 4}
    text = ["events: Ir", "fn=(1) f", "0x401000 5 10", "+4 +1 3", "calls=1 0x402000", "* * 99", "* * 2", "-0x4 -1 1", "", "totals: 16"]
    assert callgrind(text) == {0x401000: 11, 0x401004: 5}
    tables = {
        "stackTable": {"frame": [0, 1]},
        "frameTable": {"func": [0, 1], "address": [16, -1]},
        "funcTable": {"resource": [0, -1]},
        "resourceTable": {"lib": [0]},
    }
    thread = {"samples": {"stack": [0, None, 1, 0], "weight": [1, 1, 1, 2]}}
    for profile in ({"threads": [thread], "shared": tables}, {"threads": [{**thread, **tables}]}):
        assert samply_addresses({**profile, "libs": [{"name": "known"}]}, 0x400000) == {0x400010: 3}
    assert perf_addresses("  401236 /tmp/known)\n ffffffff8100 ([kernel.kallsyms])\n\n 401236 (/tmp/known)\n") == {0x401236: 2}
    print("all formats are read")


if __name__ == "__main__":
    sys.exit(main())
