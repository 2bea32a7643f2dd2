# Sourced by the tests that hold one sampler against programs that know their
# own stacks. BUILD is $1; SAMPLER (perf by default) may name the other one.
build=$1
sampler=${SAMPLER:-perf}
dir=$(mktemp -d)
folded=$dir/folded
pids= failed=0

end_all() {
	for pid in $pids; do kill -9 "$pid" 2>/dev/null; done
	wait 2>/dev/null
	rm -rf "$dir"
}
trap end_all EXIT
trap 'exit 1' INT TERM

# Start the program $1 with the other arguments; its process is $pid, which is
# no shell any more and had 0.3 s to begin.
run() {
	"$@" >"$dir/said" 2>&1 &
	pid=$!
	pids="$pids $pid"
	for try in 1 2 3 4 5 6 7 8 9 10; do
		sleep 0.3
		[ /proc/$pid/exe -ef /proc/$$/exe ] || break
	done
}

# The same for a target by its name.
start() {
	name=$1
	shift
	run "$build/targets/$name" "$@"
}

# The words a target is compiled with, by the compiler $1 ("cc -O0").
compile() {
	compiler=$1
	shift
	$compiler -D_GNU_SOURCE -I. -g -std=gnu11 -pthread "$@" \
		2>"$dir/compiler" || {
		wrong "$compiler $*: $(cat "$dir/compiler")"
		return 1
	}
}

# Is there a command $1? Else say what stays untested.
has() {
	command -v "$1" >/dev/null 2>&1 && return 0
	echo "not tested: $1 is not here"
	return 1
}

end() {
	kill -9 "$pid" 2>/dev/null
	wait "$pid" 2>/dev/null
}

# Sample with the options given into $folded; the process is the last word.
take() {
	"$build/sample" -s "$sampler" -j "$@" >"$folded" 2>"$dir/err"
	status=$?
	if [ $status -eq 3 ]; then
		cat "$dir/err"
		exit 77
	fi
	[ $status -eq 0 ] || wrong "sample $*: $(cat "$dir/err")"
}

# The same with the whole program, whose symbols process gives the names; what
# is inlined is left out, since tests name the functions that are called.
record() {
	timeout 60 "$build/flametop" record -q -f --inline off -o "$folded" \
		"$@" 2>"$dir/err"
	status=$?
	if [ $status -eq 3 ]; then
		cat "$dir/err"
		exit 77
	fi
	[ $status -eq 0 ] || wrong "record $*: $status: $(cat "$dir/err")"
}

wrong() {
	echo "wrong: $*"
	failed=1
}

# The stacks of $folded; without the kernel's frames, which come where they
# like, unless the pattern $1 speaks of them.
stacks() {
	case $1 in
	*'[k'*)	grep -v '^#' "$folded" ;;
	*)	grep -v '^#' "$folded" | sed 's/;[^;]*_\[k\]//g' ;;
	esac
}

# Weight of the stacks that match $1; value of the counter $1.
weight() { stacks "$1" | re="$1" awk '$0 ~ ENVIRON["re"] { n += $NF }
	END { print n + 0 }'; }
counter() { sed -n "s/^# $1[ =]//p" "$folded"; }

# The heaviest stacks that match $1.
matches() { stacks "$1" | grep -E -e "$1" |
	awk '{ print $NF, $0 }' | sort -rn | head -n 3 | cut -c1-300; }

expect() { [ "$(weight "$1")" -gt 0 ] || wrong "no stack is like $1"; }
refuse() {
	[ "$(weight "$1")" -eq 0 ] || {
		wrong "a stack is like $1"
		matches "$1"
	}
}

# The counter $1 is in relation $2 to $3.
check() {
	value=$(counter "$1")
	test "${value:-0}" "$2" "$3" || wrong "$1 is $value, not $2 $3"
}

# CPU time of process $1, in hundredths of a second.
cpu_time() { awk '{ print $14 + $15 }' "/proc/$1/stat"; }

finish() {
	[ $failed -eq 0 ] || { [ -f "$folded" ] && cat "$folded"; }
	exit $failed
}
