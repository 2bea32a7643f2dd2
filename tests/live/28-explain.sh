#!/bin/sh
# What flametop explains of addresses, held against readelf and nm, and what
# it says of those that are none.
# Beside others.
. "$(dirname "$0")/target.sh"

explain() {
	timeout 120 "$build/flametop" explain "$@" >"$dir/out" 2>"$dir/err"
	status=$?
}
prints() { grep -q -e "$1" "$dir/out" ||
	wrong "no \"$1\": $(cat "$dir/out" "$dir/err")"; }
says() { grep -q -e "$1" "$dir/err" || wrong "not said: $1: $(cat "$dir/err")"; }
exits() { [ $status -eq "$1" ] || wrong "exit status $status, not $1"; }

# "ADDRESS REGISTER OFFSET RBP" of each row that readelf can say in numbers.
rules_of() {
	readelf --debug-dump=frames-interp "$1" 2>/dev/null | awk '
	$1 == "LOC" { for (i in column) delete column[i]
		for (i = 1; i <= NF; i++) column[$i] = i }
	/^[0-9a-f]+ r[a-z0-9]+\+[0-9]+ / {
		split($2, cfa, "+")
		rbp = column["rbp"] ? $column["rbp"] : "u"
		if ($NF == "c-8" && rbp ~ /^(u|s|c-[0-9]+)$/)
			print $1, cfa[1], cfa[2], rbp
	}'
}

# The rows of FILE, every Nth of them.
check_rules() {
	rules_of "$1" | awk -v step="$2" 'NR % step == 0' >"$dir/rules"
	[ -s "$dir/rules" ] || wrong "readelf says nothing of $1"
	while read -r at register offset rbp; do
		explain "$1" "0x$at"
		case $rbp in
		c-*)	saved=", rbp at CFA-${rbp#c-}" ;;
		*)	saved= ;;
		esac
		prints "^rule *CFA = $register + $offset$saved, return"
		prints '^from *.eh_frame'
	done <"$dir/rules"
}

has readelf && {
	check_rules "$build/targets/shares" 2
	libc=$(ldd "$build/targets/shares" | sed -n 's/.*=> \(.*libc.so[^ ]*\) .*/\1/p')
	check_rules "$libc" "$(($(rules_of "$libc" | wc -l) / 15))"
}

# Functions, by virtual address and by offset in a file where they differ.
compile 'cc -O2 -no-pie -Wl,-Ttext-segment=0x10000000' -o "$dir/apart" \
	tests/targets/shares.c && has nm && {
	for function in fifty thirty left work main; do
		at=$(nm "$dir/apart" | sed -n "s/ [tT] $function\$//p")
		explain "$dir/apart" "$at"
		prints "^name *$function: the only symbol that covers it"
		prints "^line *[^ ]*tests/targets/[a-z]*\.[ch]:[0-9]"
		explain "$dir/apart" "+$(printf '%x' $((0x$at - 0x10000000)))"
		prints "^name *$function: "
	done
}

# A debug file of another build is told, and what is inlined is too.
if has objcopy && compile 'cc -O2 -Wl,--build-id' -o "$dir/split" \
	tests/targets/shares.c; then
	at=$(nm "$dir/split" | sed -n 's/ t fifty$//p')
	objcopy --only-keep-debug "$dir/split" "$dir/split.debug"
	objcopy --strip-all "$dir/split"
	objcopy --add-gnu-debuglink="$dir/split.debug" "$dir/split"
	explain "$dir/split" "0x$at"
	prints '^debug .*/split.debug$'
	prints "^symbol *debug file's .symtab .*fifty"
	prints '^inlined *spin, called at .*shares.c:[0-9]'
	compile 'cc -O1 -Wl,--build-id' -o "$dir/other" tests/targets/shares.c
	objcopy --only-keep-debug "$dir/other" "$dir/split.debug"
	explain "$dir/split" "0x$at"
	prints '^debug .*build id'
	prints '^name *none: no symbol covers it'
fi

# Go: by the table of its runtime, with symbols or without.
if has go; then
	printf '%s\n' 'package main' '//go:noinline' \
		'func leaf(n int) int { return n * 3 }' \
		'func main() { println(leaf(4)) }' >"$dir/leaf.go"
	go build -o "$dir/leaf" "$dir/leaf.go" &&
		at=$(nm "$dir/leaf" | sed -n 's/ T main.leaf$//p')
	strip "$dir/leaf"
	explain "$dir/leaf" "$at"
	prints "^name *main.leaf: from 0x0*${at#"${at%%[!0]*}"} on, by the table of Go"
	prints '^line *[^ ]*leaf.go:3'
	prints "^from *the table of Go's runtime"
fi

# In a process: by address, and as a frame without a name is written.
start jitmap
end_map() { rm -f "/tmp/perf-$pid.map"; end; }
range=$(awk '/ r-xp .*\/jitmap$/ { print $1, $3; exit }' "/proc/$pid/maps")
base=${range%%-*} offset=${range##* }
at=$(nm "$build/targets/jitmap" | sed -n 's/ t in_file$//p')
explain "$pid" "$(printf '0x%x' $((0x$base + 0x$at - 0x$offset)))"
prints '^mapping .* code, .*/jitmap$'
prints '^opened .*/jitmap$'
prints '^name *in_file: '
explain "$pid" "jitmap+0x$at"
prints '^name *in_file: '
explain "$pid" '[vdso]+0x900'
prints '^name *[a-z_]*get[a-z_]*: '
made=$(awk '/bytes$/ { print $1 }' "/tmp/perf-$pid.map")
explain "$pid" "0x$made"
prints "^opened */tmp/perf-$pid.map"
prints '^name *caf.* \\xff\\xfe bytes, from '
exits 0

explain "$pid" 0x10
exits 1
prints '^behind it'
says 'nothing is mapped at 0x10'
explain "$pid" main
exits 2
says 'is no address'
explain "$pid" 'no-such.so+0x10'
exits 1
says 'has no code of no-such.so'
explain "$build/targets/shares"
exits 2
explain /etc/passwd 0x10
exits 1
says '[a-z]'
explain "$dir/nothing" 0x10
exits 1
says 'No such file'
explain 4194304 0x10
exits 4
explain "$build/targets/shares" 0x7fffffffffff
prints 'is in no segment of it'
end_map

# A damaged file is an answer or a refusal, and no hang.
head -c 9000 "$build/targets/shares" >"$dir/cut"
explain "$dir/cut" 0x1290
[ $status -le 1 ] || wrong "a file that is cut: exit status $status"
finish
