#!/bin/sh
# Each of the four processes is killed and stopped, under either sampler; see
# kills.py. BUILD is $1. FLAMETOP_LONG=1: 30 rounds, stops of 10 seconds.
# Beside others.
build=$1
command -v python3 >/dev/null || { echo "python3 is not here"; exit 77; }
rounds=3 stops=1 seconds=4
[ "$FLAMETOP_LONG" = 1 ] && rounds=30 stops=30 seconds=10
"$build/flametop" doctor >/dev/null || { echo "no right to sample"; exit 77; }
python3 tests/live/kills.py "$build" "$rounds" perf $stops $seconds &
perf=$!
python3 tests/live/kills.py "$build" "$rounds" ptrace $stops $seconds
status=$?
wait $perf && exit $status
