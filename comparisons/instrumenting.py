#!/usr/bin/env python3
"""Compares rjvm's exact profiles with those of class files that count for themselves, on HotSpot's compilers.

    comparisons/instrumenting.py DIR [--rounds N] [--jdk 17|25]... [--state FILE] [WORKLOAD...]

DIR holds `run.sh` as benches/workloads.py expects it. Writes docs/comparisons/instrumenting.md. Needs Maven, JDK 17 and 25, and rjvm
(target/release/rjvm, or RJVM). --state keeps what was measured, so that a run that was interrupted continues.
"""

import argparse
import datetime
import json
import os
import re
import statistics
import subprocess
import sys

import common

WORK = os.path.join(common.WORK, "instrumenting")
SOURCES = os.path.join(common.HERE, "java/instrumenting")
ASM = "9.9"


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("directory")
    options.add_argument("--rounds", type=int, default=2)
    options.add_argument("--jdk", type=int, action="append")
    options.add_argument("--state")
    options.add_argument("workloads", nargs="*")
    options = options.parse_args()
    run = os.path.join(options.directory, "run.sh")
    names = options.workloads or subprocess.run([run, "--list"], check=True, capture_output=True, text=True).stdout.split()
    rows = {}
    if options.state and os.path.exists(options.state):
        with open(options.state, encoding="utf-8") as f:
            rows = json.load(f)
    versions = options.jdk or [17, 25]
    for version in versions:
        for name in names:
            of_jdk = rows.setdefault(str(version), {})
            if name not in of_jdk:
                of_jdk[name] = measure(options, run, name, version)
                if options.state:
                    common.write(options.state, json.dumps(rows))
    page(options, versions, names, rows)


def measure(options, run, name, version):
    """Runs all variants of a workload in turns: wall and CPU seconds, and megabytes."""
    home = common.jdks()[version]
    java = os.path.join(home, "bin/java")
    file = os.path.join(WORK, "profile")
    rjvm = [common.RJVM, "--quiet", f"--java-home={home}", "--profile=exact", "-o", file + ".rjp"]
    variants = {
        "java": [java],
        "counting": [java, *counting_options(home, file)],
        "rjvm": rjvm,
        "tier off": [*rjvm, "--tier=off"],
    }
    found = {variant: [] for variant in variants}
    for number in range(options.rounds):
        for variant, command in variants.items():
            print(f"\r{name} on {version}, {variant}, {number + 1}\033[K", end="", file=sys.stderr)
            out = subprocess.run([run, name, *command], capture_output=True, text=True)
            printed = re.search(r"ok ([\d.]+) s cpu=([\d.]+)s(?: rss=(\d+)MB)?", out.stdout)
            found[variant].append(tuple(map(float, printed.groups())) if printed and out.returncode == 0 else None)
    print("\r\033[K", end="", file=sys.stderr)
    return found


def counting_options(home, file):
    """The options of a JDK whose class library counts, and whose agent makes the program count. Builds both once."""
    cp = common.class_path("instrumenting", [f"org.ow2.asm:asm-tree:{ASM}"])
    version = common.java_version(home)
    tool, agent, ahead = (os.path.join(WORK, version, part) for part in ("tool", "agent", "ahead"))
    jar = os.path.join(WORK, version, "agent.jar")
    java = os.path.join(home, "bin/java")
    base = os.path.join(ahead, "java.base")
    listed = os.path.join(ahead, "methods.txt")
    source = {name: os.path.join(SOURCES, name + ".java") for name in ("Ahead", "Counters", "Counting", "Agent", "java/lang/CallNode")}
    if not os.path.exists(jar):
        common.javac(home, [source["Ahead"], source["Counters"]], tool, cp)
        subprocess.run([java, "-cp", ":".join([tool, *cp]), "Ahead", ahead], check=True)
        javac = [os.path.join(home, "bin/javac"), "-nowarn"]
        subprocess.run([*javac, f"--patch-module=java.base={base}:{SOURCES}", "-d", base, source["java/lang/CallNode"]], check=True)
        subprocess.run(
            [*javac, f"--patch-module=java.base={base}", "-cp", ":".join([tool, *cp]), "-d", tool, source["Counting"]], check=True)
        common.javac(home, [source["Agent"]], agent)
        manifest = os.path.join(WORK, version, "manifest")
        common.write(manifest, "Premain-Class: Agent\n")
        subprocess.run([os.path.join(home, "bin/jar"), "cfm", jar, manifest, "-C", agent, "Agent.class"], check=True)
    with open(listed, encoding="utf-8") as f:
        methods = sum(1 for _ in f)
    # a module that is patched has to be there: those that a program on the class path gets
    shown = subprocess.run([java, "-XshowSettings:none", "--show-module-resolution", "-version"], capture_output=True, text=True).stdout
    modules = sorted({m for m in re.findall(r"^root (\S+) |^\S+ (?:requires|binds) (\S+) ", shown, re.M) for m in m if m} | {"java.base"})
    arguments = os.path.join(WORK, version, "arguments")
    lines = [f"--patch-module={m}={os.path.join(ahead, m)}" for m in modules if os.path.isdir(os.path.join(ahead, m))]
    common.write(arguments, "\n".join([*lines, f"-javaagent:{jar}={file},{methods},{':'.join([tool, *cp])}"]) + "\n")
    return ["@" + arguments]


