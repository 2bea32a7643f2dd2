#!/bin/sh
# Generated code by its address and the time: used again, named by a jitdump,
# and named by files that must not be believed.
# Beside others.
. "$(dirname "$0")/target.sh"

files=
trap 'end_all; rm -f $files' EXIT

# One address, two functions. Which one it was is seen a second late at most.
for way in map dump; do
	start jitreuse $way
	files="$files /tmp/perf-$pid.map /tmp/jit-$pid.dump"
	target=$pid
	{ sleep 3; kill -USR1 "$target"; } &
	record -d 7 -F 199 "$pid"
	before=$(weight ';calls;before_\[j\] ')
	after=$(weight ';calls;after_\[j\] ')
	[ "$before" -ge $((after / 8)) ] && [ "$after" -ge $((before / 8)) ] ||
		wrong "$way: $before samples before, $after after"
	refuse '\[jit\]\+0x'
	end
done

# The target knows itself as process 1, whoever has written the map does not.
if unshare -p --fork true 2>/dev/null; then
	rm -f /tmp/perf-1.map
	run unshare -p --fork --kill-child "$build/targets/jitreuse" map
	pid=$(cat "/proc/$pid/task/$pid/children")
	pid=${pid% }
	pids="$pids $pid"
	files="$files /tmp/perf-$pid.map"
	for _ in 1 2 3 4 5 6 7 8 9; do
		[ -s /tmp/perf-1.map ] || sleep 0.3
	done
	mv /tmp/perf-1.map "/tmp/perf-$pid.map"
	record -d 1 "$pid"
	expect ';calls;before_\[j\] '
	end
fi

# A map that belongs to somebody else, or is no file, names nothing, stops
# nothing, and is told.
untrue() {
	timeout 60 "$build/flametop" record -f -o "$folded" -d 1 "$pid" \
		2>"$dir/err" || wrong "record: $(cat "$dir/err")"
	grep -q 'JIT code has no names' "$dir/err" || wrong "it is not told why"
	refuse ';jit_first_'
	expect ';work;\[jit\]\+0x[0-9a-f]+_\[j\] '
	end
}
if [ "$(id -u)" -eq 0 ]; then
	start jit
	files="$files /tmp/perf-$pid.map"
	chown 12345 "/tmp/perf-$pid.map"
	untrue
fi
start jit
map=/tmp/perf-$pid.map
files="$files $map"
rm "$map" && mkfifo "$map"
untrue
start jit
map=/tmp/perf-$pid.map
files="$files $map"
: >"$map" && truncate -s 10G "$map" 2>/dev/null && untrue

# node puts 2 MiB together before it writes; many functions fill them.
if has node; then
	cat >"$dir/app.js" <<-'END'
		function burnNumbers(n) {
			let sum = 0;
			for (let i = 0; i < n; i++) sum = (sum * 31 + i) | 0;
			return sum;
		}
		function burnsOn() {
			for (let i = 0; i < 50; i++) burnNumbers(100000);
		}
		for (let i = 0; i < 5; i++) burnsOn();
		for (let i = 0; i < 6000; i++)
			new Function("a", "let s = " + i +
				"; for (let k = 0; k < a; k++) s += k; return s")(3);
		const end = Date.now() + 30000;
		while (Date.now() < end) burnsOn();
	END
	run env -C "$dir" node --perf-prof --no-turbo-inlining "$dir/app.js"
	files="$files $dir/jit-$pid.dump"
	sleep 3
	record -d 3 -F 199 "$pid"
	expect ';JS:[*^]burnNumbers /[^;]*/app.js:[0-9:]*_\[j\] '
	# What the program's own symbols name is no business of the dump.
	expect ';Builtins_JSEntryTrampoline;'
	refuse ';Builtin:'
	end
fi
# CPython's trampolines, one for each function: 3.12 writes a map of them, 3.13
# a jitdump if it is asked to.
cat >"$dir/work.py" <<-'END'
	import time
	def burn_numbers(n):
	    s = 0
	    for i in range(n): s = (s * 31 + i) & 0xffffffff
	    return s
	def calls_it():
	    return burn_numbers(200000)
	calls_it()
	for i in range(300):    # what fills its buffer
	    exec('def f%d(): return 1\nf%d()' % (i, i))
	end = time.time() + 30
	while time.time() < end: calls_it()
END
has_trampolines='import os, sys
active = sys.is_stack_trampoline_active()
for name in "perf-%d.map", "jit-%d.dump":
    try: os.unlink("/tmp/" + name % os.getpid())
    except OSError: pass
sys.exit(not active)'
for python in python3.12 python3.13 \
	"${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.1[23].*/bin/python3; do
	for way in perf perf_jit; do
		"$python" -X $way -c "$has_trampolines" 2>/dev/null || continue
		run "$python" -X $way "$dir/work.py"
		files="$files /tmp/perf-$pid.map /tmp/jit-$pid.dump"
		sleep 1
		record -d 1.5 -F 199 "$pid"
		check cut -eq 0
		check guessed -eq 0
		expect ';_start;.*;py::calls_it:[^;]*/work.py_\[j\];.*;py::burn_numbers:[^;]*/work.py_\[j\];'
		end
	done
done
finish
