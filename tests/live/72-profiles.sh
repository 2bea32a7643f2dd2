#!/bin/sh
# Files that no profiler wrote, and large ones that one did: a reason or a
# picture, in bounded memory, and q works while one is being read; see
# profiles.py. BUILD is $1.
# Beside others.
build=$1
command -v python3 >/dev/null || { echo "python3 is not here"; exit 77; }
python3 tests/live/profiles.py "$build"
