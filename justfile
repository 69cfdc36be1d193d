# Short names for the commands of the project: `just` lists them, `just clippy docs` runs two.
# Each step is a function of .ci/run, which also works without just.

# list the commands
default:
    @just --list --unsorted

# build target/release/rjvm
build:
    cargo build --release --locked

# build rjvm, and profile an example
try:
    ./try.sh

# run tests; the arguments are those of cargo test
test *arguments:
    ./test.sh {{arguments}}

# run the steps of CI
ci *steps:
    .ci/run {{steps}}

# --- steps: daily -------------------------------------------------------------

# check the format of the code
fmt:
    .ci/run fmt

# run clippy, warnings are errors
clippy:
    .ci/run clippy

# run the tests, except the largest test programs and the unit tests of the largest crates
tests:
    .ci/run tests

# --- steps: optimised ---------------------------------------------------------

# run all steps of this group
optimised:
    .ci/run optimised

# check the tail calls of the optimised interpreter
dispatch:
    .ci/run dispatch

# run the largest test programs
large_tests:
    .ci/run large_tests

# run the unit tests of the largest crates
units:
    .ci/run units

# run Java programs with a collection at every allocation
gc_stress:
    .ci/run gc_stress

# compare machine instructions per bytecode with their baseline
guard:
    .ci/run guard

# check that the sources compile for aarch64
portable:
    .ci/run portable

# build the documentation of the crates, warnings are errors
docs:
    .ci/run docs

# check that each crate can be packaged
package:
    .ci/run package

# --- steps: nightly -----------------------------------------------------------

# run all steps of this group
nightly:
    .ci/run nightly

# run all tests with all programs, rounds, schedules and JDKs
tests_all:
    .ci/run tests_all

# run mutated class files for a minute
fuzz:
    .ci/run fuzz

# run tests on the portable back end
loop:
    .ci/run loop

# run programs on aarch64 under an emulator
emulated:
    .ci/run emulated

# compare the interface of the libraries with .ci/api
semver:
    .ci/run semver

# run the Java programs on JDK 25
jdks:
    .ci/run jdks

# run all Java programs with a collection at every allocation
gc_stress_all:
    .ci/run gc_stress_all

# run all Java programs with every method compiled
tier_all:
    .ci/run tier_all

# compare random programs, interpreted and compiled
fuzz_tiers:
    .ci/run fuzz_tiers

# read a thousand Parquet profiles in Spark
spark:
    .ci/run spark

# test a build that logs what rjvm itself does
traced:
    .ci/run traced

# build each crate from its package alone
package_built:
    .ci/run package_built

# check licences, sources and known vulnerabilities
deny:
    .ci/run deny

# build the book in target/book, and check its links
book:
    .ci/run book

# make and try the parts of a release, and publish nothing
release:
    .ci/run release

# run coverage-guided fuzzing
fuzz_guided:
    .ci/run fuzz_guided

# run tests under AddressSanitizer
sanitizers:
    .ci/run sanitizers

# run tests under Miri
miri:
    .ci/run miri

# fill and copy arrays of 4.5 GB
huge:
    .ci/run huge

# run hostile guests for ten minutes
siege:
    .ci/run siege

# check that requests to stop take effect within 10 ms
cancellation:
    .ci/run cancellation

# explore correct programs, 5,000 schedules each
explore_correct:
    .ci/run explore_correct

# run the commands of the README in a new Debian
fresh:
    .ci/run fresh
