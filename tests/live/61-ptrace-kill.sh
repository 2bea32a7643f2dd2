#!/bin/sh
# The sampler is killed (-9) at random moments, 100 times, on a program of
# eight busy threads: none of them is left stopped, all go on working. Then it
# is ended properly, and leaves nothing attached.
. "$(dirname "$0")/target.sh"

runs=100
[ -z "$FLAMETOP_LONG" ] || runs=1000

# A state of T or t shows for a moment while a stop is being undone: only one
# that lasts is wrong.
none_is_stopped() {
	for try in 1 2 3 4 5; do
		stopped=$(awk '/^State:\t[Tt]/ { n++ } END { print n + 0 }' \
			/proc/"$pid"/task/*/status)
		[ "$stopped" -eq 0 ] && return
		sleep 0.1
	done
	wrong "$stopped threads are left stopped after $1"
}

# CPU time of each thread; and those that have no more of it after a second.
run_times() { for t in /proc/"$pid"/task/*; do
	echo "${t##*/} $(cut -d' ' -f1 "$t/schedstat")"; done; }
all_run() {
	run_times >"$dir/before"
	sleep 1
	run_times >"$dir/after"
	stuck=$(join "$dir/before" "$dir/after" | awk '$2 == $3' | wc -l)
	[ "$stuck" -eq "$idle" ] || wrong "$stuck threads do not run after $1"
}

start busy 8
"$build/stops" -d 0.2 "$pid" >"$dir/stops" 2>"$dir/err"
[ $? -ne 3 ] || { cat "$dir/err"; exit 77; }
idle=1			# the main thread waits for the others
all_run "nothing"

for run in $(seq $runs); do
	"$build/stops" -F 999 -b 1000 -d 10 "$pid" >/dev/null 2>"$dir/err" &
	tool=$!
	pids="$pids $tool"
	until grep -q ready "$dir/err"; do sleep 0.01; done
	sleep "0.0$(od -An -N1 -tu1 /dev/urandom | tr -d ' ')"
	kill -9 "$tool"
	wait "$tool" 2>/dev/null
	none_is_stopped "kill $run"
	[ $failed -eq 0 ] || break
done
all_run "$runs kills"

"$build/stops" -F 999 -b 1000 -d 10 "$pid" >"$dir/stops" 2>&1 &
tool=$!
sleep 0.5
kill -TERM "$tool"
wait "$tool" || wrong "it ended with $?"
none_is_stopped "its end"
traced=$(grep -L '^TracerPid:.0$' /proc/"$pid"/task/*/status)
[ -z "$traced" ] || wrong "still attached: $traced"
grep '^stops' "$dir/stops"
exit $failed
