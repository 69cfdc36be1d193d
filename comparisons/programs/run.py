#!/usr/bin/env python3
"""Runs today's programs on `java` and on rjvm, and writes docs/comparisons/programs.md.

    comparisons/programs/run.py [--jdk 17] [--table] [--list] [NAME...]

Needs Maven, JDK 17 and 25, and rjvm (target/release/rjvm, or RJVM). NAME is a part of a row's name. Each program runs on
`java`, on rjvm with the exact profile, and on `java` again; the smaller CPU time of the two is `java`'s. results.json
beside the script keeps the last result of each row, so that rows can be measured one by one. --table only writes the table.
"""

import argparse
import datetime
import fcntl
import json
import os
import re
import shutil
import socket
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import common  # noqa: E402
from rows import CAUSES, ROWS  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
RESULTS = os.path.join(HERE, "results.json")


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--jdk", type=int, action="append")
    options.add_argument("--table", action="store_true")
    options.add_argument("--list", action="store_true")
    options.add_argument("--resolve", action="store_true", help="only fetch and compile")
    options.add_argument("--java-only", action="store_true", help="only run java, and print its output")
    options.add_argument("--small", action="store_true", help="only programs of a few lines")
    options.add_argument("--part", help="K/N: only one of N parts of the rows")
    options.add_argument("--new", action="store_true", help="only runs without a result")
    options.add_argument("names", nargs="*")
    options = options.parse_args()
    rows = [r for r in ROWS if not options.names or any(n.lower() in r.name.lower() for n in options.names)]
    rows = [r for r in rows if r.small or not options.small]
    if options.part:
        k, n = map(int, options.part.split("/"))
        rows = rows[k - 1 :: n]
    if options.list:
        print("\n".join(r.name for r in rows))
        return
    if not options.table:
        homes = common.jdks()
        if len(rows) > 5:
            common.class_paths([(os.path.join("programs", slug(row)), row.deps) for row in rows if row.small])
        for row in rows:
            for jdk in row.jdks:
                if (not options.jdk or jdk in options.jdk) and not (options.new and f"{row.name}|{jdk}" in results()):
                    print(f"{row.name} on {jdk}: ", end="", flush=True)
                    result = measure(row, jdk, homes, options)
                    if result:
                        print(result.get("verdict"), flush=True)
                        keep(f"{row.name}|{jdk}", result)
    write_table()


def results():
    return json.loads(common.read(RESULTS)) if os.path.exists(RESULTS) else {}


