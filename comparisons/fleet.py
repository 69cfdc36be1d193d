#!/usr/bin/env python3
"""Sums up ten thousand Parquet profiles with DuckDB and Spark, and writes docs/comparisons/fleet.md: a plan for a million.

    comparisons/fleet.py [--profiles N] [--keep]

Ten services run with ten loads each under `--profile=exact`; `rjvm profile convert` labels each of the hundred profiles with hosts and
days until there are N files (10,000), as a fleet would write them. The totals of both engines are compared with the ones that rjvm
reports. --keep takes the N files of an earlier run. Needs JDK 17, rjvm, and a Python with duckdb and pyspark (RJVM_PYTHON, else target/readers, which test.sh makes).
"""

import argparse
import concurrent.futures
import datetime
import glob
import json
import os
import re
import shutil

import common

WORK = os.path.join(common.WORK, "fleet")
KINDS = "loop array objects text hash tree sort recursion exceptions regex".split()
LOADS = (1, 2, 3, 5, 8, 13, 21, 34, 55, 89)
PYTHON = os.environ.get("RJVM_PYTHON", os.path.join(common.ROOT, "target/readers/bin/python"))

# What a fleet is questioned about. `FILES` is the table.
QUESTIONS = {
    "bytecodes of all runs": "SELECT CAST(sum(self) AS BIGINT) FROM FILES WHERE record = 'run'",
    "the twenty most expensive methods": "SELECT class, method, CAST(sum(self) AS BIGINT) AS cost FROM FILES WHERE record = 'method' "
    "GROUP BY class, method, descriptor ORDER BY cost DESC, class, method LIMIT 20",
    "the twenty most expensive contexts": "SELECT path, CAST(sum(self) AS BIGINT) AS cost FROM FILES WHERE record = 'context' "
    "GROUP BY path ORDER BY cost DESC, path LIMIT 20",
    "one service at one commit": "SELECT method, CAST(sum(inclusive) AS BIGINT) AS cost FROM FILES WHERE record = 'method' "
    "AND commit = 'c3' AND class = 'work.Work' GROUP BY method ORDER BY cost DESC, method",
}
DUCKDB = """
import duckdb, json, sys, time
files, sql, memory = sys.argv[1:]
duckdb.sql(f"SET memory_limit='{memory}'")
begin = time.time()
rows = duckdb.sql(sql.replace("FILES", f"read_parquet('{files}')")).fetchall()
print("RESULT", json.dumps([rows, time.time() - begin]))
"""
SPARK = """
import json, sys, time
from pyspark.sql import SparkSession
folder, sql = sys.argv[1:]
spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").config("spark.driver.memory", "4g").getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
spark.read.parquet(folder).createOrReplaceTempView("FILES")
begin = time.time()
rows = [list(r) for r in spark.sql(sql).collect()]
print("RESULT", json.dumps([rows, time.time() - begin]))
"""
PACK = """
import duckdb, json, sys
sources, target = sys.argv[1:]
duckdb.sql("SET memory_limit='4GB'")
# what does not fit into memory
duckdb.sql(f"SET temp_directory='{target}.sorting'")
duckdb.sql(f"COPY (SELECT * FROM read_parquet({sources}) ORDER BY record, class, method) TO '{target}' (FORMAT parquet, COMPRESSION zstd)")
print("RESULT", "[]")
"""
# Files that are packed into one.
DAY = 1000


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--profiles", type=int, default=10_000)
    options.add_argument("--keep", action="store_true")
    options = options.parse_args()
    many, few = options.profiles, options.profiles // 10
    profiles, totals, made = services(options.keep)
    begin = cpu_of_children()
    folders = {few: written(profiles, few, False)}
    converted = (cpu_of_children() - begin) / few
    folders[many] = written(profiles, many, options.keep)
    sizes = {n: sum(os.path.getsize(f) for f in glob.glob(folders[n] + "/*.parquet")) for n in folders}
    expected = {n: sum(totals[p] for p in order(profiles, n)) for n in folders}
    contexts = asked(DUCKDB, [folders[many] + "/*.parquet", "SELECT count(*) FROM FILES WHERE record = 'context'", "4GB"])[0][0][0][0]

    packed = {}
    for n in folders:
        target = os.path.join(WORK, f"packed-{n}")
        shutil.rmtree(target, ignore_errors=True)
        os.makedirs(target)
        spent = 0.0
        for day in range(0, n, DAY):
            files = [os.path.join(folders[n], f"{i}.parquet") for i in range(day, min(day + DAY, n))]
            _, done = asked(PACK, [json.dumps(files), os.path.join(target, f"{day // DAY}.parquet")])
            spent += done.cpu
        packed[n] = (target + "/*.parquet", sum(os.path.getsize(f) for f in glob.glob(target + "/*.parquet")), spent)

    rows, checked = [], []
    without = os.path.join(WORK, "without-contexts.parquet")
    asked(PACK.replace("ORDER BY", "WHERE record <> 'context' ORDER BY"), [json.dumps(folders[many] + "/*.parquet"), without])
    for name, sql in QUESTIONS.items():
        results = {}
        for n in folders:
            results["DuckDB", n] = asked(DUCKDB, [folders[n] + "/*.parquet", sql, "4GB"])
            results["packed", n] = asked(DUCKDB, [packed[n][0], sql, "4GB"])
        results["Spark", many] = asked(SPARK, [folders[many], sql])
        answers = [json.dumps(results[key][0][0]) for key in (("DuckDB", many), ("packed", many), ("Spark", many))]
        same = len(set(answers)) == 1
        checked.append(same)
        cells = [f"{seconds(results['DuckDB', few])}", f"{seconds(results['DuckDB', many])}", f"{results['DuckDB', many][1].rss:,.0f}",
                 f"{seconds(results['packed', many])}", f"{seconds(results['Spark', many])}", "yes" if same else "**no**"]
        rows.append([name, *cells])
        print(rows[-1], flush=True)
        if name.startswith("bytecodes"):
            for n in folders:
                found = results["DuckDB", n][0][0][0][0]
                checked.append(found == expected[n])
                print(n, "profiles:", found, "expected", expected[n], flush=True)
    whole = {n: packed[n][2] for n in folders}

    per_file, per_packed = sizes[many] / many, packed[many][1] / many
    million = 1_000_000
    figure = lambda unit, at_few, at_many: [unit(at_few), unit(at_few * 10), unit(at_many), unit(at_many * million / many)]
    mb = lambda b: f"{b / 1e6:,.1f} MB" if b < 1e9 else f"{b / 1e9:,.1f} GB"
    cpu = lambda s: f"{s:,.1f} s" if s < 3600 else f"{s / 3600:,.1f} h"
    plan = [
        ["files as rjvm writes them", *figure(mb, sizes[few], sizes[many])],
        [f"packed, {DAY:,} in each file", *figure(mb, packed[few][1], packed[many][1])],
        ["the same without contexts", "", "", mb(os.path.getsize(without)), mb(os.path.getsize(without) * million / many)],
        ["CPU to pack", *figure(cpu, whole[few], whole[many])],
    ]
    common.write(os.path.join(common.DOCS, "fleet.md"), f"""# A million profiles

`comparisons/fleet.py` writes this page. Ten services with ten loads each run under `--profile=exact`. `rjvm profile convert` labels their
hundred profiles with hosts and commits until there are {many:,} Parquet files with {contexts:,} contexts, as a fleet of machines writes
them. Measured {datetime.date.today().isoformat()} with {common.rjvm_version()}, DuckDB {version("duckdb")}, Spark {version("pyspark")}, on two cores.

A run of a service takes {made:.2f} s of CPU with its profile, and a conversion {converted * 1000:.0f} ms. A file takes {per_file / 1000:.1f} KB,
packed {per_packed / 1000:.1f} KB.

## Questions

Times are wall-clock seconds of the query alone; memory is the peak of the process. *Packed* are files that DuckDB
made of {DAY:,} each.

{common.table(["question", f"DuckDB, {few:,} files ", f"DuckDB, {many:,} files ", "memory, MB ", "packed ", "Spark ", "equal"], rows)}
{"All engines agree, and the sum of all runs is the one that rjvm reports." if all(checked) else "**Not all results agree.**"}

## The plan

The first column is measured, the second predicts ten times as much from it, the third is measured, and the fourth predicts a million from
that.

{common.table(["", f"{few:,} ", f"{many:,}, predicted ", f"{many:,}, measured ", f"{million:,}, predicted "], plan)}
- Each machine writes one Parquet file a run, labelled with commit and host: `rjvm --profile=exact --quiet -o run.parquet …`, or `rjvm profile
  convert --label commit=… --label host=…` afterwards. Upload it to a folder of its day, such as `runs/day=2026-11-26/`: engines that know
  Hive's layout then read only the days that a question is about.
- Once a day, pack the files of the day into one (`COPY (SELECT * FROM 'runs/day=…/*.parquet' ORDER BY record, class, method) TO …`). Small
  files cost more to open than to read, and object stores charge for each request.
- Query the packed days. Totals of methods and runs need few of the columns and rows, so DuckDB on one machine is enough. Most of
  the rows are contexts: keep them as long as you use them, and drop them from older days (`WHERE record <> 'context'`).
""")


