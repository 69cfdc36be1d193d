#!/usr/bin/env python3
"""Repeats the evaluation of the article on deterministic sampling with Komorium (Binder, 2006) with rjvm.

    benches/study.py [--workloads DIR] [--out FILE.md] [--rounds N] [NAME...]

Accuracy (the article's Figures 10a and 10b): one run for each granularity records the exact profile and
the samples together, and `rjvm profile overlap` compares them, by full contexts. The same runs give the
relative error of the approximate total (Table I) and the size of the profiles (Figure 11). Overhead
(Figures 12 to 14): user CPU time of runs that only sample, relative to runs without profiling, which take
turns; with --rounds 0 it is left out.

DIR is a checkout of workloads whose `run.sh --command NAME` prints a command line to be run in a folder of
its own; without it, the kernels of benches/java/Kernels.java run. Results of single runs are kept in
FILE.md.runs.json: a study that was interrupted goes on where it stopped, with the same rjvm. Writes FILE.md and FILE.svg.
Needs `cargo build --release` before, and Linux.
"""

import argparse
import hashlib
import json
import math
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GRANULARITIES = [500, 1000, 5000, 10_000, 50_000, 100_000, 500_000, 1_000_000]
RANDOM = 100
KERNELS = ["fib", "sieve", "longs", "virtual", "matmul"]

# Geometric means that the article prints; None where its figure gives none that can be read.
PAPER_CONSTANT = dict(zip(GRANULARITIES, [86.42, 88.94, 90.94, 91.00, 87.68, 85.19, 76.38, 69.92]))
PAPER_RANDOM = dict(zip(GRANULARITIES, [96.33, 95.68, 93.82, 92.61, 88.16, 85.27, 75.83, 70.18]))
PAPER_SIZE_RANDOM = dict(zip(GRANULARITIES, [59.00, 54.66, 42.06, None, 26.05, 20.49, 12.84, 10.25]))
PAPER_OVERHEAD = dict(zip(GRANULARITIES, [67.1, 57.9, 48.4, 47.4, 45.6, 45.0, None, 44.0]))
PAPER_BASE = 42.9


class Runs:
    """Results of single runs of one rjvm, in a file that survives an interruption."""

    def __init__(self, path, total, rjvm):
        self.path, self.total, self.begun = path, total, time.monotonic()
        with open(rjvm, "rb") as f:
            digest = hashlib.sha256(f.read()).hexdigest()
        self.done, self.count = {"rjvm": digest}, 0
        if os.path.exists(path):
            with open(path, encoding="utf-8") as f:
                before = json.load(f)
            if before.get("rjvm") == digest:
                self.done = before

    def get(self, key, make):
        self.count += 1
        if key not in self.done:
            seconds = time.monotonic() - self.begun
            print(f"\r[{self.count}/{self.total}] {seconds:5.0f} s  {key:50}", end="", file=sys.stderr, flush=True)
            self.done[key] = make()
            with open(self.path + ".new", "w", encoding="utf-8") as f:
                json.dump(self.done, f, indent=0, sort_keys=True)
            os.replace(self.path + ".new", self.path)
        return self.done[key]


