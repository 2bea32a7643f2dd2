#!/bin/sh
# A function's share doubles while one looks: pinned before, the right frame
# has its sign and number after, and what did not change is grey. BUILD is $1.
build=$1
dir=$(mktemp -d)
socket=flametop-diff-$$
pid=
trap 'tmux -L $socket kill-server 2>/dev/null; kill $pid 2>/dev/null
      rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM
command -v tmux >/dev/null || { echo "no tmux"; exit 77; }
"$build/flametop" doctor >/dev/null || { echo "no right to sample"; exit 77; }

tm() {
	tmux -u -L "$socket" "$@"
}

screen() {
	tm capture-pane -t diff -e -p -N | tests/screens/grid.pl >"$dir/screen"
}

# await SECONDS PATTERN: until the screen has it.
await() {
	tries=$(($1 * 5))
	while [ $tries -gt 0 ]; do
		screen
		grep -q -e "$2" "$dir/screen" && return 0
		sleep 0.2
		tries=$((tries - 1))
	done
	echo "diff: the screen never had: $2"
	cat "$dir/screen"
	exit 1
}

"$build/targets/doubling" 120 &
pid=$!
tm new-session -d -s diff -x 160 -y 24 env TERM=screen-256color XDG_STATE_HOME="$dir" \
	"$(realpath "$build/flametop")" -F 499 $pid
await 20 'steady'
sleep 6
tm send-keys -t diff b
await 5 'against before'
kill -USR1 $pid
await 60 '+1[5-9]\.[0-9] hot\|+2[0-4]\.[0-9] hot'
await 60 '-1[5-9]\.[0-9] rest\|-2[0-4]\.[0-9] rest'
# The interval is one of 99 %: what is said by chance goes with more samples.
tries=150
for name in steady even; do
	while grep -q "[+-][0-9.]* $name\|new $name" "$dir/screen"; do
		[ $tries -gt 0 ] || {
			echo "diff: $name has not changed, and is said to have:"
			cat "$dir/screen"
			exit 1
		}
		tries=$((tries - 1))
		sleep 0.2
		screen
	done
done

# The same in the table, the largest first.
tm send-keys -t diff 2 '>' '>' g
await 10 'CHANGE▾'
await 20 '+[12][0-9]\.[0-9] .* hot'
tm send-keys -t diff D
sleep 1
screen
grep -q 'against before' "$dir/screen" && {
	echo "diff: D does not end it"
	cat "$dir/screen"
	exit 1
}
kill -0 $pid || { echo "diff: the target has gone"; exit 1; }
echo "diff: what doubled is told from what did not change"
