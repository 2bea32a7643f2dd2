#!/bin/sh
# Sampling by ptrace cuts no system call short: over 10,000 stops of threads
# that work a little and then wait in calls which a stop ends with EINTR, none
# fails. And it is the repeating of cut calls that does it: without, some do.
# FLAMETOP_LONG=1: 100,000 stops.
. "$(dirname "$0")/target.sh"

stops=10000 seconds=100
[ -z "$FLAMETOP_LONG" ] || stops=100000 seconds=1000

# Sample until there were $1 stops, in at most $2 seconds.
stop_often() {
	start eintr $(($2 + 10)) 1000000
	count=$1 limit=$2
	shift 2
	"$build/stops" -F 2000 -b 1000 -n "$count" -d "$limit" "$@" "$pid" \
		>"$dir/stops" 2>"$dir/err"
	if [ $? -eq 3 ]; then
		cat "$dir/err"
		exit 77
	fi
	kill "$pid"
	wait "$pid"
	failures=$(awk '{ n += $4 } END { print n + 0 }' "$dir/said")
	made=$(awk '/^stops/ { print $2 + 0 }' "$dir/stops")
	repeated=$(awk '/^stops/ { print $4 + 0 }' "$dir/stops")
	echo "$made stops, $repeated calls repeated, $failures failed"
	cat "$dir/said"
}

stop_often $stops $seconds
[ "$failures" -eq 0 ] || wrong "$failures calls failed"
[ "$made" -ge $stops ] || wrong "only $made stops in $seconds s"
[ "$((repeated * 200))" -ge $stops ] || wrong "only $repeated were repeated"

stop_often $((stops / 5)) $((seconds / 5)) -c
[ "$failures" -gt 0 ] || wrong "this cannot fail: no call was cut"
exit $failed
