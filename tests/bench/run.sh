#!/bin/sh
# Ratios taken side by side in one run, never a bare time. BUILD is $1.
#
#	start	first picture with a name of the target's, in a tmux that is
#		started for it (an empty program there: beside)
#				       /  perf record -- sleep 1 + perf report
#	cpu	our own CPU            /  perf record --call-graph dwarf
#	frames	a frame of a stack     /  libunwind, libdw
#	folded	a file of a gigabyte read / wc -l, awk, sort -u (folded.sh)
#	rules	table of unwind rules  /  libdw says each row once
#	lookup	a symbol by address    /  plain binary search, libdwfl
#	first	the first names, lines and inlined functions of a large file
#				       /  addr2line, gdb, and perf report on what
#					  it sampled, on the same addresses
#	picture	what a screen is drawn from, by the size of the tree: 10^6 nodes
#		/  10^3
#	screen	a frame in a tree of 10^6 nodes / 10^3; how still a picture is,
#		to a plain layout of the same samples (screen.sh)
#	memory	of one session that follows ten programs (memory.sh)
#
# make bench-deps installs the debug files that the last two look into.
build=$1
dir=$(mktemp -d)
pids=
trap 'for p in $pids; do kill $p 2>/dev/null; done; rm -rf "$dir"' EXIT
flametop=$build/flametop

now() { date +%s.%N; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }
median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
perf=$(command -v perf)

# CPU seconds of a command and all its children.
cpu_of() {
	bash -c 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>&1' _ "$@" 2>&1 |
		tail -1 | awk '{ print $1 + $2 }'
}

# Seconds until a command in a terminal that is made for it shows a word.
seconds_to_see() {
	socket=flametop-bench-$$ tries=0
	began=$(now)
	tmux -L $socket -f /dev/null new-session -d -x 120 -y 40 "$2"
	while ! tmux -L $socket capture-pane -p | grep -q "$1"; do
		sleep 0.01
		[ $((tries += 1)) -lt 1000 ] ||
			{ echo "start: $1 is not on the screen" >&2; break; }
	done
	now | awk -v b="$began" '{ print $1 - b }'
	tmux -L $socket send-keys q
	sleep 0.2
	tmux -L $socket kill-server 2>/dev/null
}

first_picture() {
	seconds_to_see "$2" "$flametop --color 256 $3 -p $1"
}

perf_seconds() {
	began=$(now)
	perf record -q -F 999 --call-graph dwarf -p "$1" -o "$dir/perf.data" \
		-- sleep 1 >/dev/null 2>&1
	perf report --stdio -i "$dir/perf.data" >/dev/null 2>&1
	now | awk -v b="$began" '{ print $1 - b }'
}

# What process $2 is, a word that is in its functions' names alone, options.
start() {
	ours=$(for i in 1 2 3 4 5 6 7 8 9; do
		first_picture "$2" "$3" "$4"
	done | median)
	empty=$(for i in 1 2 3 4 5; do
		seconds_to_see empty "echo empty; exec sleep 9"
	done | median)
	[ -n "$perf" ] || { echo "start $1: ${ours} s (no perf here)"; return; }
	theirs=$(for i in 1 2 3; do perf_seconds "$2"; done | median)
	echo "start  $1: first named picture $ours s (an empty program in the" \
		"same tmux $empty s), perf $theirs s, ratio" \
		"$(ratio "$ours" "$theirs")"
}

"$build/targets/shares" 2 >/dev/null & pid=$!; pids="$pids $pid"
sleep 0.3
command -v tmux >/dev/null && start shares $pid 'fifty\|thirty'

