#!/bin/sh
# Stacks of many kinds of program, by four unwinders on the same registers and
# bytes. BUILD is $1; other arguments choose targets whose names begin so. One
# line for each target:
#
#	samples	of the raw recording, 997 a second, 64 KiB of stack; those are
#		left out that have no stack: in execve(2), and while the kernel
#		puts another page in the place of the stack's own
#	frames	a sample, by us
#	=unw =dw =gdb	of all frames, that are ours and libunwind's, libdw's,
#		gdb's (at 200 stops of a run of its own)
#	right	of samples: equal to libunwind or libdw at least, or ours alone
#		is whole
#	whole	of samples, judged by the addresses (audit.h)
#	audit	of callers without a call before them
#	guess	of samples, that say so themselves
#	ways	stacks that differ without the cache of rules, by a table for
#		each page, of stripped files, with mappings learnt in another
#		order, or do not begin the same with 8 or 16 KiB of stack
#	perf	of samples, whole as perf script has them (16 KiB copies)
#
# SECONDS_EACH is how long each is recorded, STOPS how often gdb stops it (0:
# never). NO_PERF leaves perf out, NO_WAYS the ways. SPLITS=N shows that many
# places where stacks part, KEEP=1 keeps the recordings. What is not installed is
# left out and said. Exits 1 if a bar is missed, by more than SLACK percent.
build=$1
shift
seconds=${SECONDS_EACH:-3} stops=${STOPS:-200}
here=$(cd "$(dirname "$0")/../oracle" && pwd)
dir=$(mktemp -d)
pids= missed=0
end_all() {
	for pid in $pids; do kill -9 $pid 2>/dev/null; done
	[ -n "$KEEP" ] && echo "kept: $dir" || rm -rf "$dir"
}
trap end_all EXIT
trap 'exit 1' INT TERM
CFLAGS="-g -D_GNU_SOURCE -w -I $here/../.."

chosen() {
	[ -z "$words" ] && return 0
	for word in $words; do
		case $1 in "$word"*) return 0 ;; esac
	done
	return 1
}
words=$*

absent() { printf '%-17s not here: %s\n' "$1" "$2"; }

# Percent of perf's stacks that end in a first function.
perf_whole() {
	perf script --no-inline -i "$dir/perf.data" -F ip,sym 2>/dev/null | awk '
		/^$/ { if (last) { n++; whole += last ~ root }; last = ""; next }
		{ last = $2 }
		BEGIN { root = "^(_start|_start_c|_?_?clone3?|.*goexit.*|.*mstart.*" \
			"|.*rt0_go.*|_dl_start_user|_rt0_amd64_linux)(\\+|$|\\.)" }
		END { if (last) { n++; whole += last ~ root }
		      if (n) printf "%.2f%%", 100 * whole / n; else printf "-" }'
}

recorded() {
	[ "$1" -eq 0 ] && return
	cat "$dir/err"
	[ "$1" -eq 3 ] && exit 77
}

# Stops of a program under gdb, which is started by it and ends with it, or of
# one that runs (-p PID).
stop_under_gdb() {
	rm -f "$dir/stops.raw"
	OUT=$dir/stops STOPS=$stops SETTLE=${SETTLE:-0.3} timeout 500 gdb -batch -nx \
		-x "$here/gdb_stops.py" "$@" >/dev/null 2>&1
	[ -s "$dir/stops.raw" ] || return
	timeout 100 "$build/oracle-compare" -s "${SPLITS:-0}" \
		-g "$dir/stops.gdb" "$dir/stops.raw" >>"$dir/report" 2>&1
}

# Record process PID beside perf.
record() {
	pid=$1 perf=- recorder=
	if [ -z "$NO_PERF" ] && command -v perf >/dev/null; then
		perf record -q -F 199 --call-graph dwarf,16384 -p "$pid" \
			-o "$dir/perf.data" -- sleep 2 >/dev/null 2>&1 &
		recorder=$!
	fi
	"$build/oracle-record" -d "$seconds" -o "$dir/$name.raw" "$pid" \
		2>"$dir/err"
	recorded $?
	[ -n "$recorder" ] && wait $recorder && perf=$(perf_whole)
}

