#!/bin/sh
# What bash, zsh and fish make of the first letters of a word: completion.py.
# Beside others.
command -v python3 >/dev/null || { echo "python3 is not here"; exit 77; }
exec python3 tests/live/completion.py
