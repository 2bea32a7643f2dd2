#!/bin/sh
# Code whose unwind rules are missing or cut off: frames that are right or
# counted as guessed or cut, and never a hang.
# Beside others.
. "$(dirname "$0")/target.sh"

# .eh_frame ends, or is nonsense, from some byte on. The program keeps frame
# pointers, so its own frames must be there in any case.
offset_of() { readelf -SW "$1" | sed 's/\[ *//' |
	awk '$2 == ".eh_frame" { print $5, $6 }'; }
cut_rules() {
	cp "$dir/whole" "$dir/cut"
	# shellcheck disable=SC2046
	set -- "$1" "$2" $(offset_of "$dir/whole")
	at=$(printf '%d' "0x$3") size=$(printf '%d' "0x$4")
	head -c $((size - size * $1 / 8 - $1)) "$2" |
		dd of="$dir/cut" bs=1 seek=$((at + size * $1 / 8 + $1)) \
			conv=notrunc 2>/dev/null
}
if has readelf && compile 'cc -O2 -fno-omit-frame-pointer' -o "$dir/whole" \
	tests/targets/shares.c; then
	head -c 65536 /dev/zero >"$dir/zeroes"
	tr '\0' '\377' <"$dir/zeroes" >"$dir/ones"
	for part in 0 3 5; do
		for filler in zeroes ones; do
			cut_rules $part "$dir/$filler"
			run "$dir/cut" 1 20
			record -d 0.5 "$pid"
			expect ';left[^;]*;fifty '
			refuse ';fifty;.*;fifty'
			end
		done
	done
fi

stack_size() { sed -n 's/^VmStk:[^0-9]*//p' "/proc/$pid/status"; }

# A million frames of 256 MB: bounded work, and what is left out is said. The
# program is looked at when it has made them.
ulimit -s unlimited 2>/dev/null && {
	start deep 1000000
	size=0
	while [ "$size" != "$(stack_size)" ]; do
		size=$(stack_size)
		sleep 1
	done
	timeout 60 "$build/sample" -j -F 19 -d 2 "$pid" >"$folded" 2>&1 ||
		wrong "a million frames: exit status $?"
	expect ';deep;\[left out\];deep;.*;bottom'
	[ "$(awk '!/^#/ { print gsub(/;/, "") }' "$folded" | sort -n |
		tail -1)" -le 9000 ] || wrong "too many frames are kept"
	end
}
finish
