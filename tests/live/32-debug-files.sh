#!/bin/sh
# Names and inlined functions of stripped programs, from wherever their debug
# information is: a debuglink, a build id, a file that dwz made, xz inside the
# program, compressed sections; and unwind rules from there. One that does not
# fit is refused, and said so.
# BUILD is $1.
# Beside others.
build=$1
flametop=$(realpath "$build/flametop")
dir=$(mktemp -d)
pids= placed=
end_all() {
	for pid in $pids; do kill -9 "$pid" 2>/dev/null; done
	[ -z "$placed" ] || rm -f $placed
	rm -rf "$dir"
}
trap end_all EXIT
trap 'exit 1' INT TERM
failed=0

wrong() {
	echo "debug files: $*"
	failed=1
}

"$flametop" doctor >/dev/null || { echo "no right to sample"; exit 77; }
command -v objcopy >/dev/null && command -v cc >/dev/null ||
	{ echo "not here: cc and objcopy"; exit 77; }

cat >"$dir/shared.h" <<'END'
struct state { unsigned long now, then[4]; struct state *next; };
static inline __attribute__((always_inline)) unsigned long
mix(struct state *state, unsigned long x)
{
	for (int i = 0; i < 50; i++)
		x = x * 6364136223846793005u + state->now;
	return x;
}
static inline __attribute__((always_inline)) unsigned long
twice(struct state *state, unsigned long x)
{
	unsigned long once = mix(state, x);

	return mix(state, once) ^ state->then[x & 3];
}
END
cat >"$dir/one.c" <<'END'
#include "shared.h"
__attribute__((noinline)) static unsigned long
work(struct state *state)
{
	unsigned long sum = 0;

	for (unsigned long i = 0; i < 1000; i++)
		sum += twice(state, i);
	return sum;
}
static volatile unsigned long sink;
int main(void)
{
	struct state state = { .now = 3 };

	for (;;)
		sink = state.now += work(&state) | EXTRA;
}
END
(cd "$dir" && cc -O2 -g -DEXTRA=1 -o full one.c && cc -O2 -g -DEXTRA=3 -o other one.c) ||
	{ echo "cc fails"; exit 77; }

# look PROGRAM WHAT: record it; what is said goes to $dir/err.
look() {
	"$1" >/dev/null &
	pid=$!
	pids="$pids $pid"
	sleep 0.1
	"$flametop" record -f -d 1 -o "$dir/out.folded" $pid 2>"$dir/err" ||
		wrong "$2: $(cat "$dir/err")"
	kill -9 $pid
	wait $pid 2>/dev/null
}

hot() { grep -v '^#' "$dir/out.folded" | sort -k2 -n -t' ' | tail -1; }

whole() {
	look "$1" "$2"
	grep -q ';main;work;twice_\[i\];mix_\[i\] ' "$dir/out.folded" ||
		wrong "$2: $(hot): $(cat "$dir/err")"
}

named() {
	look "$1" "$2"
	grep -q ';main;work ' "$dir/out.folded" ||
		wrong "$2: $(hot): $(cat "$dir/err")"
}

nameless() {
	look "$1" "$2"
	grep -q ';work' "$dir/out.folded" && wrong "$2: $(hot)"
	grep -q "$3" "$dir/err" || wrong "$2: $(cat "$dir/err")"
}

# A stripped copy of $full with its debug file in place $2 (a folder below).
full=$dir/full
split() {
	mkdir -p "$dir/$1/$2"
	objcopy --only-keep-debug $3 "$full" "$dir/$1/$2/prog.debug"
	strip -o "$dir/$1/prog" "$full"
	objcopy --add-gnu-debuglink="$dir/$1/$2/prog.debug" "$dir/$1/prog"
}

split beside .
whole "$dir/beside/prog" "beside the program"
split below .debug
whole "$dir/below/prog" "in .debug"
split zlib .debug --compress-debug-sections=zlib
whole "$dir/zlib/prog" "zlib"
split gnu .debug --compress-debug-sections=zlib-gnu
whole "$dir/gnu/prog" "zlib, the old way"
if objcopy --compress-debug-sections=zstd "$dir/full" "$dir/try" 2>/dev/null; then
	split zstd .debug --compress-debug-sections=zstd
	whole "$dir/zstd/prog" "zstd"
else
	echo "zstd: objcopy cannot compress with it"
fi