compare() {
	timeout 300 "$build/oracle-compare" $([ -n "$NO_WAYS" ] || echo -m) \
		-s "${SPLITS:-0}" "$dir/$name.raw" >"$dir/report" 2>&1
	[ -n "$KEEP" ] || rm -f "$dir/$name.raw"
}

# The row of NAME; STOPS of gdb are asked for.
row() {
	awk -v name="$name" -v bar="$bar" -v perf="$perf" \
		-v slack="${SLACK:-0}" -v stops="$1" -f "$here/row.awk" \
		"$dir/report" || missed=$((missed + 1))
	[ "${SPLITS:-0}" = 0 ] || grep '^ ' "$dir/report"
}

# target NAME BAR COMMAND...: start it, look at it, end it. BAR is how many of
# 100 samples must be whole; "-": they and gdb's are but reported.
target() {
	chosen "$1" || return
	name=$1 bar=$2
	shift 2
	"$@" >/dev/null 2>&1 &
	started=$!
	pids="$pids $started"
	sleep "${SETTLE:-0.5}"
	record $started
	kill -9 $started 2>/dev/null
	wait $started 2>/dev/null
	compare
	[ "$stops" = 0 ] || stop_under_gdb --args "$@"
	row "$stops"
}

# startup NAME BAR COMMAND...: from its first instruction on, no perf.
startup() {
	chosen "$1" || return
	name=$1 bar=$2 perf=-
	shift 2
	"$build/oracle-record" -d "$seconds" -o "$dir/$name.raw" -- "$@" \
		>/dev/null 2>"$dir/err"
	recorded $?
	compare
	row 0
}

compiled() { # NAME COMPILER... (source last)
	chosen "$1" || return 1
	out=$dir/$1
	shift
	"$@" -o "$out" 2>"$dir/cc.err" || { head -3 "$dir/cc.err"; return 1; }
}

printf '%-17s %6s %5s %8s %8s %8s %8s %8s %8s %7s %5s %8s\n' target samples \
	frames =unw =dw =gdb right whole audit guess ways perf

for cc in gcc clang; do
	cxx=$(echo $cc | sed 's/gcc/g++/; s/clang/clang++/')
	command -v $cxx >/dev/null || { absent "c++-$cc" $cxx; continue; }
	for level in 0 2 3; do
		for fp in omit no-omit; do
			n=c++-$cc-O$level-$([ $fp = omit ] && echo nofp || echo fp)
			compiled $n $cxx $CFLAGS -O$level -f$fp-frame-pointer \
				"$here/steps/objects.cc" &&
				target $n 99.9 "$dir/$n" 100000000
		done
	done
done
for level in 0 2; do
	compiled throws-O$level g++ $CFLAGS -O$level "$here/steps/objects.cc" &&
		target throws-O$level 99.9 "$dir/throws-O$level" 100000000 32
done
compiled lazy-plt gcc $CFLAGS -O2 -fcf-protection -Wl,-z,lazy \
	"$here/steps/calls.c" && target lazy-plt 99.9 "$dir/lazy-plt" 100000000
compiled signals gcc $CFLAGS -O2 "$here/steps/signals.c" &&
	target signals 99.9 "$dir/signals" 100000000 no-stack
compiled vfork gcc $CFLAGS -O2 "$here/steps/children.c" &&
	target vfork 99.9 "$dir/vfork" 100000000
compiled vdso gcc $CFLAGS -O2 "$here/../targets/clock.c" &&
	target vdso 99.9 "$dir/vdso"
compiled static-glibc gcc $CFLAGS -O2 -static "$here/steps/calls.c" &&
	target static-glibc 99.9 "$dir/static-glibc" 100000000
