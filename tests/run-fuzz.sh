#!/bin/sh
# Run every fuzzer given for $1 seconds, from its seeds (tests/fuzz/seeds/NAME,
# else the fixtures; what NAME.sh there makes) and on, as many at once as there
# are CPUs. What makes one fail stays in the folder beside it.
if [ "$1" != --one ]; then
	seconds=$1
	shift
	out=$(mktemp)
	printf '%s\n' "$@" |
		xargs -n 1 -P "$(nproc)" "$0" --one "$seconds" | tee "$out"
	failed=$(grep -c ': broken; the input is in ' "$out")
	rm -f "$out"
	echo "fuzz: $(($# - failed)) passed, $failed failed"
	[ "$failed" -eq 0 ]
	exit
fi

seconds=$2 fuzzer=$3
name=$(basename "$fuzzer" _fuzz)
found=$fuzzer.found
seeds=tests/fuzz/seeds/$name
[ -d "$seeds" ] || seeds=tests/fixtures
mkdir -p "$found"
[ ! -x "tests/fuzz/seeds/$name.sh" ] || "tests/fuzz/seeds/$name.sh" "$found"
if "$fuzzer" -max_total_time="$seconds" -max_len=8192 -timeout=20 \
	-artifact_prefix="$found/" -print_final_stats=1 "$found" "$seeds" \
	>"$fuzzer.log" 2>&1
then
	inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$fuzzer.log")
	[ "${inputs:-0}" -gt 0 ] && echo "fuzz: $name: $inputs inputs" && exit
fi
tail -40 "$fuzzer.log"
echo "fuzz: $name: broken; the input is in $found"
