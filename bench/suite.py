#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Speed of the suite itself: cases a second of a default run, and the time until a mutant is first
killed, each as the time of a whole process.

Usage: suite.py KVCHECK; the rows go to standard output.
"""
import re
import statistics
import subprocess
import sys
import tempfile
import time

SEED = "bench"


def timed(*command):
    """(seconds, output)"""
    begin = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return time.perf_counter() - begin, done.stdout


def default_run(kvcheck, save):
    seconds, out = timed(kvcheck, "run", "--seed", SEED, "--save", save)
    cases = sum(int(n) for n in re.findall(r"  (\d+) cases", out))
    print(f"| default run of fast | {seconds:.1f} s | {cases} cases, {cases / seconds:.0f} a second |")


def first_kills(kvcheck, save):
    _, listed = timed(kvcheck, "list")
    times = []
    alive = []
    for mutant in re.findall(r"^  (mutant:\S+)", listed, re.MULTILINE):
        seconds, out = timed(kvcheck, "run", "--fail-fast", "--seed", SEED, "--save", save,
                             "--subject", mutant)
        if "FAILED" in out:
            times.append((seconds, mutant))
        else:
            alive.append(mutant)
    times.sort()
    median = statistics.median(seconds for seconds, _ in times)
    print(f"| first kill of a mutant, shrunk | median {median:.2f} s | {len(times)} mutants; "
          f"longest {times[-1][0]:.1f} s, {times[-1][1]}; alive: {', '.join(alive) or 'none'} |")


def main():
    kvcheck = sys.argv[1]
    print("| the suite | time | of |")
    print("| --- | --- | --- |")
    with tempfile.TemporaryDirectory() as save:
        default_run(kvcheck, save)
        first_kills(kvcheck, save)


main()
