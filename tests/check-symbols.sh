#!/bin/sh
# No function of ours has the name of one in a library that we link: the
# library would call ours. BUILD is $1.
build=$1
ours=$(mktemp)
trap 'rm -f "$ours"' EXIT
nm -g --defined-only "$build/libflametop.a" 2>/dev/null |
	awk 'NF == 3 && $2 ~ /[A-Z]/ { print $3 }' | sort -u >"$ours"
[ -s "$ours" ] || { echo "check-symbols: no symbols in $build"; exit 1; }
clashes=$(ldd "$build/flametop" | awk '$3 ~ /^\// { print $3 }' |
	while read -r library; do
		nm -D --defined-only "$library" 2>/dev/null |
			awk '$2 ~ /[TWVi]/ { sub(/@.*/, "", $3); print $3 }' |
			sort -u | comm -12 "$ours" - |
			sed "s|\$| is also in $library|"
	done)
[ -z "$clashes" ] || { echo "$clashes"; exit 1; }
