#!/bin/sh
# Run the tests on real processes with the build in $1, all of them or those
# whose names begin with one of the other arguments. A test that exits 77
# cannot run here; what it printed last is the reason.
#
# "--alone" in front runs all one after the other. Without it those that say
# "# Beside others." in their first lines come first, one more at once than
# there are CPUs, since they wait more than they compute: they look at names
# and stacks and not at how much of anything there is.
if [ "$1" = --one ]; then
	test=$2 build=$3
	name=$(basename "$test" .sh)
	out=$(mktemp)
	start=$(date +%s)
	sh "$test" "$build" >"$out" 2>&1
	status=$?
	took=$(($(date +%s) - start))
	case $status in
	0)
		text="ok $name (${took} s)"
		[ -z "$V" ] || text="$text
$(sed 's/^/    /' "$out")"
		counts="1 0 0"
		;;
	77)
		text="skipped: $name: $(tail -1 "$out")"
		counts="0 0 1"
		;;
	*)
		text="FAILED $name (exit $status, ${took} s)
$(sed 's/^/    /' "$out")"
		counts="0 1 0"
		;;
	esac
	printf '%s\n' "$text"
	echo "$counts" >>"$COUNTS"
	rm -f "$out"
	exit 0
fi

alone=
[ "$1" = --alone ] && { alone=1; shift; }
build=$1
shift
COUNTS=$(mktemp)
export COUNTS
trap 'rm -f "$COUNTS"' EXIT

chosen() {
	[ $# -eq 1 ] && return 0
	name=$1
	shift
	for word in "$@"; do
		case $name in "$word"*) return 0 ;; esac
	done
	return 1
}

is_beside() {
	[ -z "$alone" ] && head -12 "$1" | grep -q '^# Beside others\.$'
}

beside= wanted=0 one_by_one=
for test in "$(dirname "$0")"/live/[0-9]*.sh; do
	chosen "$(basename "$test" .sh)" "$@" || continue
	wanted=$((wanted + 1))
	if is_beside "$test"; then
		beside="$beside $test"
	else
		one_by_one="$one_by_one $test"
	fi
done
[ -z "$beside" ] || printf '%s\n' $beside |
	xargs -I TEST -P $(($(nproc) + 1)) "$0" --one TEST "$build"
for test in $one_by_one; do
	"$0" --one "$test" "$build"
done
awk '{ n++; p += $1; f += $2; s += $3 }
	END {
		f += wanted - n		# a test that told nothing
		printf "live: %d passed, %d failed, %d skipped\n", p, f, s
		exit f > 0
	}' wanted=$wanted "$COUNTS"
