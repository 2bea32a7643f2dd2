#!/bin/sh
# The list of threads (t) tells what each does now: state, CPU, switches and
# what it waits for, of a process of many threads too.
. "$(dirname "$0")/target.sh"
has tmux || exit 77
socket=$dir/tmux
screen() { tmux -S "$socket" -f /dev/null "$@"; }
trap 'screen kill-server 2>/dev/null; end_all' EXIT

# The list of the process's threads, until it is like $1, for some seconds.
look() {
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
		screen capture-pane -p >"$dir/screen"
		grep -qE "$1" "$dir/screen" && return
		sleep 1
	done
	wrong "no row is like \"$1\""
	cat "$dir/screen"
}
open_list() {
	screen new-session -d -x 150 -y 40 \
		"HOME=$dir $build/flametop $pid 2>$dir/err; echo over; sleep 9"
	for i in 1 2 3 4 5 6 7 8 9 10; do
		screen capture-pane -p >"$dir/screen"
		grep -q over "$dir/screen" && { cat "$dir/err"; exit 77; }
		grep -q threads "$dir/screen" && break
		sleep 0.5
	done
	screen send-keys t
}

mkfifo "$dir/fifo"
start waits calls "$dir/fifo"
sleep 1
child=$(sed -n 's/^child //p' "$dir/said")
children=$(cat "/proc/$pid"/task/*/children)
pids="$pids $children"
open_list
look "fifo +[0-9]+ .* 0.0 % sleeping +0 +0  read on fd [0-9]+, $dir/fifo"
look 'epoll .*sleeping .*  epoll_wait on 7 descriptors'
look "wait4 .*sleeping .*  wait4 for child $child"
look 'pi-waiter .*  futex at 0x[0-9a-f]+, a lock of thread [0-9]+'
screen kill-server
# shellcheck disable=SC2086
kill $children
end

# Whoever runs comes first, however many sleep.
start waits idle 500 2
sleep 1
open_list
look 'worker +[0-9]+ +[0-9.]+ % +[0-9.]+ % running +[0-9]+ +[0-9]+'
screen send-keys idler
look 'idler +[0-9]+ .* sleeping .*  futex at 0x'
screen send-keys Escape		# what was typed
sleep 1
screen send-keys Escape
sleep 1
screen capture-pane -p | grep -q 'waits for' && wrong "the list is still there"
exit $failed