def services(keep):
    """The profiles of the services, the bytecodes that rjvm reports for each, and the mean CPU seconds of a run. `keep`: profiles that
    are there stay."""
    home = common.jdks()[17]
    classes = os.path.join(WORK, "classes")
    common.javac(home, [os.path.join(common.HERE, "java", f"{n}.java") for n in ("Work", "Fleet")], classes)
    folder = os.path.join(WORK, "services")
    if not keep:
        shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder, exist_ok=True)
    profiles, totals, spent = [], {}, 0.0
    for kind in KINDS:
        for load in LOADS:
            path = os.path.join(folder, f"{kind}-{load}.rjp")
            new = path + ".new"
            done = common.run([common.RJVM, "--profile=exact", "--quiet", f"--java-home={home}", "-o", f"rjp:{new}", "-cp", classes, "Fleet", kind, str(load)], 120)
            if done.code != 0:
                raise SystemExit(f"{kind} {load}: {done.err}")
            spent += done.cpu
            if not (keep and os.path.exists(path)):
                os.replace(new, path)
            shown = common.run([common.RJVM, "profile", "metrics", path], 60).out
            totals[path] = int(re.search(r"^Bytecodes +(\d+)", shown)[1])
            profiles.append(path)
    return profiles, totals, spent / len(profiles)


