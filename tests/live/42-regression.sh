#!/bin/sh
# The same program twice is no difference; with half as much again in a function
# of 12 % that function has regressed, and no other, once there are as many
# samples as the comparison asks for. BUILD is $1.
build=$1
flametop=$(realpath "$build/flametop")
dir=$(mktemp -d)
pids=
trap 'kill $pids 2>/dev/null; rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
"$flametop" doctor >/dev/null || { echo "no right to sample"; exit 77; }
failed=0

wrong() {
	echo "regression: $*"
	failed=1
}

# record SECONDS: three processes at once, so that all have the same machine.
record() {
	pids=
	for name in a b changed; do
		extra=0
		[ $name = changed ] && extra=50
		"$build/targets/phases" $(($1 + 20)) $extra &
		eval "$name=$!"
		pids="$pids $!"
	done
	sleep 0.5
	"$flametop" record -q -f -F 997 -d "$1" -o "$dir/a.folded" $a &
	one=$!
	"$flametop" record -q -f -F 997 -d "$1" -o "$dir/b.folded" $b &
	two=$!
	"$flametop" record -q -f -F 997 -d "$1" -o "$dir/changed.folded" \
		$changed
	wait $one $two
	kill $pids
	wait $pids 2>/dev/null
	pids=
}

# of FILE NAME: the verdict about function NAME, and what is needed to tell.
of() {
	python3 - "$1" "$2" <<'END'
import json, sys
for f in json.load(open(sys.argv[1]))["functions"]:
    if f["name"] == sys.argv[2]:
        print(f["verdict"], f["total"]["needs"] or 1)
END
}

compare() {
	"$flametop" diff --json "$dir/$1.folded" "$dir/$2.folded" \
		>"$dir/$1-$2.json" || wrong "diff $1 $2 failed"
}

seconds=30
record $seconds
compare a changed
set -- $(of "$dir/a-changed.json" regex)
echo "regex after $seconds s: $1, $2 times the samples"
if [ "$1" = unknown ]; then
	seconds=$(python3 -c "import math; print(math.ceil($seconds * $2))")
	[ "$seconds" -le 200 ] || {
		echo "too busy here: it would take $seconds s"
		exit 77
	}
	record "$seconds"
	compare a changed
	set -- $(of "$dir/a-changed.json" regex)
	echo "regex after $seconds s: $1"
fi
compare a b
[ "$1" = regressed ] || wrong "regex has half as much work again: $1"
grep -q '"verdict": "\(regressed\|new\|gone\)"' "$dir/a-b.json" &&
	wrong "equal ones differ: $(grep '"verdict": "[rng]' "$dir/a-b.json")"
for name in json sort hash main; do
	set -- $(of "$dir/a-changed.json" $name)
	[ "$1" != regressed ] || wrong "$name has no more work"
done

"$flametop" diff --fail-on 0.5 "$dir/a.folded" "$dir/changed.folded" \
	>"$dir/out" 2>"$dir/err"
[ $? -eq 5 ] || wrong "--fail-on 0.5 is no status 5"
grep -q '^flametop: regex: +' "$dir/err" || wrong "it is not said what"
"$flametop" diff --fail-on 50 "$dir/a.folded" "$dir/changed.folded" >"$dir/out"
[ $? -eq 0 ] || wrong "--fail-on 50 fails"
[ $failed -eq 0 ] || cat "$dir/out"
exit $failed
