#!/bin/sh
# Maps of generated code with all that runtimes write into them, read in a
# container, large, and as node makes them.
# Beside others.
. "$(dirname "$0")/target.sh"

maps=
trap 'end_all; rm -f $maps' EXIT

# What tests/targets/jitmap.c says of itself.
check_map() {
	expect ';calls_all;void ns::Foo<int, char>::bar\(a b\) const_\[j\] '
	expect ';calls_all;caf[^;]* [^;]*bytes_\[j\] '
	expect ';calls_all;RegExp:\^\[a [:;]/\]\+\\d\(\?:x\|y\)\$ 12_\[j\] '
	expect ';calls_all;(LazyCompile:\*last /srv/a b.js:1:2|\[jit\]\+0x[0-9a-f]+)_\[j\] '
	expect ';main;calls_all;in_file '
	refuse 'old name|garbage|no number|not this one'
}

start jitmap
maps="$maps /tmp/perf-$pid.map"
record -d 1.5 -F 199 "$pid"
check_map
end

# Half a million lines more, as .NET writes them.
start jitmap
maps="$maps /tmp/perf-$pid.map"
awk 'BEGIN { print ""; for (i = 0; i < 500000; i++)
	printf "%x 40 instance void [My.Assembly] Ns.Class%d::Method(int32)[Tier1]\n",
		1073741824 + i * 64, i }' >>"/tmp/perf-$pid.map"
began=$(date +%s)
record -d 1.5 -F 199 "$pid"
[ $(($(date +%s) - began)) -le 8 ] || wrong "a large map takes long"
check_map
end

# Process 1 of a container, whose /tmp is its own.
if unshare -pm --fork --mount-proc true 2>/dev/null; then
	unshare -pm --fork --mount-proc --kill-child sh -c '
		exec 3<"$1"
		mount -t tmpfs none /tmp && cat <&3 >/tmp/jitmap &&
			chmod +x /tmp/jitmap && cd / && exec /tmp/jitmap' \
		sh "$build/targets/jitmap" >/dev/null 2>"$dir/said" &
	pids="$pids $!"
	sleep 0.5
	pid=$(cat "/proc/$!/task/$!/children")
	pids="$pids $pid"
	# shellcheck disable=SC2086
	record -d 1.5 -F 199 $pid
	[ -e /tmp/perf-1.map ] && wrong "the map is not hidden"
	check_map
fi

if has node; then
	cat >"$dir/app.js" <<-'END'
		function matches(text) {
			return /^(?:a|ab;|[b-z;/ ])*\d$/.test(text);
		}
		function burnNumbers(n) {
			let sum = 0;
			for (let i = 0; i < n; i++) sum = (sum * 31 + i) | 0;
			return sum;
		}
		const end = Date.now() + 30000, text = "abc; /".repeat(999) + 7;
		while (Date.now() < end) {
			for (let i = 0; i < 500; i++) matches(text);
			burnNumbers(3000000);
		}
	END
	run env -C "$dir" node --perf-basic-prof --interpreted-frames-native-stack \
		--no-turbo-inlining "$dir/app.js"
	maps="$maps /tmp/perf-$pid.map"
	sleep 1
	record -d 3 -F 199 "$pid"
	expect ';JS:.burnNumbers /[^;]*app.js:[0-9:]*_\[j\] '
	# What the program's own symbols name is no business of the map.
	expect ';JS:.matches /[^;]*app.js:[0-9:]*_\[j\];Builtins_RegExp[A-Za-z]*;'
	expect ';JS:.matches .*;RegExp:\^[^;]*\\d\$_\[j\] '
	refuse ';Builtin:'
	end

	# A map of functions alone.
	run env -C "$dir" node --perf-basic-prof-only-functions \
		--no-turbo-inlining "$dir/app.js"
	maps="$maps /tmp/perf-$pid.map"
	sleep 1
	record -d 1.5 -F 199 "$pid"
	expect ';JS:.burnNumbers /[^;]*app.js:[0-9:]*_\[j\] '
	refuse 'RegExp:'
	end
fi
finish
