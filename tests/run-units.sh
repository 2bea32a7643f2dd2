#!/bin/sh
# Run every unit test given; sum up what cmocka says of each.
passed=0 failed=0 skipped=0
for test in "$@"; do
	out=$("$test" 2>&1)
	status=$?
	p=$(echo "$out" | grep -c '^\[       OK \]')
	f=$(echo "$out" | grep -c '^\[  FAILED  \] [a-z_0-9]*$')
	s=$(echo "$out" | grep -c '^\[  SKIPPED \] [a-z_0-9]*$')
	passed=$((passed + p)) skipped=$((skipped + s))
	if [ $status -ne 0 ]; then
		[ "$f" -gt 0 ] || f=1
		failed=$((failed + f))
		echo "$out" | grep -v '^\[ RUN\|^\[       OK' | tail -40
		echo "$test: exit $status"
	fi
done
echo "units: $passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
