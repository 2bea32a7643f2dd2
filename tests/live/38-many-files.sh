#!/bin/sh
# A program of more files than the symbols process keeps open: all have names,
# and none of them costs the process its life.
# Beside others.
. "$(dirname "$0")/target.sh"
files=200

cat >"$dir/one.c" <<'END'
__attribute__((noinline)) static unsigned
work_000(unsigned n)
{
	volatile unsigned sum = 0;

	while (n--)
		sum += n;
	return sum + 1;
}

unsigned work(unsigned n);
unsigned
work(unsigned n)
{
	return work_000(n) + 1;
}
END
cat >"$dir/main.c" <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
int
main(int argc, char **argv)
{
	int n = atoi(argv[2]);
	unsigned (**work)(unsigned) = calloc(n, sizeof(*work));
	char path[4096];

	for (int i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/lib%03d.so", argv[1], i);
		work[i] = dlsym(dlopen(path, RTLD_NOW), "work");
	}
	for (;;)
		for (int i = 0; i < n; i++)
			work[i](200000);
}
END
compile cc -O1 -fPIC -shared -o "$dir/one.so" "$dir/one.c" &&
	compile cc -O1 -o "$dir/main" "$dir/main.c" -ldl || finish
i=0
while [ $i -lt $files ]; do
	n=$(printf %03d $i)
	LC_ALL=C sed "s/work_000/work_$n/g" "$dir/one.so" >"$dir/lib$n.so"
	i=$((i + 1))
done

# The same process to the end, or whoever came in its place.
watch_symbols() {
	while sleep 0.1; do
		for child in $(pgrep -f -- "$folded"); do
			[ "$(cat "/proc/$child/comm" 2>&1)" != flametop-symbol ] ||
				echo "$child"
		done
	done >"$dir/readers"
}

run "$dir/main" "$dir" $files
watch_symbols & watcher=$!
record -F 999 -d 6 "$pid"
kill $watcher
readers=$(sort -u "$dir/readers" | wc -l)
[ "$readers" -eq 1 ] || wrong "the symbols process: $readers of them"
named=$(grep -o ';work_[0-9][0-9][0-9] ' "$folded" | sort -u | wc -l)
# What was hit by no sample has no name.
[ "$named" -ge $((files * 9 / 10)) ] || wrong "$named of $files files named"
refuse ';lib[0-9]*\.so\+0x'
finish
