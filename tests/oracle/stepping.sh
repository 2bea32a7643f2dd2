#!/bin/sh
# Our stacks against the truth at each EVERY-th instruction (1) of programs of
# tests/oracle/steps, MOST instructions of each (all), from the first one of
# their processes, or with FROM=-e from the program's own first one. BUILD is
# $1; other arguments choose programs. A line for each: instructions, walks, and how many of them were
# right, ahead, wrong, wrong but said to be guessed, short, and silently short
# (tests/oracle/step.c).
build=$1
shift
steps=$(dirname "$0")/../oracle/steps
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM
words=$* failed=0 total=0

chosen() {
	[ -z "$words" ] && return 0
	for word in $words; do
		case $1 in "$word"*) return 0 ;; esac
	done
	return 1
}

# try NAME ALLOWED ARGUMENTS COMPILER...: compile, step, print, judge. ALLOWED
# are outcomes that must be none.
try() {
	name=$1 none=$2 arguments=$3
	shift 3
	chosen "$name" || return
	command -v "$1" >/dev/null || {
		echo "$name: no $1 here"
		return
	}
	"$@" -g -D_GNU_SOURCE -w -o "$dir/$name" || {
		failed=1
		return
	}
	timeout 300 "$build/oracle-step" $FROM -k "${EVERY:-1}" \
		-n "${MOST:-100000000}" -s "${SHOWN:-2}" "$dir/$name" $arguments \
		>"$dir/said" 2>&1
	awk -v name="$name" -v none=" $none " '
		/^ / { shown = shown $0 "\n" }
		$1 ~ /^[a-z-]+$/ { n[$1] = $2 }
		END {
			printf "%-18s %8d instructions %7d walks %7d right %d" \
				" ahead %d wrong %d guessed-wrong %d short %d" \
				" silent\n", name, n["instructions"], n["walks"],
				n["right"], n["ahead"], n["wrong"],
				n["guessed-wrong"], n["short"], n["silent"]
			for (k in n)
				if (n[k] && index(none, " " k " ")) bad = 1
			if (bad || !n["walks"]) { printf "%s", shown; exit 1 }
		}' "$dir/said" || failed=1
	total=$((total + $(awk '$1 == "instructions" { print $2 }' "$dir/said")))
}

all="wrong guessed-wrong short silent"
try calls "$all" 2 gcc -O2 "$steps/calls.c"
try calls-O0 "$all" 2 gcc -O0 "$steps/calls.c"
try calls-fp "$all" 2 gcc -O2 -fno-omit-frame-pointer "$steps/calls.c"
try calls-lazy "$all" 2 gcc -O2 -fcf-protection -Wl,-z,lazy "$steps/calls.c"
try calls-clang "$all" 2 clang -O2 "$steps/calls.c"
try calls-static "$all" 20 gcc -O2 -static "$steps/calls.c"
# Where there is no CFI a frame may be missing; none may be wrong.
odd="wrong guessed-wrong silent"
try calls-musl "$odd" 20 musl-gcc -O2 -static "$steps/calls.c"
try signals-musl "$odd" 20 musl-gcc -O2 -static "$steps/signals.c"
try signals "$all" 20 gcc -O2 "$steps/signals.c"
try signals-static "$all" 20 gcc -O2 -static "$steps/signals.c"
# While swapcontext has the new stack and not yet its return address, whoever
# has called is guessed.
try contexts "wrong short silent" 8 gcc -O2 "$steps/contexts.c"
try contexts-static "wrong short silent" 8 gcc -O2 -static "$steps/contexts.c"
try children "$all" 3 gcc -O2 "$steps/children.c"
# gcc's rules for a stack that is realigned are wrong for three instructions.
try bare "$odd" "" gcc -O2 "$steps/bare.c" "$steps/bare.S"
try stacks "$all" 3 gcc -O2 "$steps/stacks.c" "$steps/stacks.S"
try objects "$all" 1 g++ -O2 "$steps/objects.cc"
try throws "$all" "2 1" g++ -O2 "$steps/objects.cc"
try throws-O0 "$all" "2 1" g++ -O0 "$steps/objects.cc"
echo "$total instructions in all"
exit $failed
