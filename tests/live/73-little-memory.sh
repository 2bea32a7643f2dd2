#!/bin/sh
# An address space that is too small, from next to nothing to enough: it works
# or says so, with status 1; terminal and target are as they were. BUILD is $1.
# Beside others.
build=$1
command -v python3 >/dev/null || { echo "python3 is not here"; exit 77; }
command -v prlimit >/dev/null || { echo "prlimit is not here"; exit 77; }
"$build/flametop" doctor >/dev/null || { echo "no right to sample"; exit 77; }
python3 tests/live/memory.py "$build"
