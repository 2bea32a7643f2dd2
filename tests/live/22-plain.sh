#!/bin/sh
# Commands typed at --plain. BUILD is $1.
# Beside others.
build=$1
"$build/flametop" doctor >/dev/null || { echo "no right to sample"; exit 77; }
dir=$(mktemp -d)
"$build/targets/shares" 2 60 >/dev/null &
target=$!
trap 'kill $target; rm -rf "$dir"' EXIT
failed=0

wants() {
	grep -qE -- "$2" "$dir/out" && return
	echo "$1: no line is like $2"
	failed=1
}

{
	sleep 4
	printf 'help\ntop 2\nfind ^fifty$\nfind (\nthreads\nsave %s\n' \
		"$dir/saved.folded"
	printf 'nonsense\033[2J x\ntop -3\nsave\n'
	head -c 9000 /dev/zero | tr '\0' x
	printf '\nfreeze\n'
	sleep 5
	printf 'freeze\n  quit  \n'
	sleep 20
} | "$build/flametop" --plain -F 400 $target >"$dir/out" 2>&1 &
wait $!
status=$?
[ $status = 0 ] || { echo "exit status $status"; failed=1; }

wants help '^find REGEX +functions'
wants find '^1 functions match$'
wants find '%.*  fifty$'
wants 'a faulty expression' '^find: '
wants threads "samples +tid +thread"
wants threads "% .* $target  shares"
wants save '^saved$'
wants 'an unknown command' '^no command "nonsense.x1b.2J"; help lists them$'
wants 'a number out of range' '^top: a number from 1 to 10000$'
wants 'no file name' '^save: a file name is wanted$'
wants 'a line of 9,000 bytes' '^that line is too long'
wants freeze '^frozen: '
grep -q ';fifty' "$dir/saved.folded" || { echo "nothing was saved"; failed=1; }
[ "$(stat -c %a "$dir/saved.folded")" = 600 ] ||
	{ echo "others may read what was saved"; failed=1; }
# Two rows from "top 2" on; nothing between the two freezes.
sed -n '/^frozen/,/^not frozen/p' "$dir/out" | grep -q '%' &&
	{ echo "printed while frozen"; failed=1; }
sed -n '/^not frozen/,$p' "$dir/out" | grep -q '  fifteen$' &&
	{ echo "more than two rows after \"top 2\""; failed=1; }

# An input that has ended is no end: a pipeline may have none.
"$build/flametop" --plain -d 2 $target </dev/null >"$dir/out" ||
	{ echo "an empty input ends it"; failed=1; }
wants 'an empty input' 'fifty'
exit $failed