def keep(key, result):
    """Adds to the file of results: read again each time, since two of these scripts may run."""
    os.makedirs(common.WORK, exist_ok=True)
    with open(os.path.join(common.WORK, "results.lock"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        found = results()
        found[key] = result
        common.write(RESULTS, json.dumps(found, indent=1, sort_keys=True) + "\n")


def slug(row):
    """The name of a row's folder."""
    return re.sub(r"\W+", "-", row.name).strip("-").lower()


def command(row, jdk, homes):
    """The arguments after the name of the JVM; fetches and compiles first."""
    name = slug(row)
    folder = os.path.join(common.WORK, "programs", name)
    if row.maven:
        built = os.path.join(folder, "build")
        target = os.path.join(built, "target", row.main)
        if not os.path.exists(target):
            shutil.rmtree(built, ignore_errors=True)
            shutil.copytree(os.path.join(HERE, row.maven), built)
            out = subprocess.run(["mvn", "-q", "-B", "package"], cwd=built, capture_output=True, text=True, timeout=900)
            if out.returncode != 0:
                raise common.NotServed("Maven: " + (re.findall(r"ERROR.*", out.stdout) or ["failed"])[0][:300])
        return folder, [*row.jvm, "-jar", target]
    cp = common.class_path(os.path.join("programs", name), row.deps, row.parent, row.bom)
    processors = []
    if row.processors:
        processors = common.class_path(os.path.join("programs", name), row.processors, row.parent, row.bom)
    out = os.path.join(folder, f"classes-{jdk}")
    if row.small:
        return folder, small(row, jdk, homes, folder, cp, processors)
    sources = [os.path.join(HERE, "drivers", row.driver)]
    if row.suite and row.suite[0].endswith("Suite"):
        sources.append(os.path.join(HERE, "drivers", row.suite[0] + ".java"))
    common.javac(homes[jdk], sources, out, cp, row.flags, processors)
    return folder, [*row.jvm, "-cp", ":".join([out, *cp]), row.main, *row.args]


def small(row, jdk, homes, folder, cp, processors):
    """The arguments for a program of a few lines, which the oldest of its JDKs compiles for all."""
    oldest = min(row.jdks)
    sources, out = os.path.join(folder, "sources"), os.path.join(folder, f"classes-{oldest}")
    common.write(os.path.join(sources, "Small.java"), row.small.source)
    for path, text in row.small.files("source"):
        common.write(os.path.join(sources, path), text)
    common.javac(homes[oldest], [os.path.join(sources, "Small.java")], out, cp, row.flags, processors)
    for path, text in row.small.files("file"):
        common.write(os.path.join(out, path), text)
    agents = []
    for agent in row.small.options.get("agent", []):
        jar, _, options = agent.partition(" ")
        path = next((p for p in cp if os.path.basename(p) == jar), None)
        if not path:
            raise RuntimeError(f"no {jar} on the class path")
        agents.append(f"-javaagent:{path}" + (f"={options}" if options else ""))
    places = {"{sources}": sources, "{classes}": out, "{home}": homes[jdk]}
    arguments = [re.sub("|".join(places), lambda m: places[m[0]], a) for a in row.args]
    quiet = ["--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"] if jdk > 17 else []
    return [*quiet, *row.jvm, *agents, "-cp", ":".join([out, *cp]), row.main, *arguments]


def measure(row, jdk, homes, options):
    result = {"date": datetime.date.today().isoformat(), "jdk": common.java_version(homes[jdk])}
    try:
        folder, rest = command(row, jdk, homes)
    except common.NotServed as e:
        return {**result, "verdict": "not served", "cause": str(e)}
    except RuntimeError as e:
        return {**result, "verdict": "driver does not compile", "cause": str(e)[:600]}
    if options.resolve:
        print("resolved")
        return None
    work = os.path.join(folder, f"work-{jdk}")
    ask = (lambda port: (common.get(port, p) for p in row.ask)) if row.ask else None
    java = [os.path.join(homes[jdk], "bin/java"), *rest]
    profile = os.path.join(folder, f"exact-{jdk}.rjp")
    if os.path.exists(profile):
        os.remove(profile)
    rjvm = [common.RJVM, f"--java-home={homes[jdk]}", "--profile=exact", "-o", profile, *rest]
    env = {k: v for k, v in os.environ.items() if k not in ("JAVA_HOME", "JAVA_TOOL_OPTIONS")}
    env["TZ"] = "UTC"
    runs = {}
    for label, line in (("java", java), ("rjvm", rjvm), ("java again", java)):
        if label == "java again" and (options.java_only or runs["rjvm"].late):
            continue
        if label == "rjvm" and options.java_only:
            continue
        if label == "java again" and row.small and clean(row, runs["java"]) == clean(row, runs["rjvm"]):
            continue
        shutil.rmtree(work, ignore_errors=True)
        os.makedirs(work)
        line = [part.replace("{port}", str(free_port())) for part in line]
        done = common.run(line, row.timeout, cwd=work, ask=ask, env=env, stdin=row.stdin.encode() if row.stdin else None)
        runs[label] = done
        common.write(os.path.join(folder, f"{label.replace(' ', '-')}-{jdk}.out"), done.out)
        common.write(os.path.join(folder, f"{label.replace(' ', '-')}-{jdk}.err"), done.err)
        if label == "java" and options.java_only:
            print(f"exit code {done.code}, {done.cpu:.1f} s CPU\n{done.out[-3000:]}\n{done.err[-3000:]}")
            return None
    if all(done.first for done in runs.values()):
        result["first"] = {"java": min(runs[label].first for label in ("java", "java again") if label in runs), "rjvm": runs["rjvm"].first}
    first, ours = runs["java"], runs["rjvm"]
    again = runs.get("java again", first)
    texts = {label: clean(row, done) for label, done in runs.items()}
    result |= {
        "java": {"cpu": min(first.cpu, again.cpu), "wall": min(first.wall, again.wall), "rss": max(first.rss, again.rss), "code": first.code},
        "rjvm": {"cpu": ours.cpu, "wall": ours.wall, "rss": ours.rss, "code": ours.code},
        "profile": read_profile(profile),
    }
    if first.code not in (0, 143):
        result |= {"verdict": "java fails", "cause": cause(first)}
    elif ours.late:
        result |= {"verdict": "not ended", "cause": f"after {row.timeout} s: {cause(ours)}"}
    elif ours.code != first.code:
        result |= {"verdict": "fails", "cause": f"exit code {ours.code}, java {first.code}: {cause(ours)}"}
    elif texts["rjvm"] == texts["java"]:
        result["verdict"] = "equal"
    elif texts["java"] != texts.get("java again", texts["java"]):
        result |= {"verdict": "java differs from itself", "cause": difference(texts["java"], texts["java again"])}
    else:
        result |= {"verdict": "differs", "cause": difference(texts["java"], texts["rjvm"])}
    return result


def free_port():
    """A port for a program that cannot print the one that it was given for 0."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def clean(row, done):
    lines = done.out.splitlines()
    return [line for line in lines if not (row.drop and re.search(row.drop, line))]


def difference(expected, got):
    for a, b in zip(expected, got):
        if a != b:
            return f"java: {a[:150]} / rjvm: {b[:150]}"
    return f"java: {len(expected)} lines, rjvm: {len(got)} lines"


def cause(done):
    """The line of the errors that says most."""
    lines = [line.strip() for line in (done.err + "\n" + done.out).splitlines() if line.strip()]
    for pattern in (r"panicked|rjvm: error|SIGSEGV", r"UnsatisfiedLinkError|InternalError|VerifyError", r"Caused by", r"Exception|Error"):
        found = [line for line in lines if re.search(pattern, line)]
        if found:
            return found[-1 if pattern == "Caused by" else 0][:300]
    return lines[-1][:300] if lines else "no output"


def read_profile(path):
    """What `rjvm profile top` and `metrics` say of the profile."""
    if not os.path.exists(path):
        return {"readable": False, "why": "not written"}
    top = subprocess.run([common.RJVM, "profile", "top", "--json", path], capture_output=True, text=True)
    metrics = subprocess.run([common.RJVM, "profile", "metrics", "--json", path], capture_output=True, text=True)
    if top.returncode or metrics.returncode:
        why = (top.stderr or metrics.stderr).removeprefix("rjvm: error: ").removeprefix(f"{path}: ")
        return {"readable": False, "why": " ".join(why.split())[:300]}
    shape = json.loads(metrics.stdout)
    return {"readable": True, "bytes": os.path.getsize(path), **{k: shape[k] for k in ("bytecodes", "contexts") if k in shape}}


def write_table():
    found = results()
    rows, servers, causes, missing = [], [], [], []
    for row in ROWS:
        for jdk in row.jdks:
            r = found.get(f"{row.name}|{jdk}")
            if not r:
                missing.append(f"{row.name} on {jdk}")
                continue
            cells = [row.name, jdk, r["verdict"]]
            if "rjvm" in r:
                a, b, p = r["java"], r["rjvm"], r["profile"]
                ratio = f"{b['cpu'] / a['cpu']:.1f}" if a["cpu"] else "–"
                size = f"{p.get('bytecodes', 0) / 1e6:,.0f} M, {p.get('contexts', 0):,} contexts" if p["readable"] else f"no: {p['why']}"
                cells += [f"{a['cpu']:.1f}", f"{b['cpu']:.1f}", ratio, f"{a['wall']:.1f}", f"{b['wall']:.1f}", f"{a['rss']:.0f}", f"{b['rss']:.0f}", size]
            else:
                cells += ["–"] * 8
            rows.append(cells)
            if "first" in r:
                a, b = r["first"]["java"], r["first"]["rjvm"]
                servers.append([row.name, jdk, f"{a:.2f}", f"{b:.2f}", f"{b / a:.2f}"])
            if r["verdict"] in ("fails", "differs", "not ended") and row.name in CAUSES:
                causes.append(f"* **{row.name}** on {jdk}, {r['verdict']}: {CAUSES[row.name]}")
            elif r.get("cause"):
                causes.append(f"* **{row.name}** on {jdk}, {r['verdict']}: `{r['cause'].replace('`', chr(39)).splitlines()[0]}`")
    equal = sum(r[2] == "equal" for r in rows)
    dates = sorted({r["date"] for r in found.values()}) or ["–"]
    versions = ", ".join(sorted({r["jdk"] for r in found.values()}))
    text = f"""# Today's programs

`comparisons/programs/run.py` writes this page. It fetches each program from Maven Central, compiles a driver of `comparisons/programs/drivers`,
or writes a class for the statements in `comparisons/programs/small`, and runs it on `java` and on rjvm with the exact profile. *Equal* means the
same standard output and the same exit code. A server prints its port, gets requests whose answers are part of the output, and is stopped with SIGTERM.

Measured {dates[0]} to {dates[-1]} with {common.rjvm_version()}, JDK {versions}. CPU and wall are seconds, memory is the peak of the process in MB.
The machine was shared, so compare the columns of a row, not the rows; wall times far above CPU times are waits for other processes.

Each program runs on JDK 17 and 25, except those that need one of the two. {equal} of {len(rows)} runs are equal, of
{len({r[0] for r in rows})} programs.{f" Not measured: {', '.join(missing)}." if missing else ""}

{common.table(["program", "JDK ", "output", "java CPU ", "rjvm CPU ", "ratio ", "java wall ", "rjvm wall ", "java MB ", "rjvm MB ", "exact profile "], rows)}
"""
    if servers:
        text += f"""## Servers: from the start to the first answer

Seconds from the start of the process to the answer of the first request, with the exact profile on rjvm; `java` has the smaller of two.

{common.table(["program", "JDK ", "java ", "rjvm ", "ratio "], servers)}
"""
    if causes:
        text += "## Runs that are not equal, and their causes\n\n" + "\n".join(causes) + "\n"
    common.write(os.path.join(common.DOCS, "programs.md"), text)


if __name__ == "__main__":
    main()
