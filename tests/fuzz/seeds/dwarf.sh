#!/bin/sh
# Debug sections of a small program, as the fuzzer of them wants it, in $1.
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cat >"$dir/prog.c" <<'END'
static inline __attribute__((always_inline)) int
twice(int x) { return x * 2 + 1; }
__attribute__((noinline)) int
work(int x) { return twice(x) ^ twice(x + 9); }
int main(int c, char **v) { (void)v; return work(c); }
END
for options in "cc -gdwarf-5" "cc -gdwarf-4" "clang -gdwarf-5" "cc -gdwarf-3"; do
	# shellcheck disable=SC2086
	$options -O2 -g -nostdlib -Wl,-e,main -no-pie -Wl,-Ttext=0x1100 \
		-o "$dir/prog" "$dir/prog.c" 2>/dev/null || continue
	out=$1/seed-$(echo "$options" | tr ' ' -)
	: >"$out"
	for name in info abbrev line str line_str ranges rnglists addr str_offsets
	do
		rm -f "$dir/section"
		objcopy -O binary --only-section=.debug_$name \
			--set-section-flags .debug_$name=alloc \
			"$dir/prog" "$dir/section" 2>/dev/null
		[ -e "$dir/section" ] || : >"$dir/section"
		size=$(wc -c <"$dir/section")
		printf "\\$(printf %03o $((size % 256)))\\$(printf %03o \
			$((size / 256)))" >>"$out"
		cat "$dir/section" >>"$out"
	done
done
