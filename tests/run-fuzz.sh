#!/bin/sh
# Run every fuzzer given for $1 seconds, from the fixtures and on. What makes
# one fail stays in the folder beside it.
seconds=$1
shift
for fuzzer in "$@"; do
	name=$(basename "$fuzzer")
	found=$fuzzer.found
	mkdir -p "$found"
	if ! "$fuzzer" -max_total_time="$seconds" -max_len=8192 -timeout=20 \
		-artifact_prefix="$found/" -print_final_stats=1 "$found" \
		tests/fixtures >"$fuzzer.log" 2>&1
	then
		tail -40 "$fuzzer.log"
		echo "$name: failed; the input is in $found"
		exit 1
	fi
	echo "$name: $(sed -n 's/^stat::number_of_executed_units: *//p' \
		"$fuzzer.log") inputs"
done
