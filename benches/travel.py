#!/usr/bin/env python3
"""What going back costs: times and memory of `rjvm debug`, for runs of several lengths.

    benches/travel.py [--rjvm PATH] [--javac PATH] [--seconds 1,10] [--modes alone,threads]

Debugs `benches/java/Travel.java`: to the end, back by a bytecode and a line, to the beginning, to the middle, and back over the whole
with a breakpoint that is nowhere hit. The lengths are seconds of a run without the debugger, which sets the number of rounds. Prints a
table in Markdown. Times are seconds of processor time of all processes of the session, so that a busy machine changes them little;
memory is the sum of the processes' proportional sets (Pss).
"""

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
import time

from compare import ROOT

TICK = os.sysconf("SC_CLK_TCK")
MODES = {"alone": "one thread", "threads": "four threads that allocate"}


# The program counts its rounds with an int.
MOST_ROUNDS = 2_147_000_000


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--rjvm", default=os.path.join(ROOT, "target/release/rjvm"))
    options.add_argument("--javac", default="javac")
    options.add_argument("--seconds", default="1,10")
    options.add_argument("--modes", default="alone,threads")
    options = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(ROOT, "benches/java/Travel.java")
        subprocess.run([options.javac, "--release", "17", "-g", "-d", folder, source], check=True)
        columns = []
        for mode in options.modes.split(","):
            for seconds in options.seconds.split(","):
                columns.append(column(options.rjvm, folder, mode, float(seconds)))
                print(f"{mode} {seconds}: done", file=sys.stderr)
    rows = list(columns[0])
    print("| " + " | ".join(["", *(c["run of"] for c in columns)]) + " |")
    print("|---" * (len(columns) + 1) + "|")
    for row in rows[1:]:
        print("| " + " | ".join([row, *(c[row] for c in columns)]) + " |")


def plain(rjvm, folder, mode, rounds):
    """Processor time of a run without the debugger."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [rjvm, "--quiet", "--deterministic", "-cp", folder, "Travel", mode, str(rounds)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def rounds_for(rjvm, folder, mode, seconds):
    """Rounds of a run that takes about this long."""
    few, more = 2_000_000, 22_000_000
    if mode != "alone":
        few, more = 200_000, 2_200_000
    base = min(plain(rjvm, folder, mode, few) for _ in range(2))
    a_round = (min(plain(rjvm, folder, mode, more) for _ in range(2)) - base) / (more - few)
    rounds = int(few + max(seconds - base, 0) / a_round)
    if rounds > MOST_ROUNDS:
        print(f"{mode} {seconds:g}: cut to {MOST_ROUNDS:,} rounds, an int of the program", file=sys.stderr)
    return min(rounds, MOST_ROUNDS)


class Session:
    """A session of `rjvm debug`, which carries out one command at a time."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def do(self, command):
        """What the command prints, and its processor time."""
        begun = self.time()
        self.process.stdin.write(f"{command}\ninfo break\n")
        self.process.stdin.flush()
        lines = []
        while True:
            line = self.process.stdout.readline()
            if not line:
                sys.exit(f"{command}: the session has ended:\n{''.join(lines)}")
            if line == "(rjvm) info break\n":
                break
            lines.append(line)
        # the answer to `info break`
        self.process.stdout.readline()
        return "".join(lines), self.time() - begun

    def processes(self):
        """The session's process and all below it."""
        parents = {}
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{name}/stat") as file:
                    fields = file.read().rsplit(")", 1)[1].split()
                parents[int(name)] = (int(fields[1]), fields)
            except OSError:
                continue
        found = {self.process.pid}
        grows = True
        while grows:
            more = {p for p, (parent, _) in parents.items() if parent in found} - found
            found |= more
            grows = bool(more)
        return {p: parents[p][1] for p in found if p in parents}

    def time(self):
        """Processor time of all processes, those that have ended among them."""
        return sum(sum(map(int, fields[11:15])) for fields in self.processes().values()) / TICK

    def memory(self):
        """Bytes, what is shared counted once."""
        total = 0
        for process in self.processes():
            try:
                with open(f"/proc/{process}/smaps_rollup") as file:
                    total += int(re.search(r"^Pss:\s+(\d+)", file.read(), re.M).group(1)) * 1024
            except (OSError, AttributeError):
                continue
        return total


def column(rjvm, folder, mode, seconds):
    """The figures of one run."""
    rounds = rounds_for(rjvm, folder, mode, seconds)
    alone = plain(rjvm, folder, mode, rounds)
    begun = time.monotonic()
    session = Session([rjvm, "debug", "-cp", folder, "Travel", mode, str(rounds)])
    position = lambda text: int(re.findall(r"^([\d,]+)  ", text, re.M)[-1].replace(",", ""))
    first = position(session.do("where")[0] + session.do("goto 0")[0] + session.do("stepi")[0])
    session.do(f"goto {first - 1}")
    shown = lambda t: f"{t:.2f} s"
    figures = {"run of": f"{MODES[mode]}, {seconds:g} s"}
    text, forward = session.do("continue")
    end = position(text)
    figures["bytecodes"] = f"{end:,}"
    figures["run without the debugger"] = shown(alone)
    figures["`continue` to the end"] = shown(forward)
    figures["memory of all processes at the end"] = f"{session.memory() / 2**20:.0f} MiB"
    figures["`reverse-stepi` from the end"] = shown(session.do("reverse-stepi")[1])
    figures["`reverse-step` there"] = shown(session.do("reverse-step")[1])
    steps = [session.do("reverse-step")[1] for _ in range(5)]
    figures["each of 5 more, at most"] = shown(max(steps))
    session.do("continue")
    figures["`goto` the beginning from the end"] = shown(session.do(f"goto {first}")[1])
    session.do("continue")
    middle = (first + end) // 2
    figures["`goto` the middle from the end"] = shown(session.do(f"goto {middle}")[1])
    figures["`reverse-step` in the middle"] = shown(session.do("reverse-step")[1])
    session.do("continue")
    session.do("break Travel.never")
    text, back = session.do("reverse-continue")
    if position(text) != first - 1:
        sys.exit(f"reverse-continue did not come to the beginning:\n{text}")
    figures["`reverse-continue` over the whole"] = shown(back)
    figures["… as a part of the run without the debugger"] = f"{back / max(alone, 0.01):.2f}"
    figures["memory of all processes then"] = f"{session.memory() / 2**20:.0f} MiB"
    session.process.stdin.write("quit\n")
    session.process.stdin.close()
    session.process.wait()
    print(f"{mode} {seconds:g}: {time.monotonic() - begun:.0f} s", file=sys.stderr)
    return figures


if __name__ == "__main__":
    main()
