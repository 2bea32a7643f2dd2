#!/bin/sh
# Hang-up saves and exits, ^Z and fg, a terminal that nobody reads; see
# terminal.py. BUILD is $1.
build=$1
command -v python3 >/dev/null || { echo "python3 is not here"; exit 77; }
"$build/flametop" doctor >/dev/null || { echo "no right to sample"; exit 77; }
python3 tests/live/terminal.py "$build" perf || exit 1
python3 tests/live/terminal.py "$build" ptrace
