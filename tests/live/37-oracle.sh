#!/bin/sh
# A few of the programs of tests/oracle/run.sh, a second each (FLAMETOP_LONG:
# all of them): our stacks are whole, and those of libunwind or libdw.
# Beside others.
if [ -n "$FLAMETOP_LONG" ]; then
	set -- "$1"
else
	set -- "$1" c++-gcc-O2-fp lazy-plt signals static-glibc musl-static python
	SECONDS_EACH=1 SETTLE=0.2
fi
NO_PERF=1 STOPS=0 SLACK=1
. "$(dirname "$0")/../oracle/run.sh"
