#!/usr/bin/env python3
"""The study of docs/search.md: what `rjvm search` finds of what exact counts know, how early, and at what cost.

    benches/search.py [--workloads DIR] [--rounds N] [--metric bytecodes] [NAME...]

Without names, the three programs in tests/causes/search run, in a larger size. Other names are workloads: DIR is a checkout whose
`run.sh --command NAME` prints a command line to be run in a folder of its own. Each program runs once with exact counts, then with
three strategies of the search; processor times are the least of N rounds, which take turns. Prints two tables in Markdown.
Needs `cargo build --release` before, and Linux.
"""

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAMS = {"Routes": ["20"], "Records": ["6000"], "Hidden": []}
STRATEGIES = {
    "top-down": ["--strategy=top-down"],
    "hybrid": [],
    "hybrid, no limits": ["--limit-late=none", "--limit-deep-starters=none"],
}
# workloads whose classes are the class library's
LIBRARY = {"javac"}


class Program:
    """A program that is run in folders of its own."""

    def __init__(self, name, options):
        self.name, self.options = name, options

    def command(self, jvm):
        if self.name in PROGRAMS:
            return [*jvm, "-cp", self.options.classes, self.name, *PROGRAMS[self.name]], tempfile.mkdtemp()
        # the command line names the folder that was prepared for it
        scratch = tempfile.mkdtemp()
        env = {**os.environ, "KEEP": "1", "TMPDIR": scratch}
        run = os.path.join(self.options.workloads, "run.sh")
        text = subprocess.run(
            [run, "--command", self.name, *jvm], capture_output=True, text=True, env=env, check=True
        ).stdout
        prepared = [n for n in os.listdir(scratch) if n.startswith("workload.")]
        return shlex.split(text), os.path.join(scratch, prepared[0])

    def run(self, options, read=None):
        """Processor seconds of a run, and what `read` makes of its folder."""
        command, folder = self.command([self.options.rjvm, *options])
        env = {**os.environ, "HOME": folder, "TZ": "UTC", "LC_ALL": "C.UTF-8"}
        null = subprocess.DEVNULL
        errors = open(os.path.join(folder, "errors"), "w+", encoding="utf-8")
        child = subprocess.Popen(command, cwd=folder, env=env, stdin=null, stdout=null, stderr=errors)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode < 0 or child.returncode == 1 and self.name not in ("junit5",):
            errors.seek(0)
            sys.exit(f"{self.name} fails with {options}: {child.returncode} {errors.read()[-500:]}")
        errors.close()
        seen = read(folder) if read else None
        shutil.rmtree(os.path.dirname(folder) if self.name not in PROGRAMS else folder, ignore_errors=True)
        return usage.ru_utime + usage.ru_stime, seen

    def searching(self, strategy):
        library = ["--library"] if self.name in LIBRARY else []
        return ["search", *STRATEGIES[strategy], *library, "-o", "s.json"]


def exact(program):
    """Shares of methods, callees included, of those that count as the program's."""
    def read(folder):
        view = "full" if program.name in LIBRARY else "app"
        top = ["profile", "top", "--json", "--limit=0", "--by=inclusive", "--threads=merged", f"--view={view}", "x.rjp"]
        text = subprocess.run([program.options.rjvm, *top], cwd=folder, capture_output=True, text=True, check=True)
        return json.loads(text.stdout)
    _, told = program.run(["--quiet", "--profile=exact", "-o", "x.rjp"], read)
    return told["bytecodes"], {m["method"]: 1000 * m["inclusive"] / told["bytecodes"] for m in told["methods"]}


def searched(program, strategy):
    def read(folder):
        with open(os.path.join(folder, "s.json"), encoding="utf-8") as f:
            return json.load(f)
    return program.run(program.searching(strategy), read)[1]


