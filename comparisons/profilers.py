#!/usr/bin/env python3
"""Compares rjvm's profiles, coverage, recordings and heap dumps with the tools that others read or write them with.

    comparisons/profilers.py [--rounds N]

Writes docs/comparisons/profilers.md. Needs Maven, JDK 17, and rjvm (target/release/rjvm, or RJVM). async-profiler samples by timer
(itimer, 1 ms: hardware events are often not permitted), JFR with its settings `profile` (10 ms).
"""

import argparse
import collections
import datetime
import glob
import json
import os
import re
import shutil
import statistics
import subprocess
import zipfile

import common

WORK = os.path.join(common.WORK, "profilers")
JAVA = os.path.join(common.HERE, "java")
SHARES = {"four": 4, "twelve": 12, "twentyEight": 28, "fiftySix": 56}
ASYNC, JACOCO, JMC, HPROF = "4.1", "0.8.15", "9.1.0", "0.16"


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--rounds", type=int, default=5)
    options = options.parse_args()
    home = common.jdks()[17]
    java = os.path.join(home, "bin/java")
    shutil.rmtree(os.path.join(WORK, "out"), ignore_errors=True)
    os.makedirs(os.path.join(WORK, "out"))
    os.chdir(os.path.join(WORK, "out"))
    parts = [attribution(home, java, options.rounds), coverage(home, java), invocations(home, java), recordings(home, java), dumps(home, java)]
    common.write(os.path.join(common.DOCS, "profilers.md"), f"""# Profiles, coverage, recordings and heap dumps

`comparisons/profilers.py` writes this page. Measured {datetime.date.today().isoformat()} with {common.rjvm_version()}, JDK {common.java_version(home)}, async-profiler
{ASYNC}, JaCoCo {JACOCO}, JMC's parser {JMC}, and the heap parser of NetBeans (hprof-heap {HPROF}), on a machine that was busy with other work.

""" + "\n".join(parts))


def compile_driver(home, name, deps=()):
    cp = common.class_path(f"profilers/{name.lower()}", list(deps)) if deps else []
    out = os.path.join(WORK, f"classes-{name}")
    common.javac(home, [os.path.join(JAVA, f"{name}.java")], out, cp)
    return [out, *cp]


def attribution(home, java, rounds):
    """Shares of four methods with 4, 12, 28 and 56 % of the same loop."""
    classes = compile_driver(home, "HotSpots")[0]
    jar = common.class_path("profilers/async", [f"tools.profiler:async-profiler:{ASYNC}"])[0]
    library = os.path.join(WORK, "libasyncProfiler.so")
    with zipfile.ZipFile(jar) as z, open(library, "wb") as f:
        f.write(z.read("linux-x64/libasyncProfiler.so"))
    tools = {
        "rjvm, exact": lambda n, i: rjvm_shares(home, classes, n, i),
        "rjvm, every 10000th bytecode": lambda n, i: rjvm_shares(home, classes, n, i, ["--sample-gran=10000"]),
        "async-profiler": lambda n, i: async_shares(java, classes, library, n, i),
        "JFR": lambda n, i: jfr_shares(home, java, classes, n, i),
    }
    rows = []
    for length, times in (("long", 100_000), ("short", 2_000)):
        for name, measure in tools.items():
            runs, cpu, samples = [], [], []
            for i in range(rounds):
                shares, took, count = measure(times, i)
                runs.append(shares)
                cpu.append(took)
                samples.append(count)
            worst = max(abs(r.get(m, 0) - s) for r in runs for m, s in SHARES.items())
            spread = max(max(r.get(m, 0) for r in runs) - min(r.get(m, 0) for r in runs) for m in SHARES)
            rows.append([f"{length}, {times:,} rounds", name, f"{statistics.median(samples):,.0f}", f"{worst:.2f}", f"{spread:.2f}", f"{statistics.median(cpu):.2f}"])
            print(rows[-1], flush=True)
    return f"""## Planted hot spots

Four methods run the same loop, for 4, 12, 28 and 56 % of the iterations. The error is the largest difference of a method's share from the planted one, in
percentage points, in {rounds} runs; the spread is the largest difference between two runs. rjvm's shares are of bytecodes, the others' of time, which is the same
here, and in few real programs. async-profiler and JFR see the program at full speed, and see time, caches and native code.

{common.table(["run", "tool", "samples or counts ", "error, points ", "spread, points ", "CPU s "], rows)}"""


