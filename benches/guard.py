#!/usr/bin/env python3
"""Guards against slower code: machine instructions for each executed bytecode, as callgrind counts them.

    benches/guard.py [--rjvm PATH] [--bless]

Runs kernels of benches/java and Hello World with exact counts under `valgrind --tool=callgrind` and compares
with benches/guard.txt. The figures do not depend on the machine's speed or load; compilers and JDKs may
change them a little, so up to 8 % more is let pass. 15 % less is reported too: the figures are to be kept
true. --bless writes them anew. Needs `cargo build --release` before, and valgrind.
"""

import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from compare import KERNELS, ROOT, arguments, jdks_with_17

MORE, LESS = 1.08, 0.85
STORE = os.path.join(ROOT, "benches/guard.txt")


def main():
    options = arguments(__doc__)
    options.add_argument("--bless", action="store_true")
    options = options.parse_args()
    found = jdks_with_17()
    with tempfile.TemporaryDirectory() as classes:
        sources = [os.path.join(ROOT, "benches/java", f) for f in ("Kernels.java", "Hello.java")]
        subprocess.run([os.path.join(found[17], "bin/javac"), "-d", classes, *sources], check=True)
        programs = {"hello": ["Hello"], **{kernel: ["Kernels", kernel, "1"] for kernel in KERNELS}}
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            measured = threads.map(lambda program: measure(options.rjvm, classes, program), programs.values())
            figures = dict(zip(programs, measured))
    if options.bless:
        with open(STORE, "w", encoding="utf-8") as f:
            f.write("# machine instructions per bytecode, with exact counts: see guard.py\n")
            f.writelines(f"{name} {figure:.3f}\n" for name, figure in figures.items())
        return
    with open(STORE, encoding="utf-8") as f:
        stored = {name: float(figure) for name, figure in (line.split() for line in f if not line.startswith("#"))}
    bad = stored.keys() ^ figures.keys()
    for name in figures.keys() & stored.keys():
        ratio = figures[name] / stored[name]
        print(f"{name:8} {figures[name]:9.3f} instructions per bytecode, {100 * (ratio - 1):+.1f} %")
        if not LESS < ratio < MORE:
            bad.add(name)
    if bad:
        sys.exit(f"not as stored in {os.path.relpath(STORE)}: {' '.join(sorted(bad))} (benches/guard.py --bless)")


def measure(rjvm, classes, program):
    """Instructions per bytecode; the bytecodes of the whole run."""
    command = [rjvm, "--profile=exact", "--scope=all", "-cp", classes, *program]
    counted = subprocess.run(
        # code is compiled into memory that is used again
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--smc-check=all", *command],
        capture_output=True, text=True,
    )
    instructions = re.search(r"Collected : (\d+)", counted.stderr)
    bytecodes = re.search(r"([\d,]+) bytecodes, ", counted.stderr)
    if counted.returncode != 0 or not instructions or not bytecodes:
        sys.exit(f"{' '.join(command)} fails under valgrind:\n{counted.stderr}")
    return int(instructions[1]) / int(bytecodes[1].replace(",", ""))


if __name__ == "__main__":
    main()
