#!/bin/sh
# The commands end to end: what they print, write and exit with. BUILD is $1.
# Beside others.
build=$1
flametop=$(realpath "$build/flametop")
shares=$build/targets/shares
dir=$(mktemp -d)
target=
trap 'kill $target 2>/dev/null; rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM
failed=0

wrong() {
	echo "commands: $*"
	failed=1
}

# exits STATUS NAME WORD...: the command line ends with STATUS.
exits() {
	wanted=$1 name=$2
	shift 2
	"$@" >"$dir/out" 2>"$dir/err" </dev/null
	got=$?
	[ $got -eq "$wanted" ] || {
		wrong "$name: exit status $got, not $wanted"
		sed 's/^/    /' "$dir/err"
	}
}
says() {
	grep -q -e "$1" "$dir/err" || wrong "stderr lacks \"$1\": $(cat "$dir/err")"
}
prints() {
	grep -q -e "$1" "$dir/out" || wrong "stdout lacks \"$1\""
}

"$flametop" doctor >/dev/null || { echo "no right to sample"; exit 77; }
"$shares" 2 280 >/dev/null &
target=$!

exits 0 version "$flametop" --version
prints '^flametop [0-9]'
exits 0 help "$flametop" --help
prints '--sampler'
grep -n ' $' "$dir/out" && wrong 'the help has blanks at the end of lines'
exits 2 'bad option' "$flametop" --sampelr perf 1
says 'did you mean --sampler?'
exits 2 'no target' "$flametop"
says 'nothing to look at'
exits 4 'no process' "$flametop" report 4194304
exits 4 'no name' "$flametop" report -n no-such-program-at-all
exits 4 'no name but in its own command line' sh -c '"$0" report -n "$1"; exit $?' \
	"$flametop" no-such-program-at-all
exits 4 'no such thread' "$flametop" report -d 1 -t 1 $target
says 'has no thread 1'
exits 1 'no file' "$flametop" report "$dir/nothing.folded"
says 'No such file'
exits 1 'a name instead of a file' "$flametop" report no-such-server
says 'a process of that name: -n no-such-server'
exits 1 'no command' "$flametop" record -o "$dir/x" -- "$dir/nothing"
says 'cannot run'
exits 1 'a folder as command' "$flametop" record -o "$dir/x" -- /tmp
says 'cannot run /tmp: Is a directory'
exits 1 'a device as command' "$flametop" record -o "$dir/x" -- /dev/null
says 'cannot run /dev/null: Permission denied'
exits 1 'a text as command' "$flametop" record -o "$dir/x" -- \
	/etc/passwd
says 'cannot run /etc/passwd: Permission denied'
[ ! -e "$dir/x" ] || wrong 'a command that cannot be run left a recording'
exits 1 'not a profile' "$flametop" report /bin/ls
says 'program or library'
exits 1 'no profile at all' "$flametop" report /proc/self/maps
says 'list of mappings'
printf 'n = 0\nwhile n < 9:\n    print(n)\n    n += 1\nprint("done")\n' \
	>"$dir/busy.py"
exits 1 'a program' "$flametop" report "$dir/busy.py"
says 'flametop -- COMMAND'

# Two files: what is no pair is refused; what is, is compared on no screen too.
printf 'main;a 60\nmain;b 40\n' >"$dir/one.folded"
printf 'main;a 6000\nmain;b 4000\n' >"$dir/base.folded"
printf 'main;a 4000\nmain;b 6000\n' >"$dir/other.folded"
printf '# flametop: v1\n# kind=blocked\nmain;a 60\n' >"$dir/waits.folded"
exits 2 'one file to compare' "$flametop" diff "$dir/one.folded"
exits 1 'no file to compare' "$flametop" diff "$dir/one.folded" "$dir/nothing"
exits 1 'no such kind' "$flametop" diff "$dir/one.folded" "$dir/waits.folded"
says 'nothing to compare'
exits 0 'the same' "$flametop" diff --fail-on 0 "$dir/one.folded" "$dir/one.folded"
grep -q 'indistinguishable' "$dir/out" || wrong "equal files differ"
exits 5 'more' "$flametop" diff --fail-on 20 "$dir/base.folded" "$dir/other.folded"
says 'b: +20.00 per cent of all'
exits 0 'not so much more' "$flametop" diff --fail-on 21 "$dir/base.folded" \
	"$dir/other.folded"
exits 0 'without a screen' "$flametop" "$dir/base.folded" "$dir/other.folded"
grep -q '+20.00 .* regressed  b$' "$dir/out" || wrong "BASE FILE: no diff"
exits 0 'several' "$flametop" diff --json -b "$dir/base.folded" \
	-b "$dir/one.folded" "$dir/other.folded"
grep -q '"files": 2, "samples": 10100' "$dir/out" || wrong "-b twice is not two"
cp "$dir/one.folded" "$dir/$(printf 'a\033[2Jb')"
exits 0 'a hostile name' "$flametop" diff "$dir/"a*b "$dir/one.folded"
grep -q "$(printf '\033')" "$dir/out" && wrong "an escape of a file's name"

# A recording, its report, and the report of the file.
exits 0 report "$flametop" report -d 2 -o "$dir/a.folded" $target
sed '/^#/d' "$dir/out" >"$dir/live.txt"
prints fifty
exits 0 'report of the file' "$flametop" report "$dir/a.folded"
sed '/^#/d' "$dir/out" >"$dir/file.txt"
cmp "$dir/live.txt" "$dir/file.txt" || wrong "the reports differ"
exits 0 'report of the file, saved' "$flametop" report "$dir/a.folded" \
	-o "$dir/again.folded"