def percent(counts):
    total = sum(counts.values())
    return {m: 100 * counts[m] / total if total else 0 for m in SHARES}, sum(counts.values())


def rjvm_shares(home, classes, times, i, flags=("--profile=exact",)):
    out = "profile.callgrind"
    done = common.run([common.RJVM, f"--java-home={home}", "--quiet", *flags, "--include=HotSpots", "-o", out, "-cp", classes, "HotSpots", str(times)], 300)
    counts, method, names = collections.Counter(), None, {}
    skip = False
    for line in common.read(out).splitlines():
        name = re.match(r"(c?)fn=\((\d+)\)(?: HotSpots::(\w+))?", line)
        if name:
            if name[3]:
                names[name[2]] = name[3]  # the name stands where its number is first used
            method = method if name[1] else names.get(name[2])
        elif line.startswith("calls="):
            skip = True
        elif re.match(r"\d+ \d+", line):
            if not skip and method in SHARES:
                counts[method] += int(line.split()[1])
            skip = False
    shares, count = percent(counts)
    return shares, done.cpu, count


def async_shares(java, classes, library, times, i):
    out = f"async-{times}-{i}.collapsed"
    done = common.run([java, f"-agentpath:{library}=start,event=itimer,interval=1ms,collapsed,file={out}", "-cp", classes, "HotSpots", str(times)], 300)
    counts = collections.Counter()
    for line in common.read(out).splitlines() if os.path.exists(out) else []:
        stack, _, count = line.rpartition(" ")
        top = re.search(r"HotSpots\.(\w+)", stack.split(";")[-1])
        if top and top[1] in SHARES:
            counts[top[1]] += int(count)
    shares, count = percent(counts)
    return shares, done.cpu, count


def jfr_shares(home, java, classes, times, i):
    out = f"jfr-{times}-{i}.jfr"
    done = common.run([java, f"-XX:StartFlightRecording=filename={out},settings=profile", "-Xlog:disable", "-cp", classes, "HotSpots", str(times)], 300)
    text = subprocess.run([os.path.join(home, "bin/jfr"), "print", "--stack-depth", "1", "--events", "jdk.ExecutionSample", out], capture_output=True, text=True).stdout
    counts = collections.Counter(m for m in re.findall(r"HotSpots\.(\w+)\(", text) if m in SHARES)
    shares, count = percent(counts)
    return shares, done.cpu, count


def coverage(home, java):
    """The lines that JaCoCo finds covered, and those with an exact count."""
    program = os.path.join(WORK, "classes-ThreeBugs")
    common.javac(home, [os.path.join(common.ROOT, "examples/ThreeBugs.java")], program)
    driver = compile_driver(home, "Covered", [f"org.jacoco:org.jacoco.core:{JACOCO}"])
    agent = next(p for p in common.class_path("profilers/jacoco", [f"org.jacoco:org.jacoco.agent:{JACOCO}:runtime"]) if "runtime" in p)
    rows, total = [], []
    for argument in ("0", "1", "30"):
        for f in ("jacoco.exec", "ours.exec"):
            if os.path.exists(f):
                os.remove(f)
        theirs = common.run([java, f"-javaagent:{agent}=destfile=jacoco.exec", "-cp", program, "ThreeBugs", argument], 120)
        ours = common.run([common.RJVM, f"--java-home={home}", "--quiet", "--profile=blocks", "--include=ThreeBugs", "-o", "lines.callgrind", "-cp", program,
                           "ThreeBugs", argument], 120)
        under = common.run([common.RJVM, f"--java-home={home}", f"-javaagent:{agent}=destfile=ours.exec", "-cp", program, "ThreeBugs", argument], 120)
        read = lambda f: common.run([java, "-cp", ":".join(driver), "Covered", f, *glob.glob(program + "/*.class")], 60).out
        covered = {int(a) for a, b in re.findall(r"line (\d+) (\d+)", read("jacoco.exec")) if b != "0"}
        counted = set()
        skip = False
        for line in common.read("lines.callgrind").splitlines():
            if line.startswith("calls="):
                skip = True
            elif re.match(r"\d+ \d+$", line):
                if not skip:
                    counted.add(int(line.split()[0]))
                skip = False
        same = read("jacoco.exec") == read("ours.exec")
        rows.append([f"`ThreeBugs {argument}`", len(covered), len(counted), ", ".join(map(str, sorted(covered - counted))) or "none",
                     ", ".join(map(str, sorted(counted - covered))) or "none", "equal" if same else "differs", f"{theirs.cpu:.2f}", f"{ours.cpu:.2f}"])
        print(rows[-1], flush=True)
    return f"""## Coverage

JaCoCo's agent marks probes that were reached; rjvm counts each basic block (`--profile=blocks`), so a line has a number instead of a mark. A line is counted here
if rjvm has bytecodes for it. *Under rjvm* compares JaCoCo's file of a run on `java` with its file of a run on rjvm. JaCoCo is better for coverage: it has reports,
branches, merging and limits, and the program runs at full speed.

{common.table(["program", "lines by JaCoCo ", "lines by rjvm ", "JaCoCo alone", "rjvm alone", "JaCoCo under rjvm", "JaCoCo CPU s ", "rjvm CPU s "], rows)}"""