if command -v node >/dev/null && command -v tmux >/dev/null; then
	(cd "$dir" && exec node --perf-basic-prof -e '
	function inner(n) { let s = 0; for (let i = 0; i < n; i++) s += i % 7; return s; }
	for (;;) inner(20000);') & npid=$!; pids="$pids $npid"
	sleep 1
	start node $npid 'JS:'
	kill $npid; rm -f "/tmp/perf-$npid.map"
fi

# A Java VM whose library has its debug file.
java=$(ls /usr/lib/jvm/java-17-openjdk-*/bin/java 2>/dev/null | head -1)
if [ -x "$java" ]; then
	cat >"$dir/Spin.java" <<-'END'
	import java.util.*;
	public class Spin {
		public static void main(String[] args) {
			for (long n = 0; ; n++) {
				Map<String, Long> map = new TreeMap<>();
				for (long i = 0; i < 20000; i++)
					map.merge("key" + (i * 31 + n) % 5000, i, Long::sum);
			}
		}
	}
	END
	"$java" -Xint "$dir/Spin.java" >/dev/null & jpid=$!; pids="$pids $jpid"
	sleep 3
	command -v tmux >/dev/null && start java $jpid 'JavaCalls' --no-chains
fi

"$build/targets/deepcpp" & deep=$!; pids="$pids $deep"
sleep 0.3
for hz in 99 999; do
	[ -n "$perf" ] || continue
	ours=$(for i in 1 2 3; do
		cpu_of "$flametop" record -q -F $hz -d 10 -o "$dir/$hz.$i.folded" \
			-p $deep
	done | median)
	theirs=$(for i in 1 2 3; do
		cpu_of perf record -q -F $hz --call-graph dwarf \
			-o "$dir/perf.data" -p $deep -- sleep 10
	done | median)
	echo "cpu    $hz Hz, 10 s, 2 busy threads of 30 C++ frames: ours $ours s," \
		"perf record $theirs s (and it has not unwound yet), ratio" \
		"$(ratio "$ours" "$theirs")"
done
"$build/oracle-record" -d 3 -o "$dir/deep.raw" $deep 2>/dev/null &&
	"$build/oracle-frames" "$dir/deep.raw" | sed "s|$dir/||"
kill $deep
if command -v g++ >/dev/null; then
	"$build/oracle-record" -d 9 -o "$dir/gcc.raw" -- g++ -O2 -c \
		-I "$(dirname "$0")/../.." -o "$dir/objects.o" \
		"$(dirname "$0")/../oracle/steps/objects.cc" 2>/dev/null &&
		"$build/oracle-frames" "$dir/gcc.raw" | sed "s|$dir/||"
	rm -f "$dir/gcc.raw"
fi
if [ -x /usr/bin/python3.11 ]; then
	"$build/oracle-record" -d 3 -o "$dir/python.raw" -- /usr/bin/python3.11 \
		"$(dirname "$0")/../oracle/targets/work.py" 2>/dev/null &&
		"$build/oracle-frames" "$dir/python.raw" | sed "s|$dir/||"
fi

sh "$(dirname "$0")/folded.sh" "$build"

for file in /usr/lib/x86_64-linux-gnu/libc.so.6 \
	/usr/lib/x86_64-linux-gnu/libstdc++.so.6 \
	/usr/lib/x86_64-linux-gnu/libLLVM-14.so.1 \
	/usr/lib/x86_64-linux-gnu/libclang-cpp.so.14 \
	/usr/lib/jvm/*/lib/server/libjvm.so \
	"$(command -v python3.11)" "$(command -v node)"
do
	[ ! -e "$file" ] || "$build/cfi-bench" "$file" | sed 's/^/rules  /'
done
# Where distributions put the debug file of $1.
debug_of() {
	id=$(readelf -n "$1" 2>/dev/null | sed -n 's/.*Build ID: //p')
	echo "/usr/lib/debug/.build-id/$(echo "$id" | cut -c1-2)/$(echo "$id" |
		cut -c3-).debug"
}

# N addresses of the code of $1, each the same in every run.
addresses() {
	set -- $(readelf -SW "$1" 2>/dev/null |
		sed -n 's/^ *\[ *[0-9]*\] .text *PROGBITS//p') "$2"
	eval "count=\${$#}"
	awk -v from=$((0x$1)) -v size=$((0x$3)) -v n="$count" 'BEGIN {
		srand(7)
		for (i = 0; i < n; i++)
			printf "0x%x\n", from + int(rand() * size) }'
}

# CPU seconds of a command that reads the addresses.
cpu_reading() {
	cpu_of sh -c '"$@" <"$0"' "$dir/at" "$@"
}

symbols() {
	what=$1 file=$2
	debug=$(debug_of "$file")
	[ -r "$file" ] && [ -r "$debug" ] ||
		{ echo "first  $what: no debug file (make bench-deps)"; return; }
	echo "lookup $what: $("$build/symbols-bench" lookup "$file" "$debug")"
	addresses "$file" 200 >"$dir/at"
	sed 's/^/info line */' "$dir/at" >"$dir/gdb"
	echo "first  $what: $("$build/symbols-bench" first "$file" "$debug" \
		<"$dir/at")"
	ours=$(for i in 1 2 3; do
		cpu_reading "$build/symbols-bench" first "$file" "$debug"
	done | median)
	line="ours $ours s"
	if command -v addr2line >/dev/null; then
		theirs=$(cpu_reading addr2line -f -i -e "$debug")
		line="$line, addr2line -i $theirs s, ratio $(ratio "$ours" "$theirs")"
	fi
	if command -v gdb >/dev/null; then
		theirs=$(cpu_of timeout 60 gdb -q -nx -batch -x "$dir/gdb" "$file")
		line="$line, gdb (lines alone) $theirs s, ratio $(ratio "$ours" "$theirs")"
	fi
	echo "first  $what: $line"
}

