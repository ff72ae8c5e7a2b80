#!/usr/bin/env bash
# How long bin/iwcm takes to start, with and without its archive: 'version' until it has ended, 'serve' until it has
# printed where it listens. Medians of runs that alternate, so that whatever else the machine does meets both alike.
#
#   bench/start.sh [RUNS]      9 by default; IWCM names another launcher, such as that of an unpacked distribution
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
iwcm=${IWCM:-bin/iwcm} runs=${1:-9}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/serve.conf" <<CONF
iwcm.nic { link.kind = memory, addresses = [ { address = "10.9.0.2/24" } ] }
iwcm.cm.listeners = [ { address = "10.9.0.2", port = 4420, answer = accept } ]
iwcm.http.port = 0
CONF

ms_since() { echo $(((${EPOCHREALTIME/./} - ${1/./}) / 1000)); }

version() {
    local started=$EPOCHREALTIME
    "$iwcm" version >/dev/null
    ms_since "$started"
}

serve() {
    local started=$EPOCHREALTIME line pid
    coproc node { exec "$iwcm" serve --config "$work/serve.conf"; }
    # shellcheck disable=SC2154  # coproc sets it
    pid=$node_PID
    while read -r line <&"${node[0]}" && [[ $line != http* ]]; do :; done
    ms_since "$started"
    kill "$pid"
    wait "$pid" 2>/dev/null || true
}

median() { sort -n "$1" | awk '{ at[NR] = $1 } END { print at[int((NR + 1) / 2)] }'; }

"$iwcm" warm-up
for ((run = 0; run <= runs; run++)); do # The first one is not counted: it only fills the page cache.
    for command in version serve; do
        for archive in on off; do
            export IWCM_AOT=$archive
            $command >>"$work/$command.$archive"
            ((run > 0)) || : >"$work/$command.$archive"
        done
    done
done

printf '%-16s %12s %16s\n' 'median of '"$runs" 'with archive' 'without archive'
for command in version serve; do
    printf '%-16s %9s ms %13s ms\n' "$command" "$(median "$work/$command.on")" "$(median "$work/$command.off")"
done
