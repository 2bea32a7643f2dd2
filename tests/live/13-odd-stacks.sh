#!/bin/sh
# Stacks that lead where few go: handlers in handlers, vfork, code far from its
# function, bottoms full of junk, chains without end.
# Beside others.
. "$(dirname "$0")/target.sh"

# Depth of the deepest stack, without the thread's name.
deepest() { awk '!/^#/ { n = gsub(/;/, ""); if (n > max) max = n }
	END { print max + 0 }' "$folded"; }

# All samples are said to be cut or guessed.
all_doubted() {
	[ "$(($(counter cut) + $(counter guessed)))" -eq "$(counter samples)" ] ||
		wrong "$(counter cut) are cut and $(counter guessed) guessed" \
			"of $(counter samples)"
}

start nested
record -d 1 "$pid"
expect ';_start;.*;main;outer;fault_here;[^;]*;handler;again;[^;]*;handler;busy'
check cut -eq 0
end

start vforks
record -d 2 -F 499 "$pid"
expect ';_start;.*;main;calls_vfork[^;]*;[^;]*vfork;[^;]*_\[k\]'
refuse ';main;.*vfork;calls_vfork'
end

start barerules
record -d 1 "$pid"
expect ';_start;.*;main;calls_bare;asm_bare'
check guessed -eq 0
end

start loop
record -d 1 "$pid"
expect ';asm_inner'
expect ';asm_outer;asm_inner'
[ "$(deepest)" -le 16 ] || wrong "$(deepest) frames in a loop"
all_doubted
end

start junkfiber
record -d 1 "$pid"
expect ';fiber_body;fiber_leaf'
refuse 'main'
refuse '0x4141'
end

# The same by frame pointers, of which the outermost is junk.
compile 'cc -O2 -fno-omit-frame-pointer -fno-asynchronous-unwind-tables' \
	-o "$dir/junkfiber" tests/targets/junkfiber.c && {
	run "$dir/junkfiber"
	record -d 1 "$pid"
	expect ';fiber_body;fiber_leaf '
	refuse 'main'
	refuse '0x4141'
	all_doubted
	end
}

# OCaml 5's two stacks, also said to be interrupted where they call each other.
steps=$(dirname "$0")/../oracle/steps
for mark in -UMARKED -DMARKED; do
	compile "cc -O2 $mark" -o "$dir/stacks" "$steps/stacks.c" \
		"$steps/stacks.S" || continue
	run "$dir/stacks" 100000000 10000
	record -d 1 -F 499 "$pid"
	expect ';_start;.*;main;enter;on_first;call_c;in_c;enter;again;run;on_second;call_c;innermost '
	expect ';_start;.*;main;enter;on_first;call_c;in_c;enter;again;call_c;innermost '
	end
done

if nm "$build/targets/coldpart" | grep -q 'rarely.*\.cold'; then
	start coldpart
	record -d 1 "$pid"
	expect ';_start;.*;main;calls_it[^;]*;rarely.*\.cold'
	check guessed -eq 0
	end
fi

# With a copy of the stack that is far too small: whole all the same.
start deep 500
take -d 1 -b 1024 "$pid"
refuse '^deep;(deep|bottom)'
[ "$(awk '/;_start;.*;bottom[^;]* [0-9]+$/ { print gsub(/;deep/, "") }' \
	"$folded")" = 500 ] || wrong "not 500 times deep() from 1 KiB"
end

# A caller and what it never calls are in no stack together.
start shares 2
record -d 2 -F 999 "$pid"
expect ';left;fifty'
refuse ';left;(thirty|five)|;right;(fifty|fifteen)'
end

# Two chains by turns: no stack is of two moments.
for sampler in perf ptrace; do
	start turns
	take -d 2 -F 499 "$pid"
	expect ';main;one;one_large;one_leaf'
	expect ';main;two;two_large;two_leaf'
	refuse 'one.*two|two.*one'
	end
done
sampler=${SAMPLER:-perf}

# The name of the function in the page of the kernel.
start clock
record -d 1 "$pid"
expect ';main;asks_time;[^;]*clock_gettime[^;]*;[^;]*clock_gettime'
end

finish
