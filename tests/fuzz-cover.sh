#!/bin/sh
# Which share of the lines of FILES... the inputs that fuzzer $1 has found
# reach: after make fuzz, from the repository's root. For example
#
#	tests/fuzz-cover.sh cfi symbols/cfi*.c symbols/rows_write.c
name=$1
shift
build=build-cover
cover='-fprofile-instr-generate -fcoverage-mapping'
make --no-print-directory CC=clang BUILD=$build \
	CFLAGS="-g -O1 -fsanitize=fuzzer-no-link $cover" \
	"$build/tests/${name}_fuzz" >/dev/null || exit 1
inputs=$build/tests/${name}_fuzz.inputs
mkdir -p "$inputs"
[ ! -x "tests/fuzz/seeds/$name.sh" ] || "tests/fuzz/seeds/$name.sh" "$inputs"
for from in "build-fuzz/tests/${name}_fuzz.found" "tests/fuzz/seeds/$name"; do
	[ ! -d "$from" ] || cp -r "$from/." "$inputs"
done
LLVM_PROFILE_FILE=$build/cover.raw "$build/tests/${name}_fuzz" -runs=0 \
	"$inputs" >"$build/cover.log" 2>&1 || { tail "$build/cover.log"; exit 1; }
tool() { command -v "$1" || ls /usr/bin/"$1"-* | head -1; }
"$(tool llvm-profdata)" merge -o $build/cover.prof $build/cover.raw &&
	"$(tool llvm-cov)" export "$build/tests/${name}_fuzz" -summary-only \
		-instr-profile=$build/cover.prof "$@" |
	grep -o '"filename":"[^"]*"\|"lines":{[^}]*}' |
	sed 's/.*"filename":"\(.*\)"/\1/; s/.*"percent":\([0-9.]*\)}/\1/' |
	awk -v here="$PWD/" '
	/^[0-9.]+$/ { printf "%5.1f %% of %s\n", $0, name; name = "all of them" }
	!/^[0-9.]+$/ { name = $0; sub(here, "", name) }'