def row(program, strategy, found, bytecodes, shares, seconds):
    threshold = found["settings"]["threshold"]
    # classes of lambdas have no number in profiles
    full = lambda b: re.sub(r"\$\$Lambda[^.]*", "$$Lambda", b["name"]) + b["descriptor"]
    timed = {full(b): b for b in found["bottlenecks"]}
    right = {m for m, share in shares.items() if share >= threshold and not m.endswith(".main([Ljava/lang/String;)V")}
    if program.options.verbose:
        for m in sorted(right - timed.keys(), key=lambda m: -shares[m]):
            print(f"{program.name} {strategy}: not found: {shares[m] / 10:.1f} % {m}", file=sys.stderr)
        for m in sorted(timed.keys() - right):
            print(f"{program.name} {strategy}: {shares.get(m, 0) / 10:.1f} %, not {timed[m]['share'] / 10} %: {m}", file=sys.stderr)
    good = [timed[m] for m in right if m in timed]
    at = sorted(100 * b["found"] / found["bytecodes"] for b in good)
    off = [abs(b["share"] - shares[full(b)]) / 10 for b in good]
    effort = found["effort"]
    own, whole, plain = seconds
    return [
        f"`{program.name}`" if program.name in PROGRAMS else program.name,
        strategy,
        f"{bytecodes / 1e6:.0f} M",
        str(len(right)),
        str(len(good)),
        str(len(timed.keys() - right)),
        str(len(found["for_a_time"])),
        f"{at[0]:.1f} %" if at else "",
        f"{at[-1]:.1f} %" if at else "",
        f"{sum(off) / len(off):.1f}, {max(off):.1f}" if off else "",
        f"{effort['timers']} ({effort['most']})",
        f"{own:.2f} / {whole:.2f} / {plain:.2f} s",
    ], own / plain, whole / plain


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--workloads", help="checkout of workloads")
    options.add_argument("--rjvm", default=os.path.join(ROOT, "target/release/rjvm"))
    options.add_argument("--rounds", type=int, default=3, help="rounds of the measurement of processor time")
    options.add_argument("--verbose", action="store_true", help="tell what was not found, and what was found wrongly")
    options.add_argument("names", nargs="*")
    options = options.parse_args()
    options.rjvm = os.path.abspath(options.rjvm)
    options.classes = tempfile.mkdtemp()
    sources = [os.path.join(ROOT, f"tests/causes/search/{p}.java") for p in PROGRAMS]
    subprocess.run(["javac", "-d", options.classes, *sources], check=True)
    head = ["program", "strategy", "bytecodes", "bottlenecks", "found", "others found", "for a time", "first at", "last at"]
    head += ["share off by (mean, most)", "timers (at a time)", "processor time: search, exact, plain"]
    print("| " + " | ".join(head) + " |\n" + "|---" * len(head) + "|")
    slower = []
    for name in options.names or PROGRAMS:
        program = Program(name, options)
        bytecodes, shares = exact(program)
        ways = {"plain": [], "exact": ["--quiet", "--profile=exact", "-o", "x.rjp"]}
        ways |= {s: program.searching(s) for s in STRATEGIES}
        times = {way: [] for way in ways}
        for _ in range(options.rounds):
            for way, flags in ways.items():
                times[way].append(program.run(flags)[0])
        least = {way: min(all) for way, all in times.items()}
        factors = []
        for strategy in STRATEGIES:
            found = searched(program, strategy)
            seconds = (least[strategy], least["exact"], least["plain"])
            cells, factor, whole = row(program, strategy, found, bytecodes, shares, seconds)
            factors.append(factor)
            print("| " + " | ".join(cells) + " |", flush=True)
        slower.append([cells[0], "1.00", f"{whole:.2f}", *[f"{f:.2f}" for f in factors]])
    head = ["slowdown", "plain", "exact counts", *STRATEGIES]
    print("\n| " + " | ".join(head) + " |\n" + "|---" * len(head) + "|")
    for cells in slower:
        print("| " + " | ".join(cells) + " |")
    shutil.rmtree(options.classes)


if __name__ == "__main__":
    main()