# Of another build: refused; and the right one behind it is found.
split wrong .debug
mv "$dir/wrong/.debug/prog.debug" "$dir/right.debug"
objcopy --only-keep-debug "$dir/other" "$dir/wrong/prog.debug"
nameless "$dir/wrong/prog" "of another build" 'another build id'
cp "$dir/right.debug" "$dir/wrong/.debug/prog.debug"
whole "$dir/wrong/prog" "behind one of another build"

# By build id, where distributions put them.
id=$(readelf -n "$dir/full" | sed -n 's/.*Build ID: //p')
store=/usr/lib/debug/.build-id/$(echo "$id" | cut -c1-2)
file=$store/$(echo "$id" | cut -c3-).debug
if mkdir -p "$store" 2>/dev/null && [ ! -e "$file" ] &&
   objcopy --only-keep-debug "$dir/full" "$file" 2>/dev/null; then
	placed="$placed $file"
	strip -o "$dir/stripped" "$dir/full"
	whole "$dir/stripped" "by build id"
	rm -f "$file"
else
	echo "build id: may not write below /usr/lib/debug"
fi

# Unwind rules that are in the debug file alone, as where programs are built
# without tables. main() never returns, so that without rules it is guessed who
# has called it; a stack is whole if nobody had to guess.
key() { sed -n "s/^# $1=//p" "$dir/out.folded" | grep . || echo 0; }
unwound() {
	look "$1" "$2"
	[ "$(key samples)" -gt 5 ] || wrong "$2: $(key samples) samples"
	[ "$(key guessed)" -eq 0 ] && [ "$(key cut)" -eq 0 ] &&
		[ "$(key rules-late)" -eq 0 ] ||
		wrong "$2: guessed $(key guessed), cut $(key cut)," \
			"late $(key rules-late) of $(key samples)"
	grep -q ';_start;.*;main;work[; ]' "$dir/out.folded" ||
		wrong "$2: $(hot): $(cat "$dir/err")"
}
for extra in 1 3; do
	(cd "$dir" && cc -O2 -g -fno-asynchronous-unwind-tables \
		-fno-unwind-tables -DEXTRA=$extra -o "bare$extra" one.c)
done
strip -o "$dir/alone" "$dir/bare1"
look "$dir/alone" "without rules"
[ "$(key guessed)" -gt 0 ] || wrong "without rules: nothing is guessed"
full=$dir/bare1
split rules .debug
unwound "$dir/rules/prog" "rules in the debug file"
objcopy --only-keep-debug "$dir/bare3" "$dir/rules/prog.debug"
unwound "$dir/rules/prog" "behind one of another build, rules"

# What two programs share is in a third file.
if command -v dwz >/dev/null; then
	mkdir -p "$dir/dwz/.dwz"
	cp "$dir/full" "$dir/dwz/a"
	cp "$dir/other" "$dir/dwz/b"
	(cd "$dir/dwz" && dwz -m .dwz/common.debug -M common.debug a b) \
		>"$dir/log" 2>&1 || wrong "dwz: $(cat "$dir/log")"
	readelf -wi "$dir/dwz/a" 2>/dev/null | grep -q 'abstract_origin.*alt' ||
		wrong "dwz: nothing is shared"
	whole "$dir/dwz/a" "shared by dwz"
	cp "$dir/full" "$dir/dwz/.dwz/common.debug"
	look "$dir/dwz/a" "dwz, of another build"
	grep -q 'shares.*another build id' "$dir/err" ||
		wrong "dwz, of another build: $(cat "$dir/err")"
else
	echo "dwz: not here"
fi

# A stripped file with the names of its functions inside, in xz.
if command -v xz >/dev/null; then
	objcopy -S --remove-section .comment "$dir/full" "$dir/mini.inner"
	objcopy --only-keep-debug "$dir/full" "$dir/mini.inner"
	strip -g -o "$dir/mini.inner" "$dir/mini.inner"
	xz -k "$dir/mini.inner"
	objcopy -S --add-section .gnu_debugdata="$dir/mini.inner.xz" \
		"$dir/full" "$dir/mini"
	named "$dir/mini" "in the program, in xz"
	head -c 200 "$dir/mini.inner.xz" >"$dir/cut.xz"
	objcopy -S --add-section .gnu_debugdata="$dir/cut.xz" "$dir/full" \
		"$dir/cut"
	nameless "$dir/cut" "in xz, cut short" 'cannot be unpacked'
else
	echo "xz: not here"
fi

[ $failed -eq 0 ] || exit 1
echo "debug files: found, unpacked, and refused where they do not fit"
