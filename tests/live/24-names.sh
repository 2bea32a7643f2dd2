#!/bin/sh
# Names from files that are hard to get: deleted, replaced, in another mount
# namespace, and made at run time. BUILD is $1.
# Beside others.
build=$1
flametop=$(realpath "$build/flametop")
dir=$(mktemp -d)
targets=
trap 'kill $targets 2>/dev/null; rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM
failed=0

wrong() {
	echo "names: $*"
	failed=1
}

# named PID WHAT PATTERN...: each is a frame of a recording of PID.
named() {
	pid=$1 what=$2
	shift 2
	"$flametop" record -q -f -d "${seconds:-1}" -o "$dir/out.folded" \
		"$pid" || wrong "$what: status $?"
	for pattern in "$@"; do
		grep -q -e "$pattern" "$dir/out.folded" ||
			wrong "$what: no $pattern: $(tail -1 "$dir/out.folded")"
	done
}

"$flametop" doctor >/dev/null || { echo "no right to sample"; exit 77; }
[ "$(id -u)" = 0 ] || { echo "needs root"; exit 77; }

cp "$build/targets/shares" "$dir/deleted"
"$dir/deleted" 1 100 >/dev/null &
deleted=$! targets=$!
cp "$build/targets/shares" "$dir/replaced"
"$dir/replaced" 1 100 >/dev/null &
replaced=$! targets="$targets $!"
sleep 0.2
rm "$dir/deleted"
cp /bin/true "$dir/new" && mv "$dir/new" "$dir/replaced"
named $deleted deleted ';work;left;fifty[ ;]'
named $replaced replaced ';work;left;fifty[ ;]'

if unshare -m true 2>/dev/null; then
	mkdir "$dir/inside"
	unshare -m sh -c 'mount -t tmpfs none "$1/inside" &&
		cp "$2" "$1/inside/hidden" && exec "$1/inside/hidden" 1 100' \
		sh "$dir" "$build/targets/shares" >/dev/null &
	hidden=$! targets="$targets $!"
	sleep 0.3
	[ -e "$dir/inside/hidden" ] && wrong "the file is not hidden"
	named $hidden 'in a namespace' ';work;left;fifty[ ;]'
fi

"$build/targets/jit" >/dev/null &
jit=$! targets="$targets $!"
sleep 0.2
seconds=5 named $jit 'made at run time' ';work;jit_first_\[j\] ' \
	';work;jit_second_\[j\] '

# Without the map there are none, and that is said.
rm -f "/tmp/perf-$jit.map"
"$flametop" report -d 1 $jit 2>"$dir/err" >/dev/null
grep -q "JIT code has no names.*perf-$jit.map" "$dir/err" ||
	wrong "no map: $(cat "$dir/err")"

[ $failed -eq 0 ] || exit 1
echo "names: deleted, replaced, hidden and made at run time"
