#!/usr/bin/env python3
"""Compares `rjvm explore` with Fray and Lincheck on the planted bugs of tests/explore, and writes docs/comparisons/concurrency.md.

    comparisons/concurrency.py [--time SECONDS] [PROGRAM...]

Needs Maven, JDK 17 and 25, and rjvm (target/release/rjvm, or RJVM). Fray instruments a copy of JDK 25 that jlink makes (its
copy of JDK 17 does not control threads); Lincheck and rjvm run on JDK 17. Each tool has 500 schedules and --time (30) wall-clock
seconds for a program. Results of other programs are kept in concurrency.json.
"""

import argparse
import datetime
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile

import common

BUGS = {
    "LostUpdate": "plain counter, two threads",
    "CheckThenAct": "get and put of a concurrent map",
    "Reordered": "half of two plain writes",
    "Aba": "stack with reused nodes",
    "TwoDoors": "between two entries of a monitor",
    "LockOrder": "deadlock of two locks",
    "MissedNotify": "notification that comes too early",
    "PoolShutdown": "task after the pool's shutdown",
    "ClassInits": "deadlock of two class initializers",
    "TimeoutRace": "timed wait that ends first",
    "Slept": "plain counter after sleeps",
    "NoReason": "spurious wake-up",
    "BrokenDcl": "double-checked locking without volatile",
    "UnsafePublication": "object handed over by a plain field",
    "StoreBuffering": "store buffering",
    "MissingVolatile": "flag without volatile",
}
MODEL = {"BrokenDcl", "UnsafePublication", "StoreBuffering", "MissingVolatile"}  # bugs that only the memory model shows
CORRECT = "ArrayQueue Barrier Conditions Counters FixedPool LatchOfTwo MapMerge Notified Peterson ReadWrite".split()
SCHEDULES = 500
STATE = os.path.join(common.HERE, "concurrency.json")
WORK = os.path.join(common.WORK, "concurrency")
OPENS = ["java.lang", "java.util", "java.io", "java.util.concurrent.atomic", "sun.nio.ch", "java.lang.reflect"]
FRAY, LINCHECK = "0.9.2", "3.7"


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--time", type=int, default=30)
    options.add_argument("--tools", default="rjvm,fray,lincheck")
    options.add_argument("programs", nargs="*")
    options = options.parse_args()
    homes = common.jdks()
    tests = os.path.join(common.ROOT, "tests/explore")
    classes = os.path.join(WORK, "classes")
    common.javac(homes[17], [os.path.join(tests, f"{p}.java") for p in BUGS], classes)
    correct = os.path.join(WORK, "correct")
    common.javac(homes[17], sorted(glob.glob(os.path.join(tests, "correct/*.java"))), correct)
    tools = {"rjvm": Rjvm(homes), "fray": Fray(homes), "lincheck": Lincheck(homes)}
    for program in [*BUGS, *CORRECT]:
        if options.programs and program not in options.programs:
            continue
        for name in options.tools.split(","):
            result = tools[name].run(program, classes if program in BUGS else correct, options.time)
            print(program, name, result, flush=True)
            state = json.loads(common.read(STATE)) if os.path.exists(STATE) else {"results": {}}
            state["results"].setdefault(program, {})[name] = result
            state["date"] = datetime.date.today().isoformat()
            common.write(STATE, json.dumps(state, indent=1, sort_keys=True) + "\n")
    write_table()


def fresh(tool, program):
    folder = os.path.join(WORK, tool, program)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    return folder


