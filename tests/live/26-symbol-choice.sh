#!/bin/sh
# Which symbol is taken where there are several, or one too few: the same one
# each time, the one a person would say, and never a neighbour.
# Beside others.
. "$(dirname "$0")/target.sh"

compile 'cc -O2 -Wa,--keep-locals' -o "$dir/choice" tests/targets/choice.c &&
	run "$dir/choice" && record -d 1 -F 199 "$pid" && {
	expect ';chooses;chosen '
	expect ';chooses;sizeless '
	expect ';chooses;bare '
	expect ';chooses;choice\+0x[0-9a-f]+ '
	refuse 'inner|weak_chosen|_chosen|short_one|to_gap|to_marker|go:|\$x|after'
	end
}

# Without a table of symbols there are offsets in the module, each time the
# same ones although the program lies elsewhere, and as many functions.
if has strip && compile 'cc -O2' -o "$dir/bare" tests/targets/shares.c; then
	strip "$dir/bare"
	for turn in 1 2; do
		run "$dir/bare" 1 20
		# Enough samples for the one of 5 % to be among them.
		record -d 2 -F 997 "$pid"
		expect ';bare\+0x[0-9a-f]+;bare\+0x[0-9a-f]+ '
		refuse ';(0x|\[unknown)'
		grep -v '^#' "$folded" | tr ';' '\n' | grep -o '^bare+0x[0-9a-f]*' |
			sort -u >"$dir/names.$turn"
		end
	done
	cmp "$dir/names.1" "$dir/names.2" ||
		wrong "other names: $(cat "$dir"/names.[12])"
	# start, main, work, left, right and four leaves; no file is longer.
	[ "$(wc -l <"$dir/names.1")" -le 10 ] ||
		wrong "many names: $(cat "$dir/names.1")"
fi

# What libc calls by many names: one of them, and the same.
for turn in 1 2; do
	start copies
	record -d 1 -F 199 "$pid"
	expect ';main;asks;clock_gettime;'
	refuse '[a-z]@+GLIBC'
	for caller in copies measures; do
		sed -n "/_\[k\]/d; s/.*;$caller[^;]*;\([^;]*\) [0-9]*\$/\1/p" \
			"$folded" | sort -u
	done >"$dir/names.$turn"
	end
	[ "$(grep -vc '@plt' "$dir/names.$turn")" = 2 ] ||
		wrong "not one name each: $(cat "$dir/names.$turn")"
done
grep -v '@plt' "$dir/names.1" >"$dir/first"
grep -v '@plt' "$dir/names.2" | cmp - "$dir/first" ||
	wrong "other names: $(cat "$dir"/names.[12])"

# Three hundred thousand functions: soon there, and each has its name.
awk 'BEGIN { for (i = 0; i < 300000; i++)
	printf ".globl f%d\n.type f%d, @function\nf%d:\tret\n.size f%d, 1\n",
		i, i, i, i }' >"$dir/many.s"
compile 'cc -O2' -o "$dir/many" tests/targets/shares.c "$dir/many.s" && {
	run "$dir/many" 1 60
	began=$(date +%s)
	record -d 1 "$pid"
	[ $(($(date +%s) - began)) -le 12 ] || wrong "many functions take long"
	expect ';_start;.*;main;work;left;fifty '
	end
}

# Names that are long, or become it: of 200,000 bytes, nested as deep, and a
# type of types of types whose own name is short. Soon there, and bounded.
cat >"$dir/bomb.cc" <<'END'
#include "tests/targets/target.h"
template <class A, class B> struct both;
using a = both<int, both<long, char>>;
using b = both<a, both<a, a>>;
using c = both<b, both<b, b>>;
using d = both<c, both<c, c>>;
using e = both<d, both<d, d>>;
using f = both<e, both<e, e>>;
using g = both<f, both<f, f>>;
using h = both<g, both<g, g>>;
using i = both<h, both<h, h>>;
using j = both<i, both<i, i>>;
using k = both<j, both<j, j>>;
extern "C" void long_name();
extern "C" void deep_name();
template <class T> FRAME void explodes(T *) { spin(30000000); STAY; }
int main()
{
	target_begin();
	for (;;) {
		explodes<k>(nullptr);
		long_name();
		deep_name();
	}
}
END
awk 'BEGIN {
	for (i = 0; i < 100000; i++) { x = x "xy"; n = n "1a" }
	split("long_name deep_name", at, " ")
	symbol[1] = "starts_" x
	symbol[2] = "_ZN" n "1bEv"
	for (i = 1; i <= 2; i++)
		printf ".globl %s, %s\n.type %s, @function\n%s:\n%s:\n" \
			".cfi_startproc\nmov $30000000, %%eax\n" \
			"1: dec %%eax\njnz 1b\nret\n.cfi_endproc\n" \
			".size %s, .-%s\n", at[i], symbol[i], symbol[i],
			at[i], symbol[i], symbol[i], symbol[i]
	print ".section .note.GNU-stack,\"\",@progbits"
}' >"$dir/long.s"
if has c++ && c++ -O2 -I. -o "$dir/bomb" "$dir/bomb.cc" "$dir/long.s" \
	2>"$dir/compiler"; then
	strip -N long_name -N deep_name "$dir/bomb"
	run "$dir/bomb"
	began=$(date +%s)
	record -d 1 -F 199 "$pid"
	[ $(($(date +%s) - began)) -le 12 ] || wrong "long names take long"
	expect ';main;((void )?explodes<|_Z8explodes)'
	expect ';main;starts_xyxyxy'
	expect ';main;(_ZN1a1a|a::a::)'
	[ "$(wc -c <"$folded")" -lt 1000000 ] ||
		wrong "long names: a file of $(wc -c <"$folded") bytes"
	end
fi
finish
