#!/usr/bin/env python3
"""Runs an exploration on a Spark cluster: each task is one shard, and the results are joined here.

    spark_explore.py --shards=40 -o all.json -- --iterations=10000 --keep-going -cp /srv/app/classes com.example.Main

What follows `--` is the command line of `rjvm explore`. rjvm, a JDK and the program are expected in the same places on all
machines. The exit code is that of `rjvm explore merge`: 1 if a schedule failed.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

from pyspark.sql import SparkSession


def explore(rjvm, shard, words):
    """The result of one shard, as text."""
    with tempfile.TemporaryDirectory() as folder:
        command = [rjvm, "explore", f"--shard={shard}", "-o", "part.json", *words]
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        # 1: a schedule failed, which is a result like any other
        if run.returncode not in (0, 1):
            raise RuntimeError(f"{shard}: exit code {run.returncode}\n{run.stderr}")
        return pathlib.Path(folder, "part.json").read_text()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--shards", type=int, default=8)
    parser.add_argument("--rjvm", default="rjvm")
    parser.add_argument("-o", "--output", action="append", default=[])
    parser.add_argument("words", nargs="+")
    asked = parser.parse_args()
    rjvm, words, count = asked.rjvm, asked.words, asked.shards

    spark = SparkSession.builder.appName("rjvm explore").getOrCreate()
    shards = [f"{i}/{count}" for i in range(1, count + 1)]
    tasks = spark.sparkContext.parallelize(shards, numSlices=count)
    parts = tasks.map(lambda shard: explore(rjvm, shard, words)).collect()
    spark.stop()

    with tempfile.TemporaryDirectory() as folder:
        files = []
        for i, part in enumerate(parts, 1):
            files.append(pathlib.Path(folder, f"part-{i}.json"))
            files[-1].write_text(part)
        outputs = [word for file in asked.output for word in ("-o", file)]
        merge = subprocess.run([rjvm, "explore", "merge", *outputs, *map(str, files)])
    sys.exit(merge.returncode)


if __name__ == "__main__":
    main()
