#!/bin/sh
# What takes long says how far it is, Esc stops it and leaves all as it was, and
# keys that are typed meanwhile are not lost. BUILD is $1.
build=$1
dir=$(mktemp -d)
socket=flametop-long-$$
trap 'tmux -L $socket kill-server 2>/dev/null; rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM
command -v tmux >/dev/null || { echo "no tmux"; exit 77; }

tm() {
	tmux -u -L "$socket" "$@"
}

# Without the last line, which tells what was done.
picture() {
	tm capture-pane -t long -p | sed '$d'
}

# await SECONDS PATTERN: until the screen has it.
await() {
	tries=$(($1 * 20))
	while [ $tries -gt 0 ]; do
		tm capture-pane -t long -p >"$dir/screen"
		grep -q -e "$2" "$dir/screen" && return 0
		sleep 0.05
		tries=$((tries - 1))
	done
	echo "long-work: the screen never had: $2"
	cat "$dir/screen"
	exit 1
}

# KEYS begin what takes long, said as WORD; STOP ends that.
stop() {
	tm send-keys -t long $1
	await 20 "$2 [0-9]* %, Esc stops"
	tm send-keys -t long $3
	await 5 'stopped: all is as it was'
	picture >"$dir/after"
	diff "$dir/before" "$dir/after" || {
		echo "long-work: $2 was stopped, and the screen is another"
		exit 1
	}
}

# Random stacks, of which no two callers agree: turned round, merged or cut,
# each is walked by itself.
awk 'BEGIN {
	srand(1)
	for (i = 0; i < 12000; i++) {
		line = "main"
		for (k = 0; k < 300; k++)
			line = line ";f" int(rand() * 300)
		print line, 1
	}
}' >"$dir/deep.folded"
tm new-session -d -s long -x 100 -y 20 env TERM=screen-256color \
	XDG_STATE_HOME="$dir" "$(realpath "$build/flametop")" "$dir/deep.folded"
await 60 'total 100.0 %'
tm send-keys -t long 2
await 20 'f1[0-9]*'
tm send-keys -t long G g
sleep 1
picture >"$dir/before"
stop i 'turning round' Escape
stop m 'merging' q
stop x 'leaving out' C-c
stop 3 'gathering callers and callees' Escape
# Undone is what was stopped: nothing.
tm send-keys -t long U
await 10 'nothing to undo'
tm send-keys -t long i
await 20 'turning round [0-9]* %, Esc stops'
tm send-keys -t long '?'
await 60 'what was executed above\|keys'
tm send-keys -t long Escape
await 10 'inverted'
# A letter of a line that is typed meanwhile stops nothing.
tm send-keys -t long i
await 20 'turning round [0-9]* %, Esc stops'
tm send-keys -t long / q u
await 60 '/qu'
tm send-keys -t long Escape
tm send-keys -t long q