class Workload:
    """A program: how it is started in an empty folder, and with which exit codes it ends."""

    def __init__(self, name, options):
        self.name, self.options = name, options

    def command(self, rjvm):
        """The command line, and the folder that is its own."""
        options = self.options
        if not options.workloads:
            classes = options.classes
            return [*rjvm, "-cp", classes, "Kernels", self.name, "1"], tempfile.mkdtemp()
        # the command line names the folder that was prepared for it
        scratch = tempfile.mkdtemp()
        env = {**os.environ, "KEEP": "1", "TMPDIR": scratch}
        env.setdefault("WORKLOADS_BUILD", options.build)
        text = subprocess.run(
            [os.path.join(options.workloads, "run.sh"), "--command", self.name, *rjvm],
            capture_output=True, text=True, env=env, check=True,
        ).stdout
        prepared = [os.path.join(scratch, n) for n in os.listdir(scratch) if n.startswith("workload.")]
        return shlex.split(text), prepared[0]

    def run(self, *flags):
        """User CPU seconds of a run, the folder it ran in."""
        command, folder = self.command([self.options.rjvm, "--quiet", *flags])
        env = {**os.environ, "HOME": folder, "TZ": "UTC", "LC_ALL": "C.UTF-8"}
        with open(os.path.join(folder, "errors"), "w+", encoding="utf-8") as errors:
            child = subprocess.Popen(
                command, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors
            )
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            if child.returncode < 0 or child.returncode == 1 and self.name not in ("junit5",):
                errors.seek(0)
                sys.exit(f"\n{self.name} fails:\n{errors.read()[:2000]}")
        return usage.ru_utime, folder

    def time(self, *flags):
        seconds, folder = self.run(*flags)
        remove(folder)
        return seconds

    def compare(self, gran):
        """Overlap, totals and sizes of one run that does both."""
        # exact by JP's tree: call sites merged; native code as part of its caller, as in the article
        _, folder = self.run("--profile=exact", f"--sample-gran={gran}", "--natives=off", "-o", "x.rjp")
        exact, samples = (os.path.join(folder, name) for name in ("x.rjp", "x.samples.rjp"))
        overlap = json.loads(self.tool("overlap", "--json", exact, samples))
        totals = json.loads(self.tool("top", "--json", "--limit=1", exact))
        # all contexts folded into the roots: what the samples' distances add up to
        roots = self.tool("convert", "--format=paths", "--max-depth=1", samples).splitlines()
        result = {
            "contexts": overlap["contexts"],
            "methods": overlap["methods"],
            "bytecodes": totals["bytecodes"],
            "nodes": totals["contexts"],
            "approximate": sum(int(line.split("\t")[2]) for line in roots),
            "exact_size": os.path.getsize(exact),
            "sample_size": os.path.getsize(samples),
        }
        remove(folder)
        return result

    def tool(self, *args):
        command = [self.options.rjvm, "profile", *args]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def remove(folder):
    parent = os.path.dirname(folder)
    shutil.rmtree(folder, ignore_errors=True)
    if os.path.basename(folder).startswith("workload."):
        shutil.rmtree(parent, ignore_errors=True)


def mean(values):
    return statistics.geometric_mean([max(v, 1e-9) for v in values])


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|---" * len(header) + "|"]
    return lines + ["| " + " | ".join(row) + " |" for row in rows] + [""]


def label(gran, random):
    return f"{gran:,}" + ("+r" if random else "")


def matrix(out, workloads, value, form, paper, average=True):
    """A table with a row for each granularity, a column for each workload, and geometric means."""
    header = ["granularity", *[w.name for w in workloads]]
    header += ["**geo. mean**"] if average else []
    header += ["the article's"] if paper else []
    rows, means = [], {}
    for gran in GRANULARITIES:
        values = [value(w, gran) for w in workloads]
        row = [gran_label(gran, value), *[form(v) for v in values]]
        if average:
            means[gran] = mean(values)
            row.append(f"**{form(means[gran])}**")
        if paper:
            row.append("" if paper[gran] is None else form(paper[gran]))
        rows.append(row)
    out += table(header, rows)
    return means


def gran_label(gran, value):
    return label(gran, getattr(value, "random", False))


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--workloads", help="checkout of workloads")
    options.add_argument("--build", default="/tmp/workloads-build", help="folder of their compiled drivers")
    options.add_argument("--rjvm", default=os.path.join(ROOT, "target/release/rjvm"))
    options.add_argument("--out", default="study.md")
    options.add_argument("--rounds", type=int, default=3, help="rounds of the measurement of overhead")
    options.add_argument("names", nargs="*")
    options = options.parse_args()
    if not os.access(options.rjvm, os.X_OK):
        sys.exit(f"{options.rjvm} is not there: cargo build --release")
    options.rjvm = os.path.abspath(options.rjvm)
    classes = None
    if options.workloads:
        listed = subprocess.run(
            [os.path.join(options.workloads, "run.sh"), "--list"], capture_output=True, text=True, check=True
        )
        names = options.names or listed.stdout.split()
    else:
        names = options.names or KERNELS
        classes = options.classes = tempfile.mkdtemp()
        source = os.path.join(ROOT, "benches/java/Kernels.java")
        javac = os.path.join(os.environ.get("JAVA_HOME", ""), "bin/javac") if "JAVA_HOME" in os.environ else "javac"
        subprocess.run([javac, "-d", classes, source], check=True)
    workloads = [Workload(name, options) for name in names]
    try:
        study(workloads, options)
    finally:
        if classes:
            shutil.rmtree(classes)