compiled static-c++ g++ $CFLAGS -O2 -static "$here/steps/objects.cc" &&
	target static-c++ 99.9 "$dir/static-c++" 100000000
if command -v musl-gcc >/dev/null; then
	compiled musl-static musl-gcc $CFLAGS -O2 -static "$here/steps/calls.c" &&
		target musl-static 0 "$dir/musl-static" 100000000
	compiled musl-signals musl-gcc $CFLAGS -O2 -static \
		"$here/steps/signals.c" &&
		target musl-signals 0 "$dir/musl-signals" 100000000 no-stack
else
	absent musl musl-tools
fi
if command -v rustc >/dev/null; then
	for level in 0 3; do
		compiled rust-O$level rustc -C opt-level=$level \
			"$here/targets/work.rs" &&
			target rust-O$level 99.9 "$dir/rust-O$level"
	done
else
	absent rust rustc
fi
if command -v go >/dev/null; then
	chosen go && GO111MODULE=off go build -o "$dir/go" \
		"$here/targets/work.go" && target go 99.9 "$dir/go"
else
	absent go golang-go
fi
if command -v ocamlopt >/dev/null; then
	cp "$here/targets/work.ml" "$dir"
	chosen ocaml && (cd "$dir" && ocamlopt -w -a -o ocaml unix.cmxa work.ml) &&
		target ocaml 99.9 "$dir/ocaml"
else
	absent ocaml ocaml-nox
fi
if [ -x /usr/bin/python3.11 ]; then
	target python 99.9 /usr/bin/python3.11 "$here/targets/work.py"
else
	absent python python3.11
fi
if command -v node >/dev/null; then
	SETTLE=1.5 target node 99 node --perf-basic-prof \
		--logfile="$dir/node.log" "$here/targets/work.js"
	rm -f /tmp/perf-$started.map
else
	absent node nodejs
fi
if command -v javac >/dev/null; then
	if chosen jvm-fp || chosen jvm-nofp; then
		javac -d "$dir" "$here/targets/Work.java"
	fi
	SETTLE=2 target jvm-fp 99 java -XX:+PreserveFramePointer -cp "$dir" Work
	SETTLE=2 target jvm-nofp - java -cp "$dir" Work
else
	absent jvm default-jdk-headless
fi

# One backend that computes, of a cluster of its own.
postgres() {
	bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -1)
	[ -n "$bin" ] || { absent postgres postgresql; return; }
	chmod 755 "$dir"
	install -d -o postgres "$dir/pg"
	su postgres -c "$bin/initdb -A trust -D $dir/pg/data >/dev/null &&
		$bin/pg_ctl -s -w -D $dir/pg/data -l $dir/pg/log \
			-o '-k $dir/pg -h \"\"' start >/dev/null"
	su postgres -c "psql -q -h $dir/pg -c \"set jit = off;
		select count(*), sum(length(
		md5(i::text || j::text))) from generate_series(1, 100000) i,
		generate_series(1, 1000) j group by i % 7 order by 1\"" \
		>/dev/null 2>&1 &
	sleep 1
	worker=$(pgrep -P "$(head -1 "$dir/pg/data/postmaster.pid")" \
		-f 'postgres: .*SELECT' | head -1)
	if [ -n "$worker" ]; then
		name=postgres bar=99.9
		record "$worker"
		compare
		[ "$stops" = 0 ] || stop_under_gdb -p "$worker"
		row "$stops"
	else
		echo "postgres: no backend computes"
		missed=$((missed + 1))
	fi
	su postgres -c "$bin/pg_ctl -s -m immediate -D $dir/pg/data stop"
}
chosen postgres && postgres
startup startup-gcc 99.9 gcc -O2 -c -o "$dir/o.o" "$here/steps/calls.c"
startup startup-bash 99.9 bash -c 'i=0; while [ $i -lt 300 ]; do /bin/true;
	i=$((i + 1)); done'
[ $missed -eq 0 ] || echo "$missed below their bar"
[ $missed -eq 0 ]
