#!/bin/sh
# Sampling by ptrace leaves each thread in the state in which it found it, and
# copes with what cannot be stopped: vfork, a stopped process, exec, threads
# that come and go, a tracer that is there already.
. "$(dirname "$0")/target.sh"

stops() {
	"$build/stops" "$@" >"$dir/stops" 2>"$dir/err"
	status=$?
	[ $status -ne 3 ] || { cat "$dir/err"; exit 77; }
}
state_of() { awk '/^State/ { print $2 }' "/proc/$1/status"; }

# All threads come to be in state T: under load that takes some time slices.
all_stop() {
	for try in $(seq 40); do
		moving=$(grep -L '^State:.T' /proc/"$pid"/task/*/status | wc -l)
		[ "$moving" -eq 0 ] && return
		sleep 0.05
	done
	wrong "$1: $moving threads are not stopped"
}
samples_of() { awk '/^samples/ { print $2 }' "$dir/stops"; }

# A thread in vfork hangs nobody: the other one is sampled all the time.
start vforked 400
before=$(cpu_time "$pid")
stops -F 199 -d 4 "$pid"
ran=$((($(cpu_time "$pid") - before) * 2))
[ "$(samples_of)" -gt $((ran / 2)) ] ||
	wrong "vfork: $(samples_of) samples of $ran expected"
dots=$(wc -l <"$dir/said")
sleep 1.5
[ "$(wc -l <"$dir/said")" -gt "$dots" ] || wrong "vfork: it hangs afterwards"
end

# A process that somebody has stopped stays stopped, and goes on with SIGCONT.
start busy 4
kill -STOP "$pid"
all_stop "stopped"
stops -F 199 -d 0.5 "$pid"
[ "$(samples_of)" -eq 0 ] || wrong "stopped: it was sampled"
[ "$(state_of "$pid")" = T ] || wrong "stopped: is now $(state_of "$pid")"
kill -CONT "$pid"
sleep 0.2
[ "$(state_of "$pid")" != T ] || wrong "stopped: does not go on"

# The same when the stop comes in the middle of sampling, again and again.
"$build/stops" -F 999 -b 1000 -d 20 "$pid" >"$dir/stops" 2>&1 &
tool=$!
pids="$pids $tool"
for turn in $(seq 20); do
	sleep 0.05
	kill -STOP "$pid"
	all_stop "stopped midway"
	kill -CONT "$pid"
done
kill -TERM "$tool"
wait "$tool"
[ "$(samples_of)" -gt 50 ] || wrong "only $(samples_of) samples between stops"
end

# Exec from a thread that is not the main one, again and again until the end:
# a number of them may be over before a quick machine begins to sample.
start execloop 100000 3000000
stops -F 999 -b 1000 -d 4 "$pid"
case $(state_of "$pid") in
R | S | D) ;;
*) wrong "exec: it is $(state_of "$pid")" ;;
esac
grep -q ' execs [1-9]' "$dir/stops" || wrong "exec: none was noticed"
end

# 300 short-lived threads: all of them end, and so does the program.
start churn 300 5
stops -F 499 -b 1000 -d 60 "$pid"
wait "$pid"
[ "$(cat "$dir/said")" = "300 threads" ] || wrong "churn: $(cat "$dir/said")"

# One tracer at a time: the other one is named.
if command -v strace >/dev/null; then
	start busy 1
	strace -o /dev/null -p "$pid" 2>/dev/null &
	tracer=$!
	pids="$pids $tracer"
	sleep 0.5
	"$build/stops" -d 0.2 "$pid" >/dev/null 2>"$dir/err" &&
		wrong "traced: it was sampled"
	grep -q "traced by strace (pid $tracer)" "$dir/err" ||
		wrong "traced: it says $(cat "$dir/err")"
	end
fi
exit $failed
