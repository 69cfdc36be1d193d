#!/bin/sh
# Compiles the example without a build tool, and runs its tests and benchmarks: needs rjvm on the path, javac and JUnit 5.
set -e
cd "$(dirname "$0")"
out=${1:-target}
mkdir -p lib "$out/classes" "$out/test-classes"
rjvm --test-api=lib/rjvm-test.jar
junit=$(printf '%s:' /usr/share/java/junit-jupiter-api.jar /usr/share/java/apiguardian-api.jar /usr/share/java/opentest4j.jar /usr/share/java/junit-platform-commons.jar)
javac -d "$out/classes" src/main/java/com/example/*.java
javac -cp "$out/classes:lib/rjvm-test.jar:$junit" -d "$out/test-classes" src/test/java/com/example/*.java
rjvm test -cp "$out/classes:$out/test-classes"
rjvm bench -cp "$out/classes:$out/test-classes"
