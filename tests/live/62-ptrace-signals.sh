#!/bin/sh
# Sampling by ptrace takes no signal away, doubles none and changes no order;
# and one that comes as a thread begins to wait still ends its wait.
. "$(dirname "$0")/target.sh"

queued=10000 wakes=3000
[ -z "$FLAMETOP_LONG" ] || queued=100000 wakes=100000

start signals $queued $wakes
"$build/stops" -F 4000 -b 1000 -d 280 "$pid" >"$dir/stops" 2>"$dir/err"
[ $? -ne 3 ] || { cat "$dir/err"; exit 77; }
wait "$pid"
cat "$dir/said"
grep '^stops' "$dir/stops"
[ "$(cat "$dir/said")" = "$queued arrived, 0 in disorder, 0 waits not ended" ] ||
	wrong "signals were not as they were sent"
grep -q '^stops [0-9]\{3\}' "$dir/stops" || wrong "it was hardly stopped"
exit $failed
