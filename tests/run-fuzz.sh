#!/bin/sh
# Run every fuzzer given for $1 seconds, from its seeds (tests/fuzz/seeds/NAME,
# else the fixtures; what NAME.sh there makes) and on. What makes one fail stays
# in the folder beside it.
seconds=$1 passed=0 failed=0
shift
for fuzzer in "$@"; do
	name=$(basename "$fuzzer" _fuzz)
	found=$fuzzer.found
	seeds=tests/fuzz/seeds/$name
	[ -d "$seeds" ] || seeds=tests/fixtures
	mkdir -p "$found"
	[ ! -x "tests/fuzz/seeds/$name.sh" ] ||
		"tests/fuzz/seeds/$name.sh" "$found"
	if "$fuzzer" -max_total_time="$seconds" -max_len=8192 -timeout=20 \
		-artifact_prefix="$found/" -print_final_stats=1 "$found" \
		"$seeds" >"$fuzzer.log" 2>&1
	then
		passed=$((passed + 1))
		echo "fuzz: $name: $(sed -n \
			's/^stat::number_of_executed_units: *//p' \
			"$fuzzer.log") inputs"
	else
		failed=$((failed + 1))
		tail -40 "$fuzzer.log"
		echo "fuzz: $name: broken; the input is in $found"
	fi
done
echo "fuzz: $passed passed, $failed failed"
[ $failed -eq 0 ]