def order(profiles, n):
    return [profiles[i % len(profiles)] for i in range(n)]


def written(profiles, n, keep):
    """A folder with `n` Parquet files. `keep`: those that are there, if they are as many."""
    folder = os.path.join(WORK, f"runs-{n}")
    if keep and len(glob.glob(folder + "/*.parquet")) == n:
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)

    def convert(numbered):
        i, path = numbered
        labels = [f"--label=host=h{i % 97}", f"--label=commit=c{i // len(profiles) % 7}"]
        done = common.run([common.RJVM, "profile", "convert", path, *labels, "-o", os.path.join(folder, f"{i}.parquet")], 120)
        if done.code != 0:
            raise SystemExit(done.err)

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(convert, enumerate(order(profiles, n))))
    return folder


def asked(script, arguments):
    """The result that a script prints, and its run."""
    done = common.run([PYTHON, "-c", script, *arguments], 3600)
    line = [line for line in done.out.splitlines() if line.startswith("RESULT ")]
    if not line:
        raise SystemExit(done.err[-2000:])
    return json.loads(line[0][len("RESULT "):]), done


def seconds(result):
    return f"{result[0][1]:.2f}"


def version(module):
    return common.run([PYTHON, "-c", f"import {module}; print({module}.__version__)"], 60).out.strip()


def cpu_of_children():
    times = os.times()
    return times.children_user + times.children_system


if __name__ == "__main__":
    main()
