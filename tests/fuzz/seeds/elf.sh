#!/bin/sh
# Small programs of several kinds into folder $1, for elf_fuzz to start from:
# no object file is kept in the tree.
cd "$1" || exit 1
cat >seed.c <<'END'
extern int puts(const char *);
static __attribute__((noinline)) int twice(int x) { return x * 2; }
int thrice(int x) { return x + twice(x); }
static void done(int *x) { puts("done"); *x = 0; }
__attribute__((weak)) int half(int x) { return x / 2; }
int also_half(int x) __attribute__((alias("half")));
int name(int x) __asm__("_ZN3foo3barEi");
int name(int x)
{
	__attribute__((cleanup(done))) int y = x;
	puts("x");
	return thrice(y);
}
END
tiny='-nostdlib -shared -fPIC -Wl,-z,noseparate-code,-z,max-page-size=4096'
build() {
	out=$1
	shift
	# shellcheck disable=SC2086
	"$@" $tiny -o "$out" seed.c 2>/dev/null
}
build seed-gcc4 gcc -g -gdwarf-4
build seed-gcc5 gcc -g -gdwarf-5 -gz=zlib
build seed-old gcc -g -gdwarf-4 -Wl,--compress-debug-sections=zlib-gnu
build seed-clang clang -g
build seed-O2 gcc -O2 -ffunction-sections
build seed-plt gcc -fcf-protection -Wl,-z,lazy
build seed-unwind gcc -fexceptions
build seed-link gcc -Wl,--build-id=none
cp seed-O2 seed-strip && strip seed-strip
touch other && objcopy --add-gnu-debuglink=other seed-link
rm -f seed.c other
exit 0
