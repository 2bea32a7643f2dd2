#!/bin/sh
# What has outgrown one reading: files over 500 lines, functions over 60. A
# report, no gate.
cd "$(dirname "$0")/.." || exit 1
git ls-files '*.c' '*.h' 2>/dev/null | xargs wc -l 2>/dev/null |
	awk '$2 != "total" && $1 > 500 { print "  size   " $2 ": " $1 " lines" }'
command -v ctags >/dev/null || exit 0
ctags --version 2>/dev/null | grep -q Universal || exit 0
ctags --fields=+ne --kinds-C=f -f - $(git ls-files '*.c') | awk -F '\t' '
	{
		start = end = 0
		for (i = 4; i <= NF; i++) {
			if (sub(/^line:/, "", $i)) start = $i
			if (sub(/^end:/, "", $i)) end = $i
		}
		if (end - start >= 60)
			print "  size   " $2 ":" start ": " $1 "() is " \
				end - start + 1 " lines"
	}'
exit 0
