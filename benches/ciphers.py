#!/usr/bin/env python3
"""Compares digests, ciphers and signatures on rjvm and on HotSpot: a table in Markdown.

    benches/ciphers.py [--rjvm FILE] [--before FILE] [--turns N] [--warm MS] HOME... [-- ROW...]

HOME is a JDK; the first one compiles benches/java/Ciphers.java. The JVMs take turns, N times each (2), and the smallest figure of each
counts: CPU time of a warmed-up thread. --before adds a column for another rjvm. Needs `cargo build --release` before.
"""

import argparse
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def figures(command):
    """The rows of a run: unit and value by name."""
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    rows = [line.split("\t") for line in run.stdout.splitlines()]
    return {name: (unit, float(value)) for name, unit, value in rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rjvm", default=os.path.join(ROOT, "target/release/rjvm"))
    parser.add_argument("--before")
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--warm", type=int, default=600)
    parser.add_argument("homes", nargs="+")
    args, rows = sys.argv[1:], []
    if "--" in args:
        at = args.index("--")
        args, rows = args[:at], args[at + 1:]
    o = parser.parse_args(args)
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(ROOT, "benches/java/Ciphers.java")
        subprocess.run([os.path.join(o.homes[0], "bin/javac"), "--release", "17", "-d", folder, source], check=True)
        program = [f"-Dwarm={o.warm}", f"-Dround={o.warm // 5 + 1}", "-cp", folder, "Ciphers", *rows]
        jvms = {}
        for home in o.homes:
            jvms[home, "java"] = [os.path.join(home, "bin/java")]
            for kind, file in (("rjvm", o.rjvm), ("before", o.before)):
                if file:
                    jvms[home, kind] = [file, "--quiet", f"--java-home={home}"]
        best = {}
        for _ in range(o.turns):
            for jvm, command in jvms.items():
                for name, (unit, value) in figures(command + program).items():
                    row = best.setdefault(name, {})
                    row["unit"] = unit
                    row[jvm] = min(value, row.get(jvm, value))
    head = "".join(f" {os.path.basename(home)} | rjvm | ratio |" + (" before |" if o.before else "") for home in o.homes)
    print(f"| |{head}")
    print("|---" * head.count("|") + "|---|")
    for name, row in best.items():
        digits = 3 if row["unit"] == "ns" else 0
        cells = []
        for home in o.homes:
            java = row[home, "java"]
            cells += [f"{row[home, kind]:,.{digits}f} {row['unit']}" for kind in ("java", "rjvm")]
            cells += [f"{row[home, kind] / java:.1f}" for kind in ("rjvm", "before") if (home, kind) in row]
        print(f"| {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