def page(options, versions, names, rows):
    variants = ("java", "counting", "rjvm", "tier off")
    columns = [
        ("counting / java, CPU", "counting", "java", 1), ("rjvm / java, CPU", "rjvm", "java", 1), ("rjvm / tier off, CPU", "rjvm", "tier off", 1),
        ("counting / java, wall", "counting", "java", 0), ("rjvm / java, wall", "rjvm", "java", 0),
        ("counting / java, memory", "counting", "java", 2), ("rjvm / java, memory", "rjvm", "java", 2),
    ]
    parts = []
    for version in versions:
        of_jdk = rows[str(version)]

        def least(name, variant, part):
            values = [v[part] for v in of_jdk[name][variant] if v]
            return min(values) if values else None

        def ratio(name, above, below, part):
            a, b = least(name, above, part), least(name, below, part)
            return a / b if a and b else None

        for title, kernels in (("applications", False), ("kernels", True)):
            group = [name for name in names if name.startswith("k-") == kernels]
            if not group:
                continue
            body = []
            for name in group:
                cells = [ratio(name, *column[1:]) for column in columns]
                seconds = [least(name, v, 1) for v in variants]
                body.append([name.removeprefix("k-"), *(f"{s:.2f}" if s else "fails" for s in seconds), *(f"{c:.2f}" if c else "" for c in cells)])
            means = []
            for column in columns:
                values = [v for v in (ratio(name, *column[1:]) for name in group) if v]
                means.append(f"**{statistics.geometric_mean(values):.2f}**" if values else "")
            body.append(["**geometric mean**", *([""] * len(variants)), *means])
            headings = ["", *(v + ", s" for v in variants), *(c[0] for c in columns)]
            parts.append(f"## JDK {version}, {title}\n\n" + common.table(headings, body))
    jdks = " and ".join(f"JDK {common.java_version(common.jdks()[v])}" for v in versions)
    common.write(os.path.join(common.DOCS, "instrumenting.md"), f"""# Class files that count

`comparisons/instrumenting.py` writes this page. Measured {datetime.date.today().isoformat()} with {common.rjvm_version()}, {jdks}, on two cores, the smallest of
{options.rounds} runs in turns.

A profiler can count bytecodes without a separate VM: it writes counters into class files, and HotSpot compiles them with the rest. The
paper JP describes such a profiler. `comparisons/java/instrumenting` has one for this comparison: each method enters its calling context,
each basic block adds its length to it, and each thread keeps its context in a field of `Thread`. The class library is instrumented
ahead of time, the program when it loads. Both profilers write their profile to a file.

The columns have CPU seconds (user and system, all threads), and the ratios of CPU time, wall time and peak memory to `java` without
a profiler. *tier off* is rjvm without compiled code.

What the counting class files leave out, and rjvm has: native methods, hidden classes (as those of lambdas), the VM's start, `Object`,
what a method executes in a block that an exception leaves, `--profile=callsites`, limits of memory, and one result for each run.

""" + "\n".join(parts))


if __name__ == "__main__":
    main()
