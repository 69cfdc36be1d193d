#!/usr/bin/env python3
"""Compares rjvm with the JVMs of this machine on whole programs, and prints Markdown.

    benches/workloads.py DIR [--rounds N] [--rjvm PATH] [--state FILE] [--jit] [WORKLOAD...]

DIR holds `run.sh`, where `run.sh --list` names the workloads and `run.sh NAME JVM...` runs one with the
command of a JVM, checks its result and prints `NAME ok SECONDS s cpu=SECONDSs rss=MEGABYTESMB`. Kernels
are those whose names begin with `k-`; all else is an application. rjvm runs on JDK 17 with counting off, exact,
exact without compiled code, by call site, by basic block, and sampling each 10000 bytecodes, and exact on
JDK 25; except with counting off, it writes the profile. Every JDK found in JAVA_HOME, on PATH and in
/usr/lib/jvm runs with -Xint (17 with -XX:StackShadowPages=10; by default it touches 20 pages below the
stack at each call), and with --jit as it comes. All take turns, N times (default 3). Times are CPU seconds
(user and system, all threads) and wall seconds, the smallest of the rounds; a workload's noise is the
largest ratio of a median of CPU seconds to their minimum. --state keeps what was measured, so that a run
that was interrupted continues.
"""

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

from compare import arguments, jdks_with_17, table

MODES = {
    "off": [],
    "exact": ["--profile=exact"],
    "exact, tier off": ["--profile=exact", "--tier=off"],
    "callsites": ["--profile=callsites"],
    "blocks": ["--profile=blocks"],
    "sample": ["--sample-gran=10000"],
}
EXACT_25 = "exact on 25"


def main():
    options = arguments(__doc__)
    options.add_argument("directory")
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--state")
    options.add_argument("--jit", action="store_true")
    options.add_argument("workloads", nargs="*")
    options = options.parse_intermixed_args()
    found = jdks_with_17()
    with tempfile.TemporaryDirectory() as scratch:
        compare(found, os.path.join(scratch, "profile.rjp"), options)


def compare(found, file, options):
    written = {mode: [*flags, "-o", file] if flags else [] for mode, flags in MODES.items()}
    vms = {mode: [options.rjvm, "--quiet", *flags] for mode, flags in written.items()}
    if 25 in found:
        vms[EXACT_25] = [options.rjvm, "--quiet", f"--java-home={found[25]}", *written["exact"]]
    for version, home in sorted(found.items()):
        java = os.path.join(home, "bin/java")
        vms[f"{version} -Xint"] = [java, "-Xint"] + (["-XX:StackShadowPages=10"] if version == 17 else [])
        if options.jit:
            vms[f"{version}"] = [java]
    run = os.path.join(options.directory, "run.sh")
    names = options.workloads or subprocess.run(
        [run, "--list"], check=True, capture_output=True, text=True
    ).stdout.split()
    runs = measure(run, names, vms, options)
    for title, kernels in (("Applications", False), ("Kernels", True)):
        group = {name: runs[name] for name in names if name.startswith("k-") == kernels}
        if group:
            report(title, group, vms)


def measure(run, names, vms, options):
    """{workload: {vm: [(CPU seconds, MB, wall seconds) of each round]}}"""
    runs = {}
    if options.state and os.path.exists(options.state):
        with open(options.state, encoding="utf-8") as f:
            runs = json.load(f)
    done, total = 0, options.rounds * len(names) * len(vms)
    begin = time.monotonic()
    for number in range(options.rounds):
        for name in names:
            for vm, command in vms.items():
                done += 1
                taken = runs.setdefault(name, {}).setdefault(vm, [])
                if len(taken) > number:
                    continue
                print(f"\r{time.monotonic() - begin:5.0f} s  {done}/{total} {name} {vm}\033[K", end="", file=sys.stderr)
                out = subprocess.run([run, name, *command], capture_output=True, text=True)
                got = re.search(r"ok ([\d.]+) s cpu=([\d.]+)s(?: rss=(\d+)MB)?", out.stdout)
                if out.returncode != 0 or not got:
                    sys.exit(f"\n{name} fails on {vm}:\n{out.stdout}{out.stderr}")
                taken.append((float(got[2]), int(got[3] or 0), float(got[1])))
                if options.state:
                    with open(options.state + ".new", "w", encoding="utf-8") as f:
                        json.dump(runs, f)
                    os.replace(options.state + ".new", options.state)
    print("\r\033[K", end="", file=sys.stderr)
    return runs


def report(title, group, vms):
    interpreters = [vm for vm in vms if vm.endswith("-Xint")]
    jits = [vm for vm in vms if vm.isdigit()]
    for time_of, unit in ((0, "CPU seconds"), (2, "wall seconds")):
        taken = {name: {vm: min(r[time_of] for r in of[vm]) for vm in vms} for name, of in group.items()}
        print(f"### {title}: {unit}\n")
        rows = []
        for name, of in taken.items():
            noise = max(statistics.median(r[time_of] for r in rs) / min(r[time_of] for r in rs) for rs in group[name].values())
            rows.append([name.removeprefix("k-"), *(f"{of[vm]:.2f}" for vm in vms), f"{100 * (noise - 1):.0f} %"])
        table(["", *vms, "noise"], rows)

        ratios = {"exact / best -Xint": lambda of: of["exact"] / min(of[vm] for vm in interpreters)}
        for vm in jits:
            exact = EXACT_25 if vm == "25" else "exact"
            ratios[f"{exact} / {vm}"] = lambda of, vm=vm, exact=exact: of[exact] / of[vm]
        for mode in ("exact", "callsites", "blocks", "sample"):
            ratios[f"{mode} / off"] = lambda of, mode=mode: of[mode] / of["off"]
        ratios["exact, tier on / off"] = lambda of: of["exact"] / of["exact, tier off"]
        print(f"### {title}: ratios of {unit}\n")
        rows = [
            [name.removeprefix("k-"), *(f"{ratio(of):.2f}" for ratio in ratios.values())] for name, of in taken.items()
        ]
        means = (statistics.geometric_mean(map(ratio, taken.values())) for ratio in ratios.values())
        rows.append(["**geometric mean**", *(f"**{mean:.2f}**" for mean in means)])
        table(["", *ratios], rows)

    print(f"### {title}: peak memory, MB\n")
    rows = [
        [name.removeprefix("k-"), *(f"{min(r[1] for r in of[vm])}" for vm in vms)] for name, of in group.items()
    ]
    table(["", *vms], rows)


if __name__ == "__main__":
    main()
