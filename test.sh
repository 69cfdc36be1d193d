#!/usr/bin/env bash
# Installs what the tests need (Debian, Ubuntu: with apt-get, through sudo if you are not root), builds everything, and runs
# the tests. Arguments are those of `cargo test`: `./test.sh --test profiles readers::` runs some of them.
# What cannot be installed is named, and so are the tests that could not check something without it; the others run.
# Exit code 0: no test failed.
set -uo pipefail
cd "$(dirname "$0")"
. .ci/setup

unchecked=()
not_checked() {
    echo "NOT CHECKED: $*"
    unchecked+=("$*")
}
. .ci/needs

# --- building and running -------------------------------------------------------------------------

# `build` has the arguments before `--`; `docs` is the number of libraries with examples in their documentation.
build=(cargo test --workspace --locked --no-run)
docs=$(cargo metadata --locked --no-deps --format-version 1 | grep -o '"doctest":true' | wc -l)
for word; do
    case $word in
    --) break ;;
    --test | --lib | --bin | --bins | --example | --examples | --bench | --benches | --tests | --all-targets) docs=0 ;;
    esac
    build+=("$word")
done

numbered_crates() {
    local n=0 line
    while IFS= read -r line; do
        case $line in
        *" Compiling "*) n=$((n + 1)) && echo "[crate $n of at most $1] ${line#*Compiling }" ;;
        *" Executable "*) ;;
        *) echo "$line" ;;
        esac
    done
}
echo "building the tests: ${build[*]}"
if [ -t 2 ]; then
    # cargo itself shows how far it is
    "${build[@]}"
else
    crates=$(cargo tree --workspace --locked --edges all --prefix none --no-dedupe | awk 'NF {print $1, $2}' | sort -u | wc -l)
    CARGO_TERM_COLOR=never "${build[@]}" 2>&1 | numbered_crates "$crates"
fi || { echo "the tests cannot be built"; exit 1; }
programs=$(($("${build[@]}" 2>&1 | grep -c ' Executable ') + docs))

numbered_programs() {
    local n=0 line
    while IFS= read -r line; do
        case $line in
        *" Running "*" ("*/deps/*")" | *" Doc-tests "*) n=$((n + 1)) && echo "[test program $n of $1] ${line#"${line%%[![:space:]]*}"}" ;;
        *) echo "$line" ;;
        esac
    done
}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
CARGO_TERM_COLOR=never cargo test --workspace --locked --no-fail-fast "$@" 2>&1 | numbered_programs "$programs" | tee "$log"
result=${PIPESTATUS[0]}

# --- the end --------------------------------------------------------------------------------------

echo
for what in "${unchecked[@]}"; do echo "NOT CHECKED here: $what"; done
grep -o 'NOT CHECKED: .*' "$log" | sort -u | sed 's/^NOT CHECKED: /NOT CHECKED: test /'
if [ "$result" = 0 ]; then
    echo "no test failed in $SECONDS s"
else
    grep -E '^test .* FAILED$' "$log"
    echo "tests FAILED in $SECONDS s"
fi
exit "$result"
