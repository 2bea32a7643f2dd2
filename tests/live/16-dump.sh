#!/bin/sh
# dump: every thread once. Deadlocks are found and no others are, equal stacks
# are told once, waits have their subjects, and the stacks are the ones that
# gdb sees, however frames are made. A thread that sleeps is not stopped.
# Beside others.
. "$(dirname "$0")/target.sh"
said=$dir/dump

dump() {
	timeout 60 "$build/flametop" dump "$@" >"$said" 2>"$dir/err"
	status=$?
	if [ $status -eq 3 ] && [ -z "$refused" ]; then
		cat "$dir/err"
		exit 77
	fi
	[ $status -eq "${refused:-0}" ] ||
		wrong "dump $*: $status: $(cat "$dir/err")"
}

# Lines like $1 in what was said, $2 of them.
has_lines() {
	found=$(grep -cE "$1" "$said")
	[ "$found" -eq "$2" ] || {
		wrong "$found lines are like \"$1\", not $2"
		cat "$said"
	}
}

# The functions of thread $1, leaf first, without what is inlined; of libc's
# names for one function that differ by underscores, without these.
functions() {
	sed -n "/^$1 [0-9]*, /,/^\$/p" "$said" | sed -n 's/^    //p' |
		grep -v 'inlined]$' |
		awk '{ sub(/\..*/, "", $1); sub(/^_*/, "", $1); print $1 }'
}

ready() {
	for i in 1 2 3 4 5 6 7 8 9 10; do
		grep -q ready "$dir/said" && return
		sleep 0.3
	done
	wrong "$name did not begin"
}

# --- locks

start waits deadlock
ready
dump "$pid"
has_lines '^DEADLOCK: 2 threads wait for each other' 1
has_lines '^DEADLOCK: a thread waits for itself' 1
has_lines '^  first [0-9]* waits for the lock at .* second [0-9]* holds' 1
has_lines '^  second [0-9]* waits for the lock at .* first [0-9]* holds' 1
has_lines '^  waiter [0-9]* waits' 0
has_lines '^  0x[0-9a-f]*, held by first [0-9]*: 2 threads' 1
has_lines '^    take_other  waits.c:' 3
dump --json "$pid"
if has python3; then
	python3 - "$said" <<'END' || wrong "the JSON"
import json, sys
dump = json.load(open(sys.argv[1]))
name = {t["tid"]: t["name"] for t in dump["threads"]}
cycles = sorted(sorted(name[t] for t in c) for c in dump["deadlocks"])
assert cycles == [["alone"], ["first", "second"]], cycles
first = next(t for t in dump["threads"] if t["name"] == "first")
assert first["state"] == "sleeping", first
assert first["wait"]["call"] == "futex", first
assert name[first["wait"]["owner"]] == "second", first
assert "take_both" in [f["function"] for f in first["stack"]], first
END
fi
end

# --- many threads

start waits idle 500 3
ready
dump "$pid"
has_lines DEADLOCK 0
has_lines '^500 threads: sleeping: futex at 0x[0-9a-f]*$' 1
has_lines '^  0x[0-9a-f]*: 500 threads' 1
has_lines '^    await_work  waits.c:' 1
has_lines '^3 threads: running$' 1
has_lines '^    busy  waits.c:' 1
end

# --- subjects

mkfifo "$dir/fifo"
start waits calls "$dir/fifo"
ready
child=$(sed -n 's/^child //p' "$dir/said")
children=$(cat "/proc/$pid"/task/*/children)
pids="$pids $children"
dump "$pid"
has_lines '^vfork [0-9]*, uninterruptible: vfork$' 1
has_lines '^    fork_slowly ' 1
has_lines "^fifo [0-9]*, sleeping: read on fd [0-9]*, $dir/fifo\$" 1
has_lines '^epoll .*: epoll_wait on 7 descriptors \(([0-9]*, ){4}\.\.\.\)$' 1
has_lines '^poll .*: poll on 3 descriptors \([0-9, ]*\), at most 250 s$' 1
has_lines '^select .*: p?select6? on 2 descriptors \([0-9]*, [0-9]*\)$' 1
has_lines '^sleeper .*: clock_nanosleep for 271 s$' 1
has_lines '^accept .*: accept on fd [0-9]*, tcp 127.0.0.1:[0-9]*, listening$' 1
has_lines '^recv .*: recvfrom on fd [0-9]*, tcp 127.0.0.1:[0-9]* to 127' 1
has_lines "^wait4 .*: wait4 for child $child\$" 1
has_lines '^pi-waiter .*: futex at .*, a lock of thread [0-9]*$' 1
has_lines ', held by pi-owner [0-9]*: 1 thread$' 1
has_lines '\[cut\]' 0
# shellcheck disable=SC2086
kill $children
end

# --- frames, as gdb has them

compare() {
	run "$dir/waits" frames
	name="waits, $*"
	ready
	kill -STOP "$pid"
	timeout 60 gdb -nx -p "$pid" -batch -ex 'thread apply all bt' \
		2>/dev/null | sed -n '/^Thread .*"framed"/,/^$/p' |
		sed -n 's/^#[0-9]* *\(0x[0-9a-f]* in \)\{0,1\}\([^ (]*\).*/\2/p' |
		sed 's/^__GI_//; s/^_*//; s/\..*//' >"$dir/gdb"
	kill -CONT "$pid"
	sleep 0.1
	dump --inline off "$pid"
	functions framed >"$dir/ours"
	[ "$(wc -l <"$dir/gdb")" -gt 8 ] || wrong "$*: gdb says nothing"
	cmp -s "$dir/gdb" "$dir/ours" || {
		wrong "$*: gdb, and ours:"
		paste "$dir/gdb" "$dir/ours"
	}
	end
}
if has gdb; then
	for compiler in gcc clang; do
		has $compiler || continue
		for how in -O0 '-O2 -fomit-frame-pointer' \
			'-O1 -fno-omit-frame-pointer -fcf-protection=none' \
			'-O2 -fno-omit-frame-pointer -fstack-clash-protection'
		do
			# shellcheck disable=SC2086
			compile "$compiler" $how -o "$dir/waits" \
				tests/targets/waits.c &&
				compare "$compiler" $how
		done
	done
