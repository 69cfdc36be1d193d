#!/usr/bin/env bash
# calibrate.sh OUT RJVM RUN JVM...: what programs execute and what they cost a JVM, as a table for `rjvm profile fit`.
#
# RUN is a script that runs a set of programs: `RUN --list` names them, `RUN NAME JVM...` runs one, and `RUN --command NAME java` prints
# its command line. OUT is a folder for profiles, times and the table. What is there already is not made again.
#
#     benches/calibrate.sh /tmp/xint target/release/rjvm workloads/run.sh java -Xint
#     rjvm profile fit /tmp/xint/table.tsv --model=benches/xint.toml -o xint.toml
set -euo pipefail
out=$1 rjvm=$(realpath "$2") run=$3
shift 3
mkdir -p "$out"
out=$(realpath "$out")
: >"$out/table.tsv"
for name in $("$run" --list); do
    profile=$out/$name.rjp times=$out/$name.times
    [ -s "$profile" ] || "$run" "$name" "$rjvm" --profile=blocks --allocations --quiet -o "$profile" || true
    [ -s "$times" ] || for _ in 1 2; do "$run" "$name" /usr/bin/time -a -f %U -o "$times" "$@" || true; done
    if [ ! -s "$profile" ] || [ ! -s "$times" ]; then
        echo "$name is left out: it has no profile or no time" >&2
        continue
    fi
    nanos=$(grep -E '^[0-9.]+$' "$times" | sort -n | head -1 | awk '{ printf "%.0f", $1 * 1e9 }')
    classes=$("$run" --command "$name" java | sed -n 's/.*-cp \([^ ]*\).*/\1/p')
    printf '%s\t%s\t%s\t%s\n' "$profile" "$nanos" "$name" "$classes" >>"$out/table.tsv"
done
echo "$out/table.tsv: $(wc -l <"$out/table.tsv") programs"
