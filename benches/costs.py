#!/usr/bin/env python3
"""What profiles cost: CPU seconds, peak memory and size of the file for each format, of one program.

    benches/costs.py [--rjvm PATH] [--rounds N] [--formats rjp,html,...] -- OPTIONS MAIN ARGS
    benches/costs.py --workloads DIR [--rjvm PATH] [--rounds N] [--formats rjp,html,...] [NAME...]
    benches/costs.py --workloads DIR --shares [--rjvm PATH] [--formats rjp,html,...] [NAME...]

Runs the program without a profile, with exact counts alone, and with each format written at the end; prints
a table in Markdown. Takes the smallest figures of the rounds, in which the runs take turns. With `--workloads`,
the programs are those of `DIR/run.sh` (see workloads.py), kernels left out, and the table has a row for each.

With `--shares`, for machines on which others work: `perf` tells how many of a run's samples of CPU time, but those of the system, fell
into the writing of the profile, which is a ratio of two figures of one run.

Not under a limit of address space (`ulimit -v`): where the tree's can't be reserved, contexts are folded, and it is another program
that is measured.
"""

import argparse
import math
import os
import re
import resource
import subprocess
import sys
import tempfile

from compare import ROOT

FORMATS = "rjp,html,json,pb.gz,speedscope.json,callgrind,flat,txt"


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--rjvm", default=os.path.join(ROOT, "target/release/rjvm"))
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--formats", default=FORMATS)
    options.add_argument("--workloads")
    options.add_argument("--shares", action="store_true")
    options.add_argument("command", nargs="*")
    options = options.parse_args()
    if resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY:
        sys.exit("under a limit of address space contexts are folded: no ulimit -v, please")
    if options.workloads:
        return applications(options)
    with tempfile.TemporaryDirectory() as folder:
        runs = {"off": [], "exact alone": ["--profile=exact"]}
        files = {}
        for name in options.formats.split(","):
            files[name] = os.path.join(folder, f"x.{name}")
            runs[name] = ["--profile=exact", "-o", files[name]]
        figures = {name: [] for name in runs}
        sizes = {}
        for _ in range(options.rounds):
            for name, more in runs.items():
                figures[name].append(measure([options.rjvm, "--quiet", *more, *options.command]))
                if name in files:
                    sizes[name] = os.path.getsize(files[name])
                    os.remove(files[name])
    cpu = {name: min(f[0] for f in figures[name]) for name in runs}
    memory = {name: min(f[1] for f in figures[name]) for name in runs}
    print("|  | CPU, s | to exact alone | peak memory, MB | to exact alone | size, kB |")
    print("|---|---|---|---|---|---|")
    for name in runs:
        ratio = [of[name] / of["exact alone"] for of in (cpu, memory)]
        size = f"{sizes[name] / 1000:.0f}" if name in sizes else ""
        print(f"| {name} | {cpu[name]:.2f} | {ratio[0]:.2f} | {memory[name] / 1024:.0f} | {ratio[1]:.2f} | {size} |")


def applications(options):
    run = os.path.join(options.workloads, "run.sh")
    listed = subprocess.run([run, "--list"], check=True, capture_output=True, text=True).stdout.split()
    names = options.command or [name for name in listed if not name.startswith("k-")]
    formats = options.formats.split(",")
    if options.shares:
        return shares(options, run, names, formats)
    print("|  | exact alone | " + " | ".join(f".{name} | CPU | memory" for name in formats) + " |")
    print("|---" * (2 + 3 * len(formats)) + "|")
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            figures = {}
            for kind in [None, *formats] * options.rounds:
                file = os.path.join(folder, f"x.{kind}")
                more = ["-o", file] if kind else []
                command = [run, name, options.rjvm, "--quiet", "--profile=exact", *more]
                out = subprocess.run(command, capture_output=True, text=True)
                got = re.search(r"cpu=([\d.]+)s rss=(\d+)MB", out.stdout)
                if out.returncode != 0 or not got:
                    sys.exit(f"{name} fails:\n{out.stdout}{out.stderr}")
                size = os.path.getsize(file) / 1e6 if kind else 0
                figures.setdefault(kind, []).append((float(got[1]), int(got[2]), size))
            least = {kind: [min(of) for of in zip(*rows)] for kind, rows in figures.items()}
            cpu, memory, _ = least[None]
            cells = [f"{cpu:.2f} s, {memory} MB"]
            for kind in formats:
                of = least[kind]
                cells += [f"{of[2]:.1f} MB", f"{of[0] / cpu:.2f}", f"{of[1] / memory:.2f}"]
            print(f"| {name} | {' | '.join(cells)} |", flush=True)