class Rjvm:
    def __init__(self, homes):
        self.home = homes[17]

    def run(self, program, classes, seconds):
        folder = fresh("rjvm", program)
        flags = ["--memory=jmm"] if program in MODEL else []
        flags += ["--spurious"] if program == "NoReason" else []
        line = [common.RJVM, "explore", f"--iterations={SCHEDULES}", f"--time={seconds}", *flags, f"--java-home={self.home}", "-cp", classes, program]
        done = common.run(line, seconds + 60, cwd=folder)
        found = re.search(r"^schedule (\d+):", done.out, re.M)
        ran = re.search(r"(\d+) schedules", done.out)
        result = {"found": bool(found), "schedules": int(found[1]) + 1 if found else int(ran[1]) if ran else None, "cpu": done.cpu, "wall": done.wall}
        if done.code not in (0, 1):
            result["error"] = (done.err + done.out).strip()[:200]
        if found:
            result["says"] = says(done.out[found.end():])
            schedule = glob.glob(os.path.join(folder, "*.schedule"))
            again = [common.run([common.RJVM, f"--replay={schedule[0]}"], 60, cwd=folder) for _ in range(3)] if schedule else []
            # A failure of another thread leaves the exit code 0, a deadlock is reported by rjvm.
            words = "deadlock" if re.search("deadlock|waits forever", result["says"]) else re.split(r'[: ]', result["says"])[0]
            result["replay"] = sum(words in r.err and (r.out, r.err) == (again[0].out, again[0].err) for r in again)
        return result


