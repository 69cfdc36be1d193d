#!/usr/bin/env python3
"""What profiles cost: CPU seconds, peak memory and size of the file for each format, of one program.

    benches/costs.py [--rjvm PATH] [--rounds N] [--formats rjp,html,...] -- OPTIONS MAIN ARGS

Runs the program without a profile, with exact counts alone, and with each format written at the end; prints
a table in Markdown. Takes the smallest figures of the rounds, in which the runs take turns.
"""

import argparse
import os
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
    options.add_argument("command", nargs="+")
    options = options.parse_args()
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