def study(workloads, options):
    total = len(workloads) * len(GRANULARITIES) * 2
    total += len(workloads) * options.rounds * (len(GRANULARITIES) + 1)
    runs = Runs(options.out + ".runs.json", total, options.rjvm)
    results = {}
    for w in workloads:
        for random in (False, True):
            for gran in GRANULARITIES:
                flag = f"{gran}+{RANDOM}" if random else str(gran)
                results[w.name, gran, random] = runs.get(f"{w.name} {flag}", lambda: w.compare(flag))
    times = {}
    for w in workloads:
        for i in range(options.rounds):
            for gran in [None, *GRANULARITIES]:
                flags = [] if gran is None else [f"--sample-gran={gran}"]
                seconds = runs.get(f"{w.name} {gran} round {i}", lambda: w.time(*flags))
                times.setdefault((w.name, gran), []).append(seconds)
    print(file=sys.stderr)
    out, means = write(workloads, results, times, options)
    with open(options.out, "w", encoding="utf-8") as f:
        f.write("\n".join(out))
    with open(os.path.splitext(options.out)[0] + ".svg", "w", encoding="utf-8") as f:
        f.write(picture(means))
    print(f"{options.out} is written", file=sys.stderr)


def write(workloads, results, times, options):
    def of(key, random):
        def value(w, gran):
            return key(results[w.name, gran, random])
        value.random = random
        return value

    percent, means = "{:.2f}%".format, {}
    out = [
        "# Deterministic sampling: accuracy, size, overhead",
        "",
                "Use this page to choose the sampling interval (`--sample-gran`): it shows how accurate samples are, and how much they "
        f"cost. `benches/study.py` wrote it on {time.strftime('%Y-%m-%d')}. It repeats the evaluation in "
        "\"Portable and accurate sampling profiling for Java\" (Binder, 2006), whose profiler Komorium ran SPEC JVM98. The "
        "article's columns below are geometric means over those programs, so they show the same effects on other programs. "
        "Today's programs have more calling contexts (see the table). The fewer samples a context has, the lower "
        "the overlap.",
        "",
        "`rjvm profile overlap` computes the overlap of the sampled and the exact profile. It compares full calling contexts, in scope "
        "`main`, with all methods except native ones. Accuracy, errors and sizes are the same on every machine and in every run.",
        "",
    ]
    first = {w.name: results[w.name, GRANULARITIES[0], False] for w in workloads}
    rows = [[w.name, f"{first[w.name]['bytecodes']:,}", f"{first[w.name]['nodes']:,}"] for w in workloads]
    out += table(["workload", "bytecodes", "calling contexts"], rows)
    name = os.path.basename(os.path.splitext(options.out)[0]) + ".svg"
    out += [f"![Accuracy, size and overhead by granularity]({name})", ""]
    out += ["## Accuracy (overlap percentage): constant granularity (Figure 10a)", ""]
    overlap = lambda r: r["contexts"]
    means["accuracy"] = matrix(out, workloads, of(overlap, False), percent, PAPER_CONSTANT)
    out += [f"## Accuracy: plus r, 0 <= r < {RANDOM} (Figure 10b)", ""]
    means["accuracy, +r"] = matrix(out, workloads, of(overlap, True), percent, PAPER_RANDOM)
    out += ["## Accuracy by method, constant granularity", ""]
    matrix(out, workloads, of(lambda r: r["methods"], False), percent, None)
    out += [
        "## Relative error of the approximate number of executed bytecodes (Table I)",
        "",
        "The article's profiler knows only the counts that its agent gets at samples. Exceptions leave basic blocks that were "
        "counted, and the bytecodes that a thread executes after its last sample are lost. rjvm counts each bytecode, also after "
        "the last sample, so its total has no error.",
        "",
        "The table shows the error of a sum of the samples' distances. The article prints values from -1.0e-4 to 6.4e-3 at 500 "
        "and from -8.9e-4 to 3.3e-3 at 1,000,000.",
        "",
    ]
    error = lambda r: r["approximate"] / r["bytecodes"] - 1
    matrix(out, workloads, of(error, False), "{:.1e}".format, None, average=False)
    out += [
        "## Profile size, percentage of the exact profile's (Figure 11a)",
        "",
        "Of the files in rjvm's own compact format, which has the same columns for both.",
        "",
    ]
    size = lambda r: 100 * r["sample_size"] / r["exact_size"]
    means["size"] = matrix(out, workloads, of(size, False), percent, None)
    out += ["## Profile size: plus r (Figure 11b)", ""]
    matrix(out, workloads, of(size, True), percent, PAPER_SIZE_RANDOM)
    if options.rounds:
        out += [
            "## Overhead (Figures 12 to 14)",
            "",
            "The table shows user CPU time with sampling relative to the time without, less 1. Each time is "
            f"{'one run' if options.rounds == 1 else f'the minimum of {options.rounds} runs'}, in turns, "
            "and includes the start of the VM. The article's column comes from its Figure 12 (Sun JDK 1.5.0 Client VM), which has "
            f"an overhead of {PAPER_BASE}% without any samples. Its averages at 500 are 67 to 96%, at 10,000 47 to 56%. The last column but one is "
            "the mean of the ratios. Figures below zero show how busy the machine was.",
            "",
        ]
        ratio = lambda w, gran: min(times[w.name, gran]) / min(times[w.name, None])
        rows = []
        means["overhead"] = {}
        for gran in GRANULARITIES:
            ratios = [ratio(w, gran) for w in workloads]
            means["overhead"][gran] = 100 * (mean(ratios) - 1)
            paper = PAPER_OVERHEAD[gran]
            rows.append(
                [label(gran, False), *[f"{100 * (r - 1):.1f}%" for r in ratios]]
                + [f"**{means['overhead'][gran]:.1f}%**", "" if paper is None else f"{paper}%"]
            )
        out += table(["granularity", *[w.name for w in workloads], "**geo. mean**", "the article's"], rows)
    return out, means


