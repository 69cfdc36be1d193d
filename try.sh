#!/usr/bin/env bash
# Builds rjvm and shows the exact profile of examples/WordCount.java.
# Installs JDK 17 (Debian, Ubuntu: openjdk-17-jdk-headless) and a C linker if they are missing.
set -euo pipefail
cd "$(dirname "$0")"
. .ci/setup

cargo build --release --locked
mkdir -p target/example
"$JAVA_HOME/bin/javac" -d target/example examples/WordCount.java
set -x
target/release/rjvm --profile=exact --view=app -o target/example/WordCount.txt -o target/example/WordCount.folded \
    -cp target/example WordCount LICENSE-APACHE
cat target/example/WordCount.txt
