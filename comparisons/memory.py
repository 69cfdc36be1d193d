#!/usr/bin/env python3
"""Compares the outcomes of litmus tests under `rjvm explore --memory=jmm` with jcstress, and writes docs/comparisons/memory.md.

    comparisons/memory.py [TEST...]

jcstress runs the compiled tests on this machine's processor, in its mode `quick` with one iteration and one choice of compilers; rjvm has 15 seconds. Needs Maven, JDK 17, and rjvm.
"""

import argparse
import datetime
import json
import os
import platform
import re
import shutil

import common

WORK = os.path.join(common.WORK, "memory")
STATE = os.path.join(common.HERE, "memory.json")
JCSTRESS = "0.16"
PERMITTED = {  # by the Java memory model
    "StoreBuffering": {"0, 0", "0, 1", "1, 0", "1, 1"},
    "VolatileStoreBuffering": {"0, 1", "1, 0", "1, 1"},
    "MessagePassing": {"0, 0", "0, 1", "1, 0", "1, 1"},
    "UnsafePublication": {"-1, -1", "0, 1", "1, 1"},
}


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("tests", nargs="*")
    options = options.parse_args()
    home = common.jdks()[17]
    java = os.path.join(home, "bin/java")
    cp = common.class_path("memory/jcstress", [f"org.openjdk.jcstress:jcstress-core:{JCSTRESS}"])
    ours, theirs = os.path.join(WORK, "litmus"), os.path.join(WORK, "jcstress-classes")
    common.javac(home, [os.path.join(common.HERE, "java/Litmus.java")], ours)
    common.javac(home, [os.path.join(common.HERE, "java/LitmusJcstress.java")], theirs, cp, [], cp)
    out = os.path.join(WORK, "out")
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    os.chdir(out)
    state = json.loads(common.read(STATE)) if os.path.exists(STATE) else {}
    for test, permitted in PERMITTED.items():
        if options.tests and test not in options.tests:
            continue
        done = common.run([java, "-cp", ":".join([theirs, *cp]), "org.openjdk.jcstress.Main", "-t", rf"LitmusJcstress\.{test}$",
                           "-m", "quick", "-iters", "1", "-jvmArgs", "-XX:+UseSerialGC", "-v"], 600)
        final = done.out[done.out.rfind("RUN RESULTS"):]
        seen = {o.strip(): int(n.replace(",", "")) for o, n in re.findall(r"^ +(-?\d+, -?\d+) +([\d,]+) +[<>\d.]+%", final, re.M)}
        if os.path.exists("outcomes"):
            os.remove("outcomes")
        explored = common.run([common.RJVM, "explore", "--memory=jmm", "--keep-going", "--iterations=1000", "--time=15", "--oracle=cat >> outcomes",
                               f"--java-home={home}", "-cp", ours, "Litmus", test], 120)
        found = set(common.read("outcomes").split("\n")) - {""} if os.path.exists("outcomes") else set()
        state[test] = [
            test, "; ".join(sorted(permitted)), verdict(set(seen), permitted), f"{sum(seen.values()):,}", f"{done.cpu:.1f}",
            verdict(found, permitted), schedules(explored.out), f"{explored.cpu:.1f}",
        ]
        print(state[test], flush=True)
        common.write(STATE, json.dumps(state, indent=1) + "\n")
    rows = [state.get(test, [test, "; ".join(sorted(permitted)), "not run", *["–"] * 5]) for test, permitted in PERMITTED.items()]
    common.write(os.path.join(common.DOCS, "memory.md"), f"""# Memory model: rjvm and jcstress

`comparisons/memory.py` writes this page. Each test has two threads; an outcome is the pair of values that they read. Measured {datetime.date.today().isoformat()} with
{common.rjvm_version()}, jcstress {JCSTRESS}, JDK {common.java_version(home)}, on {platform.machine()}.

{common.table(["test", "permitted", "seen by jcstress", "its samples ", "CPU s ", "seen by rjvm", "its schedules ", "CPU s "], rows)}
The two answer different questions. jcstress is better for the machine at hand: it runs compiled code on a real processor, and an outcome that it sees does happen.
`--memory=jmm` runs the outcomes that the Java memory model permits, also those that this processor never shows, and each can be replayed.
""")


def schedules(text):
    """The count of the summary, which stands last."""
    counts = re.findall(r"(\d+) schedules by", text)
    return counts[-1] if counts else "–"


def verdict(seen, permitted):
    missing, extra = permitted - seen, seen - permitted
    if extra:
        return f"**not permitted**: {'; '.join(sorted(extra))}"
    return "all" if not missing else f"{len(seen)} of {len(permitted)}, not {'; '.join(sorted(missing))}"


if __name__ == "__main__":
    main()
