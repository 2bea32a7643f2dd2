#!/bin/sh
# A target whose every name is an attack on the terminal: nothing of it comes
# through raw, on the screen, in text or in a file; see hostile.py. BUILD is $1.
# Beside others.
build=$1
command -v python3 >/dev/null || { echo "python3 is not here"; exit 77; }
"$build/flametop" doctor >/dev/null || { echo "no right to sample"; exit 77; }
python3 tests/live/hostile.py "$build"
