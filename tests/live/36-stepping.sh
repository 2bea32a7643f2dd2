#!/bin/sh
# Programs are single-stepped; at every fifth instruction our stack is what
# their calls, returns and signals have made of it. FLAMETOP_LONG: at every
# one, from the first of the dynamic loader on.
# Beside others.
[ -n "$FLAMETOP_LONG" ] || EVERY=5 MOST=25000 FROM=-e
. "$(dirname "$0")/../oracle/stepping.sh"
