#!/bin/bash
# Live sampling for SECONDS ($2, 60) with keys, freeze, zoom, search, resize
# and save, on the build of $1 - meant for a sanitizer's. Any report of the
# sanitizer, a lost screen or a bad exit status fails.
build=$1
seconds=${2:-60}
dir=$(mktemp -d)
socket=flametop-soak-$$
t() { tmux -L $socket "$@"; }
trap 't kill-server 2>/dev/null; [ -n "$pid" ] && kill $pid; rm -rf "$dir"' EXIT

"$build/targets/shares" 2 >/dev/null & pid=$!
export TSAN_OPTIONS="log_path=$dir/report" ASAN_OPTIONS="log_path=$dir/report"
export UBSAN_OPTIONS="log_path=$dir/report:print_stacktrace=1"
export XDG_STATE_HOME=$dir
t -f /dev/null new-session -d -x 120 -y 36 \
	"$build/flametop -p $pid; echo status \$? >$dir/status"
# It calls two, so it is shown whatever is folded.
for _ in {1..20}; do
	sleep 0.5
	t capture-pane -p | grep -q left && break
done
t capture-pane -p | grep -q left || {
	echo "no picture after 10 s:"; t capture-pane -p
	cat "$dir"/report* 2>/dev/null
	exit 1
}
keys=(Down Down Enter Right Left Down BSpace / m a i n Enter n n Escape Escape
	K K T T 2 \< \> Down Down Enter 1 0 = Tab Tab Space Down Enter Space ?
	Escape \* n Escape t Escape Up Up)
end=$((SECONDS + seconds)) i=0 saves=0
while [ $SECONDS -lt $end ]; do
	t send-keys "${keys[i % ${#keys[@]}]}" || break
	i=$((i + 1))
	[ $((i % 40)) -eq 0 ] && t resize-window -x $((40 + RANDOM % 120)) \
		-y $((8 + RANDOM % 40))
	if [ $((i % 37)) -eq 0 ]; then
		t send-keys Escape Escape Escape S C-u "$dir/s$i.folded" Enter
		saves=$((saves + 1))
		sleep 0.3
	fi
	sleep 0.1
done
t resize-window -x 120 -y 36
t send-keys Escape Escape Escape
sleep 0.5
t send-keys q
for _ in 1 2 3 4 5 6 7 8 9 10; do
	[ -s "$dir/status" ] && break
	sleep 0.5
done
if ! grep -q '^status 0$' "$dir/status" 2>/dev/null; then
	echo "did not leave with status 0: $(cat "$dir/status" 2>&1)"
	t capture-pane -p 2>/dev/null
	bad=1
fi
if ls "$dir"/report* >/dev/null 2>&1; then
	head -60 "$dir"/report*
	bad=1
fi
saved=$(find "$dir" -name 's*.folded' | wc -l)
[ $saves -gt 0 ] && [ "$saved" -eq $saves ] || {
	echo "$saved of $saves snapshots were saved"
	bad=1
}
[ -z "$bad" ] || exit 1
echo "soak: $i keys, $saves snapshots in $seconds s, 1 passed, 0 failed"