def picture(means):
    """The article's Figure 15: geometric means by granularity, ours solid, the article's dashed."""
    width, height, left, top, right, bottom = 760, 420, 60, 20, 190, 50
    series = [
        ("accuracy", "#1b7837", means["accuracy"], PAPER_CONSTANT),
        ("accuracy, +r", "#762a83", means["accuracy, +r"], PAPER_RANDOM),
        ("profile size", "#2166ac", means["size"], None),
    ]
    if "overhead" in means:
        series.append(("overhead", "#b2182b", means["overhead"], PAPER_OVERHEAD))
    values = [v for _, _, ours, paper in series for v in [*ours.values(), *(paper or {}).values()] if v is not None]
    most = max(100, math.ceil(max(values) / 20) * 20)
    low, high = math.log(GRANULARITIES[0]), math.log(GRANULARITIES[-1])
    x = lambda gran: left + (math.log(gran) - low) / (high - low) * (width - left - right)
    y = lambda v: height - bottom - max(v, 0) / most * (height - top - bottom)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for v in range(0, most + 1, 20):
        out.append(f'<path d="M{left} {y(v):.1f}H{width - right}" stroke="#ddd"/>')
        out.append(f'<text x="{left - 8}" y="{y(v) + 4:.1f}" text-anchor="end">{v}%</text>')
    for gran in GRANULARITIES:
        out.append(f'<text x="{x(gran):.1f}" y="{height - bottom + 18}" text-anchor="middle">{short(gran)}</text>')
    out.append(f'<text x="{(left + width - right) / 2}" y="{height - 8}" text-anchor="middle">granularity in bytecodes</text>')
    line = top + 10
    for name, color, ours, paper in series:
        for who, data, dash in (("rjvm", ours, ""), ("Komorium", paper or {}, ' stroke-dasharray="5 4"')):
            points = [(gran, data[gran]) for gran in GRANULARITIES if data.get(gran) is not None]
            if not points:
                continue
            path = " ".join(f"{x(g):.1f},{y(v):.1f}" for g, v in points)
            out.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"{dash}/>')
            at = width - right + 12
            out.append(f'<path d="M{at} {line}h22" stroke="{color}" stroke-width="2"{dash}/>')
            out.append(f'<text x="{at + 28}" y="{line + 4}">{name}: {who}</text>')
            line += 20
    return "\n".join([*out, "</svg>", ""])


def short(gran):
    return f"{gran // 1000}k" if gran < 1_000_000 and gran >= 1000 else ("1M" if gran == 1_000_000 else str(gran))


if __name__ == "__main__":
    main()
