#!/bin/sh
# Run every unit test given, as many at once as there are CPUs; sum up what
# cmocka says of each.
if [ "$1" != --one ]; then
	out=$(mktemp)
	printf '%s\n' "$@" | xargs -n 1 -P "$(nproc)" "$0" --one >"$out"
	grep -v '^counts ' "$out"
	awk '$1 == "counts" { n++; p += $2; f += $3; s += $4 }
		END {
			f += wanted - n		# a test that told nothing
			printf "units: %d passed, %d failed, %d skipped\n",
				p, f, s
			exit f > 0
		}' wanted=$# "$out"
	status=$?
	rm -f "$out"
	exit $status
fi

out=$("$2" 2>&1)
status=$?
p=$(echo "$out" | grep -c '^\[       OK \]')
f=$(echo "$out" | sed -n 's/^\[  FAILED  \] \([0-9]*\) test(s).*/\1/p')
s=$(echo "$out" | sed -n 's/^\[  SKIPPED \] \([0-9]*\) test(s).*/\1/p')
if [ $status -ne 0 ]; then
	[ "${f:-0}" -gt 0 ] || f=1
	what=$(echo "$out" | grep -v '^\[ RUN\|^\[       OK' | tail -40)
	printf '%s\n%s: exit %d\n' "$what" "$2" $status
else
	f=0
fi
echo "counts $p $f ${s:-0}"