def invocations(home, java):
    """Methods whose probes JaCoCo saw, and their calls in the exact profile of the same run."""
    driver = compile_driver(home, "Covered", [f"org.jacoco:org.jacoco.core:{JACOCO}"])
    agent = next(p for p in common.class_path("profilers/jacoco", [f"org.jacoco:org.jacoco.agent:{JACOCO}:runtime"]) if "runtime" in p)
    bugs = os.path.join(WORK, "classes-ThreeBugs")
    common.javac(home, [os.path.join(common.ROOT, "examples/ThreeBugs.java")], bugs)
    common.write(os.path.abspath("E.g4"), "grammar E; s : e EOF ; e : e '*' e | e '+' e | N ; N : [0-9]+ ; W : ' ' -> skip ;\n")
    asm = common.class_path("profilers/asm", ["org.ow2.asm:asm-util:9.9"])
    antlr = common.class_path("profilers/antlr", ["org.antlr:antlr4:4.13.2"])
    rows = []
    for name, cp, command, analyzed in (
        ("`ThreeBugs 1`", [bugs], ["ThreeBugs", "1"], glob.glob(bugs + "/*.class")),
        ("asm's `Textifier`", asm, ["org.objectweb.asm.util.Textifier", bugs + "/ThreeBugs.class"], asm),
        ("`org.antlr.v4.Tool`", antlr, ["org.antlr.v4.Tool", "-o", "made", "E.g4"], antlr),
    ):
        for f in ("calls.exec", "calls.rjp"):
            if os.path.exists(f):
                os.remove(f)
        common.run([common.RJVM, f"--java-home={home}", "--quiet", "--profile=exact", "--scope=all", "-o", "calls.rjp", f"-javaagent:{agent}=destfile=calls.exec",
                    "-cp", ":".join(cp), *command], 300)
        top = subprocess.run([common.RJVM, "profile", "top", "--limit=0", "--json", "calls.rjp"], capture_output=True, text=True, check=True)
        calls = {m["method"]: m["invocations"] for m in json.loads(top.stdout)["methods"]}
        read = common.run([java, "-cp", ":".join(driver), "Covered", "calls.exec", *analyzed], 120).out
        seen, unseen, without, unmarked = 0, 0, [], []
        for method, covered in re.findall(r"^method (\S+) (\d+)$", read, re.M):
            owner, _, rest = method.partition(".")
            n = calls.get(f"{owner.replace('/', '.')}.{rest}", 0)
            if int(covered) > 0:
                seen += 1
                without += [method] if n == 0 else []
            else:
                unseen += 1
                unmarked += [method] if n > 0 else []
        rows.append([name, seen, len(without), unseen, ", ".join(f"`{m}`" for m in unmarked) or "none"])
        print(rows[-1], without, flush=True)
    return f"""## Invocations and coverage

One run on rjvm has JaCoCo's agent and the exact profile of everything (`--scope=all`). A method with a probe that was hit must have calls in the profile, and
a method without one must have none. The exception is a method that throws, or ends the program, before its first probe: it has calls, and JaCoCo does not see it.

{common.table(["program", "methods with a probe hit ", "of these without calls ", "methods without a probe hit ", "of these with calls"], rows)}"""


