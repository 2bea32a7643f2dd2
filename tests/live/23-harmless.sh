#!/bin/sh
# Sampling by perf events wakes no thread of the target: no call is cut short,
# no thread stopped.
# Beside others.
. "$(dirname "$0")/target.sh"

start witness
sleep 0.5
for run in 1 2 3 4 5 6 7 8 9 10; do
	take -d 0.3 "$pid"
	state=$(awk '/^State/ { print $2 }' "/proc/$pid/status")
	case $state in
	T | t) wrong "left in state $state" ;;
	esac
done
long=5
[ -z "$FLAMETOP_LONG" ] || long=60
take -F 999 -d $long "$pid"
[ "$(cat "$dir/said")" = ready ] || wrong "it says: $(cat "$dir/said")"
end
finish