fi

# musl has neither rules nor frame pointers, and functions that are called by
# nobody's name; what the program itself has called is there.
if has musl-gcc; then
	for how in '-O0' '-O0 -static'; do
		# shellcheck disable=SC2086
		compile musl-gcc $how -o "$dir/waits" tests/targets/waits.c ||
			continue
		run "$dir/waits" frames
		name="waits, musl $how"
		ready
		dump --inline off "$pid"
		printf '%s\n' usleep rest with_room with_arguments with_litter \
			make_frames >"$dir/wanted"
		functions framed | sed -n '/^usleep$/,/^make_frames$/p' |
			cmp -s - "$dir/wanted" || {
			wrong "$name"
			functions framed
		}
		end
	done
fi

# A caller's line is that of its call, also where the code ends with it.
start noreturn
dump "$pid"
line() { grep -nx "$1" tests/targets/noreturn.c | cut -d: -f1; }
has_lines "^    caller_of_never  noreturn.c:$(line '	never();')\$" 1
has_lines "^    main  noreturn.c:$(line '		caller_of_never();')\$" 1
has_lines innocent_next 0
end

# --- harm, and rights

# Calls that a stop would cut are dumped all the time, and none fails.
start eintr 280 1000000
i=0
while [ $i -lt 10 ]; do
	dump -q "$pid"
	i=$((i + 1))
done
kill "$pid"
wait "$pid"
failures=$(awk '{ n += $4 } END { print n + 0 }' "$dir/said")
made=$(awk '{ n += $2 } END { print n + 0 }' "$dir/said")
[ "$failures" -eq 0 ] || wrong "$failures calls failed"
[ "$made" -gt 1000 ] || wrong "only $made calls were made"

# Where nobody may be stopped, who sleeps is read all the same.
start waits idle 2 1
ready
if "$build/targets/refuse" ptrace=EPERM true 2>/dev/null; then
	"$build/targets/refuse" ptrace=EPERM "$build/flametop" dump "$pid" \
		>"$said" 2>"$dir/err" || wrong "without ptrace: status $?"
	has_lines '^2 threads: sleeping: futex' 1
	has_lines '^    await_work' 1
	has_lines '^worker [0-9]*, running' 1
	has_lines '\[no stack: runs, and may not be stopped\]' 1
	grep -q 'cap-add SYS_PTRACE' "$dir/err" || wrong "no knob is named"
fi
refused=0

# One's own processes need no right; another's are refused with a reason.
if [ "$(id -u)" -eq 0 ] && has setpriv; then
	nobody="setpriv --reuid 65534 --regid 65534 --clear-groups"
	cp "$build/flametop" "$dir/flametop"
	chmod 755 "$dir" "$dir/flametop"
	$nobody "$dir/flametop" dump "$pid" >"$said" 2>"$dir/err"
	status=$?
	[ $status -eq 3 ] || wrong "another's process: status $status"
	grep -q sudo "$dir/err" || wrong "no command is named"
	end
	cp "$build/targets/waits" "$dir/waits"
	chmod 755 "$dir/waits"
	# shellcheck disable=SC2086
	run $nobody "$dir/waits" deadlock
	ready
	# shellcheck disable=SC2086
	$nobody "$dir/flametop" dump "$pid" >"$said" 2>"$dir/err" ||
		wrong "one's own: $? $(cat "$dir/err")"
	has_lines '^DEADLOCK' 2
	has_lines '^    take_other' 3
fi
exit $failed
