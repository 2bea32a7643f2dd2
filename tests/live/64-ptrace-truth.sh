#!/bin/sh
# What sampling by perf events must get right, ptrace must too: whole stacks,
# shares and counts. Of the changes only those that /proc shows in time.
export SAMPLER=ptrace
SECONDS_EACH=${SECONDS_EACH:-2}
[ -z "$FLAMETOP_LONG" ] || SECONDS_EACH=10
export SECONDS_EACH
failed=0

for test in 10-stacks 20-shares 21-lockstep 22-counts; do
	sh "$(dirname "$0")/$test.sh" "$1"
	status=$?
	[ $status -ne 77 ] || exit 77
	[ $status -eq 0 ] || { echo "wrong: $test by ptrace"; failed=1; }
done
exit $failed
