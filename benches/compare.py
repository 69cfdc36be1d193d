#!/usr/bin/env python3
"""Compares rjvm with the JVMs of this machine, and prints Markdown.

    benches/compare.py [--rounds N] [--rjvm PATH] [KERNEL...]

The kernels of benches/java/Kernels.java run on rjvm (counting off, exact) and on `java -Xint` of every
JDK found in JAVA_HOME, on PATH and in /usr/lib/jvm. The VMs take turns, N times (default 5), and each run
times its kernel three times (thread CPU time), so that a busy machine disturbs all of them alike. Then
Hello World: time from start to end, and peak memory. Needs `cargo build --release` before, and Linux.
"""

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
KERNELS = ["fib", "sieve", "longs", "virtual", "matmul", "exceptions"]


def jdks():
    """{version: home} of the JDKs found, one for each feature version."""
    found = {}
    java = shutil.which("java")
    homes = [os.environ.get("JAVA_HOME")]
    homes += [os.path.dirname(os.path.dirname(os.path.realpath(java)))] if java else []
    if os.path.isdir("/usr/lib/jvm"):
        homes += sorted(os.path.join("/usr/lib/jvm", n) for n in os.listdir("/usr/lib/jvm"))
    for home in filter(None, homes):
        try:
            with open(os.path.join(home, "release"), encoding="utf-8") as f:
                version = re.search(r'JAVA_VERSION="(\d+)', f.read())
        except OSError:
            continue
        if version and os.access(os.path.join(home, "bin/java"), os.X_OK):
            found.setdefault(int(version[1]), home)
    return found


def arguments(doc):
    """The parser of a script's options, with the one that all have."""
    options = argparse.ArgumentParser(description=doc.split("\n")[0])
    options.add_argument("--rjvm", default=os.path.join(ROOT, "target/release/rjvm"))
    return options


def jdks_with_17():
    """`jdks()`, JDK 17 among them, whose class library rjvm then uses."""
    found = jdks()
    if 17 not in found:
        sys.exit("no JDK 17: rjvm needs its class library")
    os.environ["JAVA_HOME"] = found[17]
    return found


def timed(command):
    """Wall milliseconds, peak MiB and standard output of a run."""
    begin = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    out, err = child.stdout.read(), child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"{' '.join(command)} fails:\n{err}")
    return (time.monotonic() - begin) * 1000, usage.ru_maxrss / 1024, out


def table(header, rows):
    print("| " + " | ".join(header) + " |")
    print("|---" * len(header) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def main():
    options = arguments(__doc__)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("kernels", nargs="*", default=KERNELS)
    options = options.parse_args()
    found = jdks_with_17()

    vms = {
        "rjvm": [options.rjvm],
        "rjvm exact": [options.rjvm, "--profile=exact", "--quiet"],
    }
    for version, home in sorted(found.items()):
        vms[f"JDK {version} -Xint"] = [os.path.join(home, "bin/java"), "-Xint"]
        if version == 17:
            # its default touches 20 pages below the stack at each call
            vms["JDK 17 -Xint, 10 shadow pages"] = vms["JDK 17 -Xint"] + ["-XX:StackShadowPages=10"]

    with tempfile.TemporaryDirectory() as classes:
        sources = [os.path.join(ROOT, "benches/java", f) for f in ("Kernels.java", "Hello.java")]
        subprocess.run([os.path.join(found[17], "bin/javac"), "-d", classes, *sources], check=True)
        compare_kernels(vms, classes, options)
        compare_hello(vms, classes, options)


def compare_kernels(vms, classes, options):
    times = {kernel: {vm: [] for vm in vms} for kernel in options.kernels}
    for _ in range(options.rounds):
        for kernel in options.kernels:
            checks = set()
            for vm, command in vms.items():
                _, _, out = timed([*command, "-cp", classes, "Kernels", kernel, "3"])
                check, *values = out.split()
                checks.add(check)
                times[kernel][vm] += [float(v) for v in values]
            if len(checks) != 1:
                sys.exit(f"the VMs compute different results for {kernel}: {checks}")
    print(f"Thread CPU milliseconds: minimum (median) of {3 * options.rounds} runs.\n")
    rows = [
        [kernel] + [f"{min(t):.0f} ({statistics.median(t):.0f})" for t in of.values()]
        for kernel, of in times.items()
    ]
    table(["kernel", *vms], rows)

    print("Minimum of rjvm divided by that of the other; below 1, rjvm is faster.\n")
    others = [vm for vm in vms if not vm.startswith("rjvm")]
    rows = []
    for ours in ("rjvm", "rjvm exact"):
        for kernel, of in times.items():
            rows.append([f"{ours}, {kernel}"] + [f"{min(of[ours]) / min(of[o]):.2f}" for o in others])
        means = [
            statistics.geometric_mean(min(of[ours]) / min(of[o]) for of in times.values()) for o in others
        ]
        rows.append([f"**{ours}, geometric mean**"] + [f"**{m:.2f}**" for m in means])
    table(["", *others], rows)


def compare_hello(vms, classes, options):
    vms = dict(vms)
    for vm, command in list(vms.items()):
        if vm.endswith("-Xint"):
            vms[vm.removesuffix(" -Xint")] = command[:1]
        if "-Xint" in command:
            del vms[vm]
    runs = {vm: [] for vm in vms}
    for _ in range(2 * options.rounds):
        for vm, command in vms.items():
            runs[vm].append(timed([*command, "-cp", classes, "Hello"]))
    print(f"Hello World, minimum (median) of {2 * options.rounds} runs.\n")
    rows = []
    for vm, of in runs.items():
        wall, peak = [r[0] for r in of], [r[1] for r in of]
        rows.append([vm, f"{min(wall):.0f} ({statistics.median(wall):.0f})", f"{statistics.median(peak):.0f}"])
    table(["VM", "wall ms", "peak MiB"], rows)


if __name__ == "__main__":
    main()
