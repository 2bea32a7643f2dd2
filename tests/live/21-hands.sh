#!/bin/sh
# From the screen to clipboard and editor; see hands.py. BUILD is $1.
# Beside others.
build=$1
command -v python3 >/dev/null || { echo "python3 is not here"; exit 77; }
"$build/flametop" doctor >/dev/null || { echo "no right to sample"; exit 77; }
python3 tests/live/hands.py "$build"
