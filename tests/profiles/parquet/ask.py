"""Asks engines about a folder of Parquet files: ask.py duckdb|spark FOLDER SQL-FILE. Statements end with ';' at the end of a line.
What each gives is printed as a line of JSON."""
import json
import os
import sys

engine, folder, file = sys.argv[1:]
statements = [s.strip() for s in open(file, encoding="utf-8").read().split(";\n") if s.strip()]
os.chdir(folder)


def plain(value):
    return value if value is None or isinstance(value, (int, float, str, bool)) else str(value)


if engine == "duckdb":
    import duckdb

    connection = duckdb.connect()
    ask = lambda sql: connection.execute(sql).fetchall()
else:
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.sql.shuffle.partitions", "4").config("spark.driver.bindAddress", "127.0.0.1")
    builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.sql.files.openCostInBytes", "1024")
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    session.read.parquet(folder + "/runs").createOrReplaceTempView("runs")
    ask = lambda sql: [tuple(row) for row in session.sql(sql).collect()]

for statement in statements:
    print(json.dumps([[plain(value) for value in row] for row in ask(statement)]))
