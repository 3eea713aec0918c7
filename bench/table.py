#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the table, the exponents of growth and their picture of what the bench measured.

Usage: table.py RESULTS.json PICTURE.svg; the table goes to standard output. Nothing is judged here.
"""
import json
import math
import statistics
import sys


def read(path):
    """name -> list of (seconds, counters), one for each repetition, in the order of the run; and
    name -> why there is none."""
    found = {}
    refused = {}
    with open(path, encoding="utf-8") as file:
        results = json.load(file)
    for run in results["benchmarks"]:
        if run["run_type"] != "iteration":
            continue
        name = run["run_name"].split("/")
        real = "real_time" in name or "manual_time" in name
        name = "/".join(p for p in name if p not in ("real_time", "manual_time") and ":" not in p)
        if "error_message" in run:
            refused[name] = run["error_message"]
            continue
        time = run["real_time" if real else "cpu_time"]
        scale = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}[run["time_unit"]]
        found.setdefault(name, []).append((time * scale, run))
    return found, refused


def seconds(runs):
    return sorted(run[0] for run in runs)


def rate(runs, what):
    """Of the median run; what: flops or bytes, a second."""
    return runs[0][1][what] / statistics.median(seconds(runs))


def share(runs, what):
    """Of the limit that was measured beside each repetition."""
    return statistics.median(run[what] / time / run["limit"] for time, run in runs)


def exponent(points):
    """Least squares in logarithms: y ~ x ** result."""
    x = [math.log(p[0]) for p in points]
    y = [math.log(p[1]) for p in points]
    mx, my = statistics.mean(x), statistics.mean(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)


def table(found, refused):
    peak = rate(found["limit/multiply-add"], "flops")
    print(f"FMA peak, one thread: {peak / 1e9:.0f} GFLOP/s")
    for name in ("W3", "W4"):
        read_rate = rate(found[f"limit/read-{name}"], "bytes")
        print(f"plain read of the keys and values of {name}: {read_rate / 1e9:.1f} GB/s")
    for _, run in found.get("memory/fast", []):
        print(f"memory of a session: {run['taken'] / 1e6:.1f} MB, {run['taken'] / run['formula']:.3f}"
              " of 2 * rows * kv_heads * slots * width * 4")
        print(f"its blocks: {run['in_blocks'] / run['formula']:.3f} of that, and "
              f"{run['in_blocks_of_beams'] / run['formula']:.3f} once all rows continue the first")
    print()
    print("| workload | who | ms min / median / max | share of limit | time / fast |")
    print("| --- | --- | --- | --- | --- |")
    for name, runs in found.items():
        work, who = name.split("/")[:2]
        if work in ("limit", "growth", "memory"):
            continue
        times = seconds(runs)
        median = statistics.median(times)
        of_limit = ""
        if "limit" in runs[0][1]:
            of_limit = f"{100 * share(runs, 'flops' if 'flops' in runs[0][1] else 'bytes'):.0f} %"
        ratio = median / statistics.median(seconds(found[f"{work}/fast"]))
        low, middle, high = (f"{1e3 * t:.4g}" for t in (times[0], median, times[-1]))
        print(f"| {work} | {who} | {low} / {middle} / {high} | {of_limit} | {ratio:.2f} |")
    for name, why in refused.items():
        work, who = name.split("/")[:2]
        print(f"| {work} | {who} | refused: {why} | | |")
    names = {name.split("/")[1] for name in [*found, *refused]}
    for peer in ("onednn", "pytorch", "onnxruntime", "ggml"):
        if not any(name.startswith(peer) for name in names):
            print(f"| W1 to W4 | {peer} | not compared: not installed | | |")


def growth(found):
    curves = {}
    for name, runs in found.items():
        if name.startswith("growth/"):
            _, kind, length = name.split("/")
            curves.setdefault(kind, []).append((int(length), statistics.median(seconds(runs))))
    for kind, points in curves.items():
        half = points[len(points) // 2:]
        print(f"{kind}: time ~ length^{exponent(points):.2f}, "
              f"longer half length^{exponent(half):.2f}")
    return curves


def picture(curves, path):
    """Both axes are logarithmic, a decade of time and a doubling of length apart."""
    width, height, margin = 640, 400, 60
    points = [p for curve in curves.values() for p in curve]
    x0, x1 = (math.log2(f(p[0] for p in points)) for f in (min, max))
    y0, y1 = (math.log10(f(p[1] for p in points)) for f in (min, max))
    y0, y1 = math.floor(y0), math.ceil(y1)

    def place(length, time):
        x = margin + (math.log2(length) - x0) / (x1 - x0) * (width - 2 * margin)
        y = height - margin - (math.log10(time) - y0) / (y1 - y0) * (height - 2 * margin)
        return x, y

    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
             'font-family="sans-serif" font-size="12">',
             f'<rect width="{width}" height="{height}" fill="white"/>']
    for power in range(y0, y1 + 1):
        _, y = place(2 ** x0, 10.0 ** power)
        lines.append(f'<path d="M{margin} {y:.1f}H{width - margin}" stroke="#ddd"/>'
                     f'<text x="{margin - 6}" y="{y + 4:.1f}" text-anchor="end">1e{power} s</text>')
    for power in range(round(x0), round(x1) + 1):
        x, _ = place(2.0 ** power, 10.0 ** y0)
        label = f"{2 ** (power - 10)}k" if power >= 10 else str(2 ** power)
        lines.append(f'<text x="{x:.1f}" y="{height - margin + 18}" text-anchor="middle">'
                     f"{label}</text>")
    for colour, (kind, curve) in zip(("#06c", "#c40"), curves.items()):
        path_data = "M" + "L".join("{:.1f} {:.1f}".format(*place(*p)) for p in curve)
        x, y = place(*curve[-1])
        lines.append(f'<path d="{path_data}" fill="none" stroke="{colour}" stroke-width="2"/>'
                     f'<text x="{x:.1f}" y="{y - 8:.1f}" text-anchor="end" fill="{colour}">'
                     f"{kind}, length^{exponent(curve):.2f}</text>")
    lines.append(f'<text x="{width / 2}" y="{height - 14}" text-anchor="middle">length</text></svg>')
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def main():
    found, refused = read(sys.argv[1])
    table(found, refused)
    print()
    curves = growth(found)
    if curves:
        picture(curves, sys.argv[2])


main()
