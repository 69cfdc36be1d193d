#!/usr/bin/env bash
# kernels.sh --list | NAME JVM... | --command NAME JVM...: the kernels of java/Costs.java, as benches/calibrate.sh wants sets of programs.
# KERNELS is the folder for their classes; default: one below TMPDIR.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
classes=${KERNELS:-${TMPDIR:-/tmp}/rjvm-kernels}
case ${1:-} in
    --list) sed -n 's/^ *case "\(.*\)" ->.*/\1/p' "$here/java/Costs.java" ;;
    --command) echo "${*:3} -cp $classes Costs $2" ;;
    *)
        if [ ! "$classes/Costs.class" -nt "$here/java/Costs.java" ]; then
            mkdir -p "$classes"
            javac --release 17 -d "$classes" "$here/java/Costs.java"
        fi
        "${@:2}" -cp "$classes" Costs "$1"
        ;;
esac
