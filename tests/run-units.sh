#!/bin/sh
# Run every unit test given; sum up what cmocka says of each.
passed=0 failed=0 skipped=0
for test in "$@"; do
	out=$("$test" 2>&1)
	status=$?
	p=$(echo "$out" | grep -c '^\[       OK \]')
	f=$(echo "$out" | sed -n 's/^\[  FAILED  \] \([0-9]*\) test(s).*/\1/p')
	s=$(echo "$out" | sed -n 's/^\[  SKIPPED \] \([0-9]*\) test(s).*/\1/p')
	passed=$((passed + p)) skipped=$((skipped + ${s:-0}))
	if [ $status -ne 0 ]; then
		[ "${f:-0}" -gt 0 ] || f=1
		failed=$((failed + f))
		echo "$out" | grep -v '^\[ RUN\|^\[       OK' | tail -40
		echo "$test: exit $status"
	fi
done
echo "units: $passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