def says(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[0][:120] if lines else ""


class Fray:
    def __init__(self, homes):
        group = "org.pastalab.fray"
        cp = common.class_path("concurrency/fray", [
            f"{group}:fray-core:{FRAY}", f"{group}.instrumentation:fray-instrumentation-agent:{FRAY}",
            f"{group}.instrumentation:fray-instrumentation-jdk:{FRAY}", f"{group}:fray-jvmti-linux-x8664:{FRAY}"])
        part = {name: next(p for p in cp if name in os.path.basename(p)) for name in ("fray-instrumentation-agent", "fray-instrumentation-jdk", "fray-jvmti")}
        self.java = os.path.join(WORK, "fray/jdk/bin/java")
        if not os.path.exists(self.java):
            linked = ":".join(p for p in cp if not re.search("fray-core|fray-instrumentation-agent|jvmti", p))
            subprocess.run(
                [os.path.join(homes[25], "bin/jlink"), f"-J-javaagent:{part['fray-instrumentation-jdk']}", f"-J--module-path={linked}",
                 "-J--add-modules=org.pastalab.fray.instrumentation.jdk", f"-J--class-path={linked}", "--output=" + os.path.join(WORK, "fray/jdk"),
                 "--add-modules=java.se,jdk.unsupported,jdk.management", "--fray-instrumentation"], check=True)
        library = os.path.join(WORK, "fray/libjvmti.so")
        with zipfile.ZipFile(part["fray-jvmti"]) as z, open(library, "wb") as f:
            f.write(z.read(next(n for n in z.namelist() if n.endswith("libjvmti.so"))))
        agent = memory_agent(homes[25], part["fray-instrumentation-agent"])
        self.flags = ["-ea", f"-agentpath:{library}", f"-javaagent:{agent}", "--enable-native-access=ALL-UNNAMED"]
        for package in OPENS:
            self.flags += ["--add-opens", f"java.base/{package}=ALL-UNNAMED"]
        self.cp = ":".join(cp)

    def command(self, program, classes, *more):
        return [self.java, *self.flags, "-cp", self.cp, "org.pastalab.fray.core.MainKt", "--run-config", "cli", "--clazz", program, "--method", "main",
                "--classpath", classes, "--reset-class-loader", "-m", *more]

    def run(self, program, classes, seconds):
        folder = fresh("fray", program)
        more = ["--scheduler", "pos", "--iter", str(SCHEDULES), "--timeout", str(seconds), "-o", "report"]
        done = common.run(self.command(program, classes, *more), seconds + 60, cwd=folder)
        log = os.path.join(folder, "report/fray.log")
        log = common.read(log) if os.path.exists(log) else ""
        found = re.search(r"Error found at iter: (\d+)", log)
        ran = re.search(r"Total iter: (\d+)", log)
        result = {"found": bool(found), "schedules": int(found[1]) + 1 if found else int(ran[1]) if ran else None}
        result |= {"cpu": done.cpu, "wall": done.wall}
        if done.late:
            result["error"] = "did not end in time"
        elif not found and not ran:
            result["error"] = says((done.err + done.out).replace("\x1b[2J\x1b[2H", ""))
        if found:
            result["says"] = says(log[log.find("Error: "):])
            random = os.path.join(folder, "report/recording")
            for i in range(3):
                common.run(self.command(program, classes, "--scheduler", "pos", "--randomness-provider", "recorded-random", "--path-to-random",
                                                os.path.join(random, "random.json"), "--iter", "1", "-o", f"replay{i}"), 60, cwd=folder)
                log = os.path.join(folder, f"replay{i}/fray.log")
                failed = re.search(r"Error: (.*)", common.read(log)) if os.path.exists(log) else None
                result["replay"] = result.get("replay", 0) + bool(failed and failed[1].split(":")[0] in result["says"])
        return result


def memory_agent(home, original):
    """Fray's agent, with accesses to plain fields as points. Its own premain leaves them out, whatever -m says."""
    folder = os.path.join(WORK, "fray/agent")
    source = os.path.join(folder, "MemoryAgent.java")
    common.write(source, """
public class MemoryAgent {
    public static void premain(String arguments, java.lang.instrument.Instrumentation instrumentation) {
        instrumentation.addTransformer(new org.pastalab.fray.instrumentation.base.ApplicationCodeTransformer(true, java.util.List.of()));
    }
}
""")
    classes = os.path.join(folder, "classes")
    common.javac(home, [source], classes, [original])
    manifest = os.path.join(folder, "manifest")
    common.write(manifest, f"Premain-Class: MemoryAgent\nClass-Path: {os.path.relpath(original, folder)}\n")
    result = os.path.join(folder, "agent.jar")
    subprocess.run([os.path.join(home, "bin/jar"), "cfm", result, manifest, "-C", classes, "MemoryAgent.class"], check=True)
    return result


class Lincheck:
    def __init__(self, homes):
        self.home = homes[17]
        self.cp = common.class_path("concurrency/lincheck", [f"org.jetbrains.lincheck:lincheck:{LINCHECK}"])

    def run(self, program, classes, seconds):
        folder = fresh("lincheck", program)
        source = os.path.join(folder, f"Lin{program}.java")
        common.write(source, f"""
public class Lin{program} {{
    public static void main(String[] args) {{
        org.jetbrains.lincheck.Lincheck.runConcurrentTest({SCHEDULES}, new Runnable() {{
            @Override
            public void run() {{
                try {{
                    {program}.main(new String[0]);
                }} catch (Exception e) {{
                    throw new IllegalStateException(e);
                }}
            }}
        }});
        System.exit(0);
    }}
}}
""")
        out = os.path.join(folder, "classes")
        cp = [*self.cp, classes]
        common.javac(self.home, [source], out, cp)
        line = [os.path.join(self.home, "bin/java"), "-ea", "--add-opens=java.base/java.lang=ALL-UNNAMED", "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                "--add-exports=java.base/jdk.internal.util=ALL-UNNAMED", "-cp", ":".join([out, *cp]), f"Lin{program}"]
        done = common.run(line, seconds + 60, cwd=folder)
        common.write(os.path.join(folder, "out"), done.out + done.err)
        found = "Concurrent test failed" in done.err or "Concurrent test has hung" in done.err or "LincheckAssertionError" in done.err
        result = {"found": found, "schedules": None if found else SCHEDULES, "cpu": done.cpu, "wall": done.wall}
        if found:
            text = done.err[done.err.find("= Concurrent"):]
            result["says"] = says(text) if "has hung" in text else says(text.partition("\n")[2])
        elif done.late:
            result |= {"error": "did not end in time", "schedules": None}
        elif done.code != 0:
            result |= {"error": says("\n".join(re.findall(r".*(?:Exception|Error).*", done.err)) or done.err), "schedules": None}
        return result


def cell(result, bug):
    if not result:
        return "–"
    if result.get("error"):
        return f"error: {result['error'][:60]}"
    if result["found"]:
        n = result["schedules"]
        count = f"{n} schedule{'' if n == 1 else 's'}, " if n else ""
        return f"{'found' if bug else '**false alarm**'}: {count}{result['cpu']:.1f} s"
    return f"{'**not found**' if bug else 'quiet'}: {result['schedules']} schedules, {result['cpu']:.1f} s"


def write_table():
    state = json.loads(common.read(STATE))
    results = state["results"]
    bugs, correct = [], []
    for program, kind in BUGS.items():
        r = results.get(program, {})
        replay = "/".join(f"{r[t]['replay']}" if r.get(t, {}).get("replay") is not None else "–" for t in ("rjvm", "fray"))
        bugs.append([program, kind, *(cell(r.get(t), True) for t in ("rjvm", "fray", "lincheck")), replay])
    for program in CORRECT:
        r = results.get(program, {})
        correct.append([program, *(cell(r.get(t), False) for t in ("rjvm", "fray", "lincheck"))])

    def count(names, tool, found):
        rs = [results[n][tool] for n in names if tool in results.get(n, {})]
        return f"{sum(r['found'] == found and not r.get('error') for r in rs)} of {len(rs)}"

    tools = ("rjvm", "fray", "lincheck")
    plain = [b for b in BUGS if b not in MODEL]
    summary = [
        ["bugs of interleavings found", *(count(plain, t, True) for t in tools)],
        ["bugs of the memory model found", *(count(sorted(MODEL), t, True) for t in tools)],
        ["correct programs without an alarm", *(count(CORRECT, t, False) for t in tools)],
        ["CPU seconds for all", *(f"{sum(r[t]['cpu'] for r in results.values() if t in r):.0f}" for t in tools)],
    ]
    notes = "\n".join(
        f"* **{p}**, {t}: `{r[t].get('says') or r[t].get('error')}`".replace("\n", " ")
        for p in [*BUGS, *CORRECT] for r in [results.get(p, {})] for t in tools
        if t in r and (r[t].get("error") or (p in CORRECT and r[t]["found"])))
    common.write(os.path.join(common.DOCS, "concurrency.md"), f"""# Concurrency bugs: rjvm, Fray and Lincheck

`comparisons/concurrency.py` writes this page. The programs are rjvm's own (`tests/explore`), so they favour rjvm: it is developed with them.
Each tool has {SCHEDULES:,} schedules and half a minute for a program, with the options below, and stops at the first failure.

| tool | version | JDK | options |
|---|---|---|---|
| rjvm | {common.rjvm_version()} | 17 | defaults; `--memory=jmm` for the four bugs of the memory model; `--spurious` for NoReason |
| Fray | {FRAY} | 25, instrumented with jlink | `--scheduler pos -m --reset-class-loader`, and a small agent, which turns accesses to plain fields into scheduling points |
| Lincheck | {LINCHECK} | 17 | `Lincheck.runConcurrentTest({SCHEDULES}, main)` |

Measured {state['date']}. Times are CPU seconds of all processes, with start-up. Fray and Lincheck do not claim to find bugs of the memory model.

{common.table(["", "rjvm", "Fray", "Lincheck"], summary)}
## Planted bugs

*Replay* is how many of three replays of the failing schedule fail with the same message, for rjvm and Fray. Lincheck prints the interleaving, and replays it in
its plugin of IntelliJ only. Fray draws other random numbers in each run, so a run may find a bug that another one misses; rjvm's seed is 0, and its schedules
are the same each time. The replay of MissingVolatile, which never ends, reports nothing.

{common.table(["program", "bug", "rjvm", "Fray", "Lincheck", "replay"], bugs)}
## Correct programs

{common.table(["program", "rjvm", "Fray", "Lincheck"], correct)}
## Errors and false alarms

Lincheck reports that a test "has hung" by the wall clock, so a busy machine can cause that.

{notes or "None."}
""")


if __name__ == "__main__":
    main()