# What perf sampled of FILE in process PID: names for it, alone.
sampled() {
	what=$1 file=$2 pid=$3
	debug=$(debug_of "$file")
	[ -n "$perf" ] && [ -r "$debug" ] || return
	perf record -q -F 999 -p "$pid" -o "$dir/flat.data" -- sleep 3 \
		>/dev/null 2>&1
	bias=$(readelf -lW "$file" | awk '$1 == "LOAD" && $7 $8 ~ /E/ {
		print $3, $2; exit }')
	perf script -i "$dir/flat.data" --show-mmap-events -F ip,dso \
		2>/dev/null | grep -F "$file" >"$dir/hits"
	bash -c 'read -r vaddr offset <<<"$1"; while read -r line; do
		if [[ $line =~ \[0x([0-9a-f]+)\((0x[0-9a-f]+)\)\ @\ ([0-9a-fx]+) ]]
		then base=$((0x${BASH_REMATCH[1]} - ${BASH_REMATCH[3]}))
		else printf "0x%x\n" $((0x${line%% *} - base + vaddr - offset))
		fi
	done' _ "$bias" <"$dir/hits" | sort -u >"$dir/at"
	ours=$(for i in 1 2 3 4 5; do
		cpu_reading "$build/symbols-bench" names "$file" "$debug"
	done | median)
	theirs=$(for i in 1 2 3 4 5; do cpu_of perf report --stdio --no-inline \
		-i "$dir/flat.data" --dso "${file##*/}" --sort sym
	done | median)
	echo "first  $what: $(wc -l <"$dir/at") sampled addresses, names alone:" \
		"ours $ours s, perf report $theirs s, ratio" \
		"$(ratio "$ours" "$theirs")"
}

jvm=${java%/bin/java}/lib/server/libjvm.so
symbols libjvm.so "$jvm"
[ -z "$jpid" ] || sampled libjvm.so "$jvm" $jpid
symbols python3.11 /usr/bin/python3.11
if [ -x /usr/bin/python3.11 ]; then
	/usr/bin/python3.11 "$(dirname "$0")/../oracle/targets/work.py" \
		>/dev/null & py=$!; pids="$pids $py"
	sleep 0.5
	sampled python3.11 /usr/bin/python3.11 $py
	kill $py
fi
"$build/picture-bench" | sed 's/^/picture /'
sh "$(dirname "$0")/screen.sh" "$build" || echo "screen: a bar is missed"
"$(dirname "$0")/memory.sh" "$build"
