#!/bin/sh
# Programs and perf maps that are not where or what one expects: names all the
# same, or a word about it; and never a hang. BUILD is $1.
# Beside others.
build=$1
flametop=$(realpath "$build/flametop")
dir=$(mktemp -d)
target= map=
trap 'kill $target 2>/dev/null; rm -rf "$dir" $map' EXIT
trap 'exit 1' INT TERM
failed=0

wrong() {
	echo "odd files: $*"
	failed=1
}

# report NAME: what flametop has to say of $target.
report() {
	timeout 30 "$flametop" report -d 1 $target >"$dir/out" 2>"$dir/err" ||
		wrong "$1: exit status $?: $(cat "$dir/err")"
}
names() {
	grep -q fifty "$dir/out" || wrong "$1: no names: $(cat "$dir/err")"
	kill $target
	wait $target 2>/dev/null
}

command -v python3 >/dev/null || { echo "python3 is not here"; exit 77; }
"$flametop" doctor >/dev/null || { echo "no right to sample"; exit 77; }

cp "$build/targets/shares" "$dir/program"
"$dir/program" 2 280 >/dev/null & target=$!
sleep 0.3
rm "$dir/program"
report deleted && names deleted

cp "$build/targets/shares" "$dir/program"
"$dir/program" 2 280 >/dev/null & target=$!
sleep 0.3
cp "$build/targets/busy" "$dir/new" && mv "$dir/new" "$dir/program"
report replaced && names replaced

python3 -c '
import os, sys
fd = os.memfd_create("a program", 0)
os.write(fd, open(sys.argv[1], "rb").read())
os.execv("/proc/self/fd/%d" % fd, ["program", "2", "280"])
' "$build/targets/shares" >/dev/null & target=$!
for try in $(seq 50); do
	sleep 0.2
	readlink /proc/$target/exe | grep -q memfd && break
done
report memfd && names memfd

# Each kind of thing that can lie where a perf map should.
for kind in pipe directory device link other large line; do
	"$build/targets/hostile" >/dev/null & target=$!
	map=/tmp/perf-$target.map
	for try in $(seq 50); do
		sleep 0.3
		[ -s $map ] && break
	done
	mv $map "$dir/map"
	case $kind in
	pipe)		mkfifo $map ;;
	directory)	mkdir $map ;;
	device)		ln -s /dev/zero $map ;;
	link)		ln -s "$dir/map" $map ;;
	other)		cp "$dir/map" $map; chown 65534 $map ;;
	large)		truncate -s 300M $map ;;
	line)		{ head -c 100000000 /dev/zero; cat "$dir/map"; } >$map ;;
	esac
	report $kind
	case $kind in
	pipe|directory|device)
		grep -q "a $kind, not a file" "$dir/err" ||
			wrong "$kind: $(cat "$dir/err")" ;;
	other)	[ "$(id -u)" != 0 ] || grep -q 'belongs to user' "$dir/err" ||
			wrong "$kind: $(cat "$dir/err")" ;;
	large)	grep -q 'too large' "$dir/err" ||
			wrong "$kind: $(cat "$dir/err")" ;;
	*)	grep -q jit_ "$dir/out" || wrong "$kind: no names: $(cat "$dir/err" "$dir/out" | head -n 30)" ;;
	esac
	kill $target
	wait $target 2>/dev/null
	rm -rf $map
done
[ $failed -eq 0 ] || exit 1
echo "odd files: all as they should be"
