#!/bin/sh
# Programs with all their libraries inside: glibc's rules without the sorted
# index, and musl, which has no rules: frames that are right, or counted as
# guessed or cut; its return from a signal is known by sight.
# Beside others.
. "$(dirname "$0")/target.sh"

compile 'cc -O2 -static' -o "$dir/shares" tests/targets/shares.c || finish
run "$dir/shares" 1 20
record -d 1 "$pid"
expect ';_start;.*;main;work;left;fifty '
refuse '\[cut\]'
end

has musl-gcc || finish

build_static() {
	compile 'musl-gcc -O2 -static' -o "$dir/$1" "tests/targets/$1.c" ||
		finish
}

build_static altstack
run "$dir/altstack"
record -d 1 "$pid"
expect ';main;outer;fault_here;[^;]*;handler;busy'
end

# What is between is libc's.
build_static callback
run "$dir/callback"
record -d 2 "$pid"
expect ';compares'
refuse ';compares;.*;(main|sorts|compares)'
refuse ';(smoothsort|_start|__libc_start_main);compares'
# Who knows all of it says so; else every sample is counted as what it is.
[ "$(($(counter guessed) + $(counter cut)))" -gt 0 ] ||
	expect ';main;sorts.*;compares'
end

# Threads that fight for a lock: whatever libc does for it is called from there
# and says that it was guessed, in the program and in a library.
contends() {
	run "$dir/contend"
	record -d 2 -F 199 "$pid"
	expect ';fights;[^;]*pthread_mutex_(un)?lock'
	refuse ';(holds|spin);[^;]*mutex|^[^;]*;[^;]*mutex'
	[ "$(weight ';fights')" -eq "$(weight .)" ] ||
		wrong "not all samples are of the fight"
	[ "$(($(counter guessed) + $(counter cut)))" -gt 0 ] ||
		wrong "contend: nothing is said to be guessed"
	end
}
build_static contend
contends
compile 'musl-gcc -O2' -o "$dir/contend" tests/targets/contend.c && contends

finish
