#!/bin/sh
# Whole stacks from each program that is hard to unwind.
# Beside others.
. "$(dirname "$0")/target.sh"

start bigframe
take -d 1 "$pid"
expect ';_start;.*;main;big_frame;leaf'
check cut -eq 0
end

start altstack
take -d 1 "$pid"
expect ';_start;.*;main;outer;fault_here;[^;]*;handler;busy'
check cut -eq 0
end

start noreturn
take -d 1 "$pid"
expect ';_start;.*;main;caller_of_never;never '
refuse innocent_next
check cut -eq 0
check guessed -eq 0
end

start fibers
take -d 1 "$pid"
expect '^fibers;[^;]*;fiber_body;fiber_leaf '
[ "$(weight fiber_leaf)" -eq "$(weight '^fibers;[^;]*;fiber_body;fiber_leaf ')" ] ||
	wrong "a fibre has something outside of it"
check cut -eq 0
end

start nocfi
take -d 2 "$pid"
expect ';_start;.*;main;calls_asm;asm_room'
expect ';_start;.*;main;calls_asm;asm_saves'
check guessed -eq 0
end

start clock
take -d 1 "$pid"
expect ';_start;.*;main;asks_time;[^;]*;\[vdso\]'
end

start deep
take -d 1 "$pid"
[ "$(awk '/;bottom[^;]* [0-9]+$/ { print gsub(/;deep/, "") }' "$folded")" = 5000 ] ||
	wrong "not 5000 times deep()"
expect ';_start;'
check cut -eq 0
end

start deep 10000
take -d 1 "$pid"
expect ';_start;.*;deep;\[left out\];deep;.*;bottom'
check deep -gt 0
end

start shares 3
take -d 1 "$pid"
check cut -eq 0
check no-rule -eq 0
check guessed -eq 0
end

finish
