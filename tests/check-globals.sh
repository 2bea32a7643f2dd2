#!/bin/sh
# No mutable globals: nothing in .data or .bss of the objects given, whatever
# the sanitizers and the compiler put there apart.
found=$(nm --format=sysv "$@" 2>/dev/null | awk -F'|' '
	/^Symbols from/ { file = $0; sub(/^Symbols from /, "", file) }
	$NF ~ /^ *[.]t?(data|bss)/ && $NF !~ /rel[.]ro/ {
		name = $1; gsub(/ /, "", name)
		if (name !~ /^(__|[.]|_?L?ASAN|DW[.]ref)/)
			print file " " name
	}')
[ -z "$found" ] && exit 0
echo "mutable globals:"
echo "$found"
exit 1