cmp "$dir/a.folded" "$dir/again.folded" || wrong "saved again it is another"
exits 1 'report over a file' "$flametop" report "$dir/a.folded" \
	-o "$dir/again.folded"
says 'exists'
exits 1 'over a file' "$flametop" record -d 1 -o "$dir/a.folded" $target
says 'exists'
exits 0 'over a file, forced' "$flametop" record -f -d 1 \
	-o "$dir/a.folded" $target
exits 0 'to stdout' "$flametop" record -q -d 1 -o - $target
prints '^# flametop: v1'
[ -s "$dir/err" ] && wrong "-q talks: $(cat "$dir/err")"
"$flametop" record -f -d 1 -o "$dir/closed.folded" $target <&- >&- 2>&- ||
	wrong "closed descriptors: exit status $?"
grep -q fifty "$dir/closed.folded" || wrong "closed descriptors: no names"
"$flametop" report -d 1 $target >&- 2>"$dir/err" && wrong "closed output: 0"
says 'cannot write'
exits 0 'gzipped' "$flametop" record -q -d 1 --tag ticket=A1 \
	-o "$dir/b.folded.gz" $target
zcat "$dir/b.folded.gz" | grep -q '^# tag.ticket=A1' || wrong "no tag"
GIT_COMMIT=c0ffee OTEL_SERVICE_NAME='my service' SECRET=x "$shares" 2 20 \
	>/dev/null &
labelled=$!
sleep 0.3
exits 0 'labels' "$flametop" record -q -d 2 -o "$dir/labels.folded" $labelled
kill $labelled
for label in app.commit=c0ffee 'app.service=my%20service' \
	app.service-from=OTEL_SERVICE_NAME "ppid=$$" "kernel=$(uname -r)" \
	rate=99 unit=samples; do
	grep -qx "# $label" "$dir/labels.folded" || wrong "no label $label"
done
grep -q SECRET "$dir/labels.folded" && wrong "a variable that nobody asked for"
grep -q '^# block.000=' "$dir/labels.folded" || wrong "no blocks of time"

exits 0 'bare' "$flametop" record -q -d 1 --no-header --no-threads \
	-o "$dir/c.folded" $target
head -1 "$dir/c.folded" | grep -q '^[_a-z]*\(start\|clone\)[^;]*;' ||
	wrong "--no-threads: $(head -1 "$dir/c.folded")"

# What is printed arrives, or it is said; who reads no further is no failure.
exits 1 'a full disk' sh -c '"$0" report "$1" >/dev/full' "$flametop" \
	"$dir/a.folded"
says 'No space left'
exits 1 'a full disk, plain' sh -c '"$0" --plain -d 1 "$1" >/dev/full' \
	"$flametop" $target
exits 0 'a reader that ends' sh -c '
	{ "$0" --plain -d 9 "$1"; echo $? >"$2"; } | head -1 >/dev/null
	exit "$(cat "$2")"' "$flametop" $target "$dir/status"
[ -s "$dir/err" ] && wrong "head is a failure: $(cat "$dir/err")"

# Nothing to see is said to be so.
exits 0 'a sleeper' "$flametop" report -d 0.5 $$
prints 'next to no CPU time'
kill -STOP $target
exits 0 'a stopped process' "$flametop" report -d 0.5 $target
says "process $target is stopped (state T): kill -CONT $target"
exits 0 'a stopped process, plain' "$flametop" --plain -d 0.5 $target
prints 'no samples: the target is stopped'
kill -CONT $target

# A command: its first frames, its output left alone, its end told.
exits 0 'record a command' "$flametop" record -o "$dir/d.folded" -- \
	sh -c 'echo hello; i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; exit 3'
prints hello
says 'exit status 3'
exits 0 'a short command' "$flametop" record -q -o - -- /bin/true
prints '^# comm=true$'
grep '^# exe=.*flametop' "$dir/out" && wrong "a command is taken for flametop"
exits 0 'plain' "$flametop" --plain -d 1 $target
prints fifty
exits 0 'plain command' "$flametop" --plain -o "$dir/output" -- \
	sh -c 'echo kept; sleep 0.3'
grep -q kept "$dir/output" || wrong "the command's output is lost"

# SIGUSR1 writes and goes on, SIGINT writes and ends.
"$flametop" record -q -o "$dir/e.folded" $target &
recorder=$!
sleep 1.5
kill -USR1 $recorder
sleep 1.5
[ -s "$dir/e.folded" ] || wrong "SIGUSR1 wrote nothing"
first=$(sed -n 's/^# samples=//p' "$dir/e.folded")
kill -INT $recorder
wait $recorder || wrong "SIGINT: exit status $?"
second=$(sed -n 's/^# samples=//p' "$dir/e.folded")
[ "${second:-0}" -gt "${first:-0}" ] || wrong "SIGUSR1 $first, end $second"

# Somebody else's process: which knob to turn, status 3.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	cp "$flametop" "$dir/flametop" && chmod 755 "$dir" "$dir/flametop"
	exits 3 "another's process" setpriv --reuid 65534 --regid 65534 \
		--clear-groups "$dir/flametop" report -d 1 $target
	says sudo
	exits 0 'as nobody' setpriv --reuid 65534 --regid 65534 \
		--clear-groups "$dir/flametop" report -d 1 -- sh -c \
		'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done'
	prints 'libc_start'
fi

grep -q '^State:	[TtZ]' /proc/$target/status && wrong "the target is stopped"
[ $failed -eq 0 ] || exit 1
echo "commands: all as they should be"
