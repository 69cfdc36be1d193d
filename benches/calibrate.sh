#!/usr/bin/env bash
# calibrate.sh OUT RJVM RUN JVM...: what programs execute and what they cost a JVM, as a table for `rjvm profile fit`.
#
# RUN is a script that runs a set of programs: `RUN --list` names them, `RUN NAME JVM...` runs one, and `RUN --command NAME java` prints
# its command line. OUT is a folder for profiles, times and the table. Profiles that are there already are not made again (those of another
# JVM's folder can be linked: what is executed is counted by rjvm in any case); times of another ROUNDS (5) runs are added to those that
# are there, and the least counts: the processor time of the whole process, in the system too. Programs take turns, so that what else
# the machine does for a while does not hit all runs of one.
#
#     benches/calibrate.sh /tmp/xint target/release/rjvm workloads/run.sh java -Xint
#     rjvm profile fit /tmp/xint/table.tsv --model=benches/xint.toml -o xint.toml
#
# benches/kernels.sh is such a script too: what single kinds of bytecodes cost.
set -euo pipefail
out=$1 rjvm=$(realpath "$2") run=$3
shift 3
mkdir -p "$out"
out=$(realpath "$out")
: >"$out/table.tsv"
names=$("$run" --list)
for name in $names; do
    profile=$out/$name.rjp
    [ -s "$profile" ] || "$run" "$name" "$rjvm" --profile=blocks --allocations --quiet -o "$profile" || true
done
for _ in $(seq "${ROUNDS:-5}"); do
    for name in $names; do
        "$run" "$name" /usr/bin/time -a -f '%U %S' -o "$out/$name.times" "$@" || true
    done
done
for name in $names; do
    profile=$out/$name.rjp
    # A run that fails leaves a line of other words.
    least=$(awk '/^[0-9.]+ [0-9.]+$/ { t = $1 + $2; if (n++ == 0 || t < least) least = t } END { if (n) printf "%.0f", least * 1e9 }' \
        "$out/$name.times" 2>/dev/null || true)
    if [ ! -s "$profile" ] || [ -z "$least" ]; then
        echo "$name is left out: it has no profile or no time" >&2
        continue
    fi
    classes=$("$run" --command "$name" java | sed -n 's/.*-cp \([^ ]*\).*/\1/p')
    printf '%s\t%s\t%s\t%s\n' "$profile" "$least" "$name" "$classes" >>"$out/table.tsv"
done
echo "$out/table.tsv: $(wc -l <"$out/table.tsv") programs"
