#!/bin/sh
# As many samples as the CPU time says, within 10 %: for threads that were
# there, for such as are born later, and at ten times the rate.
. "$(dirname "$0")/target.sh"

# By ptrace the sampler's own start counts more, for it waits for CPUs too; and
# ten times the rate is beyond its budget of stopped time.
part=0.1
[ "$sampler" = perf ] || part=0.2

# Options, then the pid: weight against CPU time of the same while.
compare() {
	hz=$1
	before=$(cpu_time "$pid")
	take -F "$hz" -d 4 "$pid"
	after=$(cpu_time "$pid")
	weight=$(counter weight)
	# Looks by ptrace are late where there is no CPU for them, and counted.
	[ "$sampler" = perf ] || weight=$((weight + $(counter lost)))
	echo "$name at $hz Hz: $weight for $((after - before)) ticks"
	awk -v part="$part" -v n="$weight" -v ticks="$((after - before))" -v hz="$hz" '
	BEGIN {
		wanted = ticks * hz / 100
		off = n - wanted
		exit !(off * off < (part * wanted) ^ 2 + 9 * wanted)
	}' || wrong "$name: $weight samples for $((after - before)) ticks"
	[ "$sampler" = ptrace ] || check lost -eq 0
}

start shares 1
compare 99
[ "$sampler" = ptrace ] || compare 999
end
start shares 4
compare 99
[ "$sampler" = ptrace ] || compare 999
end
# Threads that have less than a period each, on any CPU, while we look.
if [ "$sampler" = perf ]; then
	start pool 500
	compare 99
	end
fi
# Threads inherit the period of the one that made them.
start churn -1 500 0
compare 99
end
start relay 300
compare 99
end
# Long enough to get events of their own, whose copies must not count twice.
start relay 2500
compare 99
end
finish
