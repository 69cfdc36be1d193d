#!/usr/bin/env python3
"""Compares `rjvm bench` with JMH on ten benchmarks with planted regressions, and writes docs/comparisons/benchmarks.md.

    comparisons/benchmarks.py [--rounds N] [--again]

Each benchmark does 1, 2, 5 and 10 % more in turn, and N times (20) the same as before: what is reported then is a false alarm. Two rules
judge JMH's scores (the 99.9 % confidence intervals do not overlap; more than 5 % worse); `rjvm bench` reports counts that have grown. Needs
Maven, JDK 17, and rjvm (target/release/rjvm, or RJVM).
"""

import argparse
import datetime
import json
import os
import re
import shutil

import common

WORK = os.path.join(common.WORK, "benchmarks")
JMH = "1.37"
NAMES = "loop array objects text hash tree sort recursion exceptions regex".split()
PLANTED = (1, 2, 5, 10)
SETTINGS = "-f 1 -wi 3 -w 100ms -i 5 -r 100ms -bm avgt -tu us".split()


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--rounds", type=int, default=20)
    options.add_argument("--again", action="store_true", help="JMH measures its baseline again before each run")
    options = options.parse_args()
    home = common.jdks()[17]
    sources = [os.path.join(common.HERE, "java", f"{n}.java") for n in ("Work", "WorkJmh")]
    cp = common.class_path("benchmarks/jmh", [f"org.openjdk.jmh:jmh-core:{JMH}", f"org.openjdk.jmh:jmh-generator-annprocess:{JMH}"])
    plain, jmh = os.path.join(WORK, "plain"), os.path.join(WORK, "jmh-classes")
    common.javac(home, sources[:1], plain)
    common.javac(home, sources, jmh, cp, [], cp)
    out = os.path.join(WORK, "out")
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    os.chdir(out)
    # One run of JMH is judged by two rules.
    tools = {
        "JMH, intervals": lambda more: run_jmh(home, jmh, cp, more),
        "JMH, 5 %": lambda more: by_mean(),
        "rjvm bench": lambda more: run_rjvm(home, plain, more),
    }
    found = {t: {p: 0 for p in PLANTED} for t in tools}
    alarms, runs, cpu, wall = ({t: 0 for t in tools} for _ in range(4))
    bases = {tool: measure(0)[0] for tool, measure in tools.items()}
    plan = [*PLANTED, *[0] * options.rounds]
    for number, more in enumerate(plan):
        if options.again:
            # The machine is not the same a while later.
            bases["JMH, intervals"] = tools["JMH, intervals"](0)[0]
            bases["JMH, 5 %"] = by_mean()[0]
        for tool, measure in tools.items():
            scores, took, lasted = measure(more)
            worse = [n for n in NAMES if scores[n][0] > bases[tool][n][1]]
            if more:
                found[tool][more] = len(worse)
            else:
                alarms[tool] += len(worse)
                runs[tool] += 1
            cpu[tool] += took
            wall[tool] += lasted
            print(f"{number + 1}/{len(plan)} {more} % {tool}: {worse} {took:.1f} s", flush=True)
    rows = [
        *([f"regressions of {p} % found", *(f"{found[t][p]} of {len(NAMES)}" for t in tools)] for p in PLANTED),
        ["false alarms", *(f"{alarms[t]} in {runs[t]} runs of {len(NAMES)} benchmarks" for t in tools)],
        ["CPU seconds of a run", *(f"{cpu[t] / len(plan):.1f}" if cpu[t] else "the same" for t in tools)],
        ["wall-clock seconds of a run", *(f"{wall[t] / len(plan):.1f}" if wall[t] else "the same" for t in tools)],
    ]
    common.write(os.path.join(common.DOCS, "benchmarks.md"), f"""# Benchmarks: rjvm bench and JMH

`comparisons/benchmarks.py` writes this page. Ten small benchmarks (`comparisons/java/Work.java`) do 1, 2, 5 and 10 % more iterations than in the baseline, and then
the same again. JMH itself does not compare runs, so two rules judge its scores: the 99.9 % confidence intervals of baseline and run do not overlap (*intervals*), and
the score is more than 5 % worse (*5 %*). {'JMH measures its baseline again before each run.' if options.again else 'Both measure their baseline once, at the start, as a stored baseline is.'} `rjvm bench` reports a regression if a benchmark executes more bytecodes than in the baseline, its default.

Measured {datetime.date.today().isoformat()} with {common.rjvm_version()}, JMH {JMH} (`{' '.join(SETTINGS)}`), JDK {common.java_version(home)}, on a machine that was busy
with other work, as build servers are. JMH does better on a quiet machine, and with more and longer iterations.

{common.table(["", *tools], rows)}
JMH is better at its own question: how long a method takes when compiled code runs on this processor. A change that executes the same number of bytecodes and is slower
(cache misses, a method that is no longer inlined, a slower native method) is a regression that only JMH can report. `rjvm bench` reports each change of
the work, however small, and nothing else.
""")


def run_jmh(home, classes, cp, more):
    done = common.run([os.path.join(home, "bin/java"), "-cp", ":".join([classes, *cp]), "org.openjdk.jmh.Main", *SETTINGS, "-rf", "json", "-rff", "jmh.json",
                       "-jvmArgsAppend", f"-Dmore={more}", "WorkJmh"], 600)
    scores = {}
    for result in json.loads(common.read("jmh.json")):
        low, high = result["primaryMetric"]["scoreConfidence"]
        scores[result["benchmark"].rpartition(".")[2]] = (low, high)
    return scores, done.cpu, done.wall


def by_mean():
    """The last run of JMH, judged by its scores alone: 5 % are permitted."""
    means = {r["benchmark"].rpartition(".")[2]: r["primaryMetric"]["score"] for r in json.loads(common.read("jmh.json"))}
    return {n: (m, m * 1.05) for n, m in means.items()}, 0, 0


def run_rjvm(home, classes, more):
    methods = ",".join(f"work.Work::{n}" for n in NAMES)
    baseline = os.path.exists("baseline.txt")
    done = common.run([common.RJVM, "bench", f"--methods={methods}", "--baseline=baseline.txt", *([] if baseline else ["--save"]), "--json", "--rows=0",
                       f"--java-home={home}", f"-Dmore={more}", "-cp", classes], 600)
    if not baseline:
        return {n: (0, 0) for n in NAMES}, done.cpu, done.wall
    worse = set(regressed(json.loads(done.out)))
    return {n: (1, 1) if n in worse else (0, 0) for n in NAMES}, done.cpu, done.wall


def regressed(results):
    """The benchmarks with a limit that is exceeded."""
    return [b["name"].rpartition("::")[2] for b in results["benchmarks"] if not b["passed"]]


if __name__ == "__main__":
    main()