def recordings(home, java):
    """rjvm's JFR files by JMC's parser, async-profiler's converter and the JDK's jfr."""
    classes = compile_driver(home, "HotSpots")[0]
    jmc = compile_driver(home, "Recording", [f"org.openjdk.jmc:flightrecorder:{JMC}"])
    converter = common.class_path("profilers/converter", [f"tools.profiler:jfr-converter:{ASYNC}"])[0]
    rows = []
    for name, flags in (
        ("exact profile", ["--profile=exact", "-o", "a.jfr"]),
        ("samples", ["--sample-gran=10000", "-o", "a.jfr"]),
        ("recording", ["-XX:StartFlightRecording=filename=a.jfr"]),
    ):
        for f in glob.glob("a.*"):
            os.remove(f)
        common.run([common.RJVM, f"--java-home={home}", "--quiet", *flags, "-cp", classes, "HotSpots", "2000"], 120)
        read = common.run([java, "-cp", ":".join(jmc), "Recording", "a.jfr"], 120)
        types = dict(re.findall(r"type (\S+) (\d+)", read.out))
        tops = {m: int(n) for m, n in re.findall(r"top (\S+) (\d+)", read.out)}
        error = re.search(r".*(?:Exception|Error).*", read.err)
        seen = f"{len(types)} types, {sum(map(int, types.values())):,} events" if read.code == 0 else f"fails: {error[0][:80] if error else read.code}"
        summary = subprocess.run([os.path.join(home, "bin/jfr"), "summary", "a.jfr"], capture_output=True, text=True)
        expected = sum(int(n) for n in re.findall(r"^ jdk\.ExecutionSample\s+(\d+)", summary.stdout, re.M))
        converted = common.run([java, "-jar", converter, "a.jfr", "a.collapsed"], 120)
        stacks = common.read("a.collapsed").splitlines() if os.path.exists("a.collapsed") else []
        collapsed = collections.Counter()
        for line in stacks:
            stack, _, n = line.rpartition(" ")
            # the converter marks how a frame ran: HotSpots.four_[j]
            top = re.sub(r"_\[\w\]$", "", stack.split(";")[-1])
            collapsed[top.split(".")[-1].split("/")[-1]] += int(n)
        agree = "–" if not expected else "yes" if all(collapsed[m] == tops.get(m, 0) for m in SHARES) and sum(tops.values()) == expected else "no"
        error = re.search(r".*(?:Exception|Error).*", converted.err + converted.out)
        rows.append([name, seen, expected, f"{len(stacks)} stacks, {sum(collapsed.values()):,} samples" if converted.code == 0 else f"fails: {error[0][:80] if error else converted.code}", agree])
        print(rows[-1], flush=True)
    return f"""## JFR files that rjvm writes

JMC's parser and async-profiler's converter read them without the JDK's own library. *Agree* compares the samples by top method of both, and their sum with the
count of `jfr summary`.

{common.table(["file", "JMC's parser", "samples by jfr ", "async-profiler's converter", "agree"], rows)}"""


def dumps(home, java):
    """A heap dump of known objects, by rjvm and by java, read by the parser of NetBeans."""
    program = compile_driver(home, "Dumped")[0]
    driver = compile_driver(home, "ReadDump", [f"org.gridkit.jvmtool:hprof-heap:{HPROF}"])
    texts = {}
    rows = []
    for name, vm in (("java", [java]), ("rjvm", [common.RJVM, f"--java-home={home}", "--quiet"])):
        file = os.path.abspath(f"{name}.hprof")
        if os.path.exists(file):
            os.remove(file)
        done = common.run([*vm, "-cp", program, "Dumped", file], 120)
        read = common.run([java, "-cp", ":".join(driver), "ReadDump", file], 120)
        texts[name] = read.out
        error = re.search(r".*(?:Exception|Error).*", done.err + read.err)
        rows.append([name, f"{os.path.getsize(file):,}" if os.path.exists(file) else "none", read.out.strip().replace("\n", "; ") or (error[0][:100] if error else "nothing"), f"{done.cpu:.2f}"])
        print(rows[-1], flush=True)
    verdict = "The parser's answers are equal." if texts["java"] == texts["rjvm"] else "The parser's answers differ."
    return f"""## Heap dumps

{verdict} The parser is the one of NetBeans and VisualVM. Eclipse MAT was not compared.

{common.table(["dump by", "bytes ", "the parser's answers", "CPU s "], rows)}"""


if __name__ == "__main__":
    main()
