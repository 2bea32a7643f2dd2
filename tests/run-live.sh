#!/bin/sh
# Run the tests on real processes with the build in $1, all of them or those
# whose names begin with one of the other arguments. A test that exits 77
# cannot run here; what it printed last is the reason.
build=$1
shift
passed=0 failed=0 skipped=0
out=$(mktemp)
trap 'rm -f "$out"' EXIT

chosen() {
	[ $# -eq 1 ] && return 0
	name=$1
	shift
	for word in "$@"; do
		case $name in "$word"*) return 0 ;; esac
	done
	return 1
}

for test in "$(dirname "$0")"/live/[0-9]*.sh; do
	name=$(basename "$test" .sh)
	chosen "$name" "$@" || continue
	start=$(date +%s)
	sh "$test" "$build" >"$out" 2>&1
	status=$?
	took=$(($(date +%s) - start))
	case $status in
	0)
		passed=$((passed + 1))
		echo "ok $name (${took} s)"
		[ -z "$V" ] || sed 's/^/    /' "$out"
		;;
	77)
		skipped=$((skipped + 1))
		echo "skipped: $name: $(tail -1 "$out")"
		;;
	*)
		failed=$((failed + 1))
		echo "FAILED $name (exit $status, ${took} s)"
		sed 's/^/    /' "$out"
		;;
	esac
done
echo "live: $passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
