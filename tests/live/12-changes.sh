#!/bin/sh
# What a process is made of changes while it is watched: libraries come and
# go, programs are replaced, children are born.
# Beside others.
. "$(dirname "$0")/target.sh"

# Both at the same address, so a stale map names the wrong one: then one of them
# would have all that the other lacks.
start plugins "$build/targets"
take -d 3 -F 499 "$pid"
a=$(weight ';use;run;in_a ')
b=$(weight ';use;run;in_b ')
[ "$b" -gt 0 ] && [ "$((a * 3))" -gt "$((b * 2))" ] &&
	[ "$((b * 3))" -gt "$((a * 2))" ] || wrong "in_a $a, in_b $b"
[ "$(weight 'in_[ab]')" -eq $((a + b)) ] || wrong "not all are called by run()"
[ "$(sort -u "$dir/said" | awk '{ print $2 }' | sort | uniq -d | wc -l)" -gt 0 ] ||
	wrong "no address was used again: $(sort -u "$dir/said")"
refuse '\[cut\]'
end

start execloop 6 300000000
take -d 8 "$pid"
expect ';main;even_turn'
expect ';main;odd_turn'
expect ';main;last_turn'
check execs -ge 3
end

start children
take -d 2 "$pid"
expect ';main;parent_work'
refuse 'child_work|exec_work'
take -d 3 -f "$pid"
expect ';main;parent_work'
expect ';main;child_work'
expect '^exe;.*;main;exec_work'
end

# From its first instruction.
take -d 1 -- "$build/targets/execloop" 0
expect '^execloop;_start;.*;main;last_turn'
refuse ';hold_command'
check execs -eq 1

# In execve(2) a thread has given its stack and its program away: what the
# kernel does then has no user frames, and nothing of them is missing.
record -F 999 -d 4 --follow -- sh -c 'while :; do /bin/true; done'
[ "$(weight '_\[k\] ')" -gt 50 ] ||
	wrong "no more than $(weight '_\[k\] ') samples in the kernel"
refuse ';\[unknown\];[^;]*_\[k\]'

finish
