#!/bin/sh
# The same program as different linkers lay it out: the file's offsets, its
# addresses and its segments agree in none of them, and every function has its
# name and its caller.
# Beside others.
. "$(dirname "$0")/target.sh"

# Built by the compiler and linker $1: names, callers and roots.
layout() {
	echo "layout: $1"
	compile "$1" -O2 -o "$dir/program" tests/targets/shares.c || return
	run "$dir/program" 1 20
	record -d 0.6 -F 199 "$pid"
	expect ';_start;.*;main;(work[^;]*;)?left[^;]*;fifty '
	expect ';_start;.*;main;(work[^;]*;)?right[^;]*;thirty '
	refuse 'program\+0x'
	refuse '\[cut\]'
	end
}

layout 'cc -Wl,-z,noseparate-code'
layout 'cc -Wl,-z,max-page-size=0x200000'
layout 'cc -no-pie -Wl,-Ttext-segment=0x10000000'
layout 'cc -static-pie'
has mold && layout 'cc -fuse-ld=mold'
has ld.lld && {
	has clang && layout 'clang -fuse-ld=lld -Wl,--rosegment'
	layout 'cc -fuse-ld=lld -Wl,--no-rosegment -Wl,-z,max-page-size=0x10000'
}

# Code in that part of a segment that the file has no bytes of: on its last
# page it has the name of the symbol there, beyond it is nobody's code.
for way in -pie -no-pie; do
	echo "layout: $way, beyond the file"
	compile "cc -O2 $way" -Wl,--no-warn-rwx-segments -o "$dir/bsscode" \
		tests/targets/bsscode.c || continue
	run "$dir/bsscode"
	record -d 1 -F 199 "$pid"
	expect ';_start;.*;main;calls_both;near_bss '
	expect ';_start;.*;main;calls_both;\[jit\]\+0x[0-9a-f]+_\[j\] '
	refuse 'loop|_end|__bss_start|near_bss;|bsscode\+'
	end
done

# Two executable segments, and what is added to an address differs.
compile 'cc -no-pie' -O2 -o "$dir/program" tests/targets/segments.c \
	-Wl,--section-start=.far=0x7008000 && {
	run "$dir/program"
	record -d 1 "$pid"
	expect ';_start;.*;main;near_caller;far_leaf '
	expect ';_start;.*;main;far_caller;near_leaf '
	refuse 'program\+0x'
	end
}

# Libraries that have an address of their own before they are loaded.
library() {
	echo "library: $1"
	for half in a b; do
		compile "$1" -O2 -shared -fPIC -o "$dir/plugin_$half.so" \
			"tests/targets/plugin_$half.c" || return
	done
	start plugins "$dir"
	record -d 1.5 "$pid"
	expect ';use[^;]*;run;in_a '
	expect ';use[^;]*;run;in_b '
	refuse '\+0x[0-9a-f]*;in_[ab] '
	end
}
library 'cc -Wl,-Ttext-segment=0x34fd200000'
has ld.lld && library 'cc -fuse-ld=lld'
has mold && library 'cc -fuse-ld=mold'

# Text that was moved to memory without a file, as for huge pages.
start moved
record -d 0.6 "$pid"
expect ';_start;.*;main;outside;inside '
refuse '_\[j\]'
end

# One tool, the same program twice at different addresses.
start shares 1 20
first=$pid
start shares 1 20
record -d 0.6 -p "$first,$pid"
refuse 'shares\+0x'
expect ';left;fifty '
end

# It is gone before the names are asked for.
start shares 1 4
record -d 8 "$pid"
expect ';work;left;fifty '
refuse 'shares\+0x'

finish