# What belongs to writing, by the names of functions, and what of that belongs to counting.
WRITING = r"rjvm_profiler|zlib_rs|crc|deflate|libz_|rjvm_cli::launcher|rjvm_run::profile|rjvm::|core::fmt|alloc::fmt|btree"
COUNTING = r"rjvm_profiler::cct::(Arena|node|index|Node)"


def shares(options, run, names, formats):
    """A row for each program: for each format, the ratios of CPU time and memory to exact counts alone."""
    print("| CPU, memory | exact alone | " + " | ".join(f"`.{kind}`" for kind in formats) + " |")
    print("|---" * (2 + len(formats)) + "|")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        data, rss = os.path.join(folder, "perf.data"), os.path.join(folder, "rss")
        # A relative name of the program would be one below the folder where run.sh works.
        perf = ["perf", "record", "-q", "-e", "cpu-clock", "-F", "3999", "-o", data]
        vm = [*perf, "/usr/bin/time", "-f", "%M", "-o", rss, os.path.abspath(options.rjvm)]
        for name in names:
            found = {}
            for kind in [None, *formats]:
                file = os.path.join(folder, f"x.{kind}")
                more = ["-o", file] if kind else []
                command = [run, name, *vm, "--quiet", "--profile=exact", *more]
                out = subprocess.run(command, capture_output=True, text=True)
                if out.returncode != 0:
                    sys.exit(f"{name} fails:\n{out.stdout}{out.stderr}")
                with open(rss, encoding="utf-8") as told:
                    memory = int(told.read().split()[-1])
                size = os.path.getsize(file) / 1e6 if kind else 0
                found[kind] = (part(data), memory, size)
            alone, least, _ = found[None]
            rows.append([((1 + at) / (1 + alone), memory / least, size) for at, memory, size in map(found.get, formats)])
            cells = " | ".join(f"{cpu:.2f}, {memory:.2f}" for cpu, memory, _ in rows[-1])
            print(f"| {name} | {least / 1024:.0f} MB | {cells} |", flush=True)
    columns = [list(zip(*column)) for column in zip(*rows)]
    means = [", ".join(f"**{math.exp(sum(map(math.log, of)) / len(of)):.2f}**" for of in column[:2]) for column in columns]
    print(f"| **geometric mean** | | {' | '.join(means)} |")
    sizes = [f"{min(column[2]):.1f} to {max(column[2]):.1f}" for column in columns]
    print(f"| size, MB | | {' | '.join(sizes)} |")


def part(data):
    """Samples in the writing of a profile, as a part of those elsewhere in the program."""
    report = ["perf", "report", "-i", data, "--sort", "comm,symbol", "--stdio", "-F", "sample,comm,symbol"]
    text = subprocess.run(report, check=True, capture_output=True, text=True).stdout
    writing = other = 0
    for samples, command, symbol in re.findall(r"^ *(\d+) +(\S+) +\[\.\] (.*)$", text, re.M):
        if not command.startswith("rjvm"):
            continue
        if re.search(WRITING, symbol) and not re.search(COUNTING, symbol):
            writing += int(samples)
        else:
            other += int(samples)
    return writing / max(other, 1)


def measure(command):
    """CPU seconds and peak memory in kB of a command; its output goes nowhere."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = child.stderr.read()
    _, status, used = os.wait4(child.pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"{' '.join(command)}\n{said.decode(errors='replace')}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss


if __name__ == "__main__":
    main()
