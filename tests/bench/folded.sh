#!/bin/sh
# A folded file of a gigabyte, read once by flametop and by what people have
# at hand: wc -l, sort -u, and awk that sums equal lines as flamegraph.pl does.
# It repeats 100,000 stacks of 20 frames. CPU seconds of all processes, the
# least of three runs for the quick ones, and the most memory that one of
# flametop's processes had. BUILD is $1, the size in MB $2 (1000).
flametop=$1/flametop
size=${2:-1000}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM

# A call tree that forks into two at the last 17 levels, in no order.
awk 'BEGIN {
	for (i = 0; i < 100000; i++) {
		stack = "main"
		path = 1
		n = (i * 61681) % 100000
		for (d = 1; d < 20; d++) {
			if (d > 2) {
				path = path * 2 + n % 2
				n = int(n / 2)
			}
			stack = stack ";core::worker_" \
				(path * 7919 + d * 104729) % 4001 "::run"
		}
		print stack, i % 997 + 1
	}
}' >"$dir/once"
bytes=$(wc -c <"$dir/once")
for i in $(seq $((size * 1000000 / bytes + 1))); do
	cat "$dir/once"
done >"$dir/folded"
rm "$dir/once"

cat >"$dir/sum.awk" <<'AWK'
{ n = $NF; sub(/ [^ ]*$/, ""); sum[$0] += n }
END { for (s in sum) print s, sum[s] }
AWK

# "SECONDS MIB" of TURNS runs of a command: least CPU, most memory.
measure() {
	python3 - "$@" <<'PYTHON'
import os, resource, subprocess, sys
turns, command = int(sys.argv[1]), sys.argv[2:]
least = None
for turn in range(turns):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True,
                   env={**os.environ, 'LC_ALL': 'C'})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = (after.ru_utime + after.ru_stime -
            before.ru_utime - before.ru_stime)
    least = took if least is None else min(least, took)
print(f'{least:.3f} {after.ru_maxrss / 1024:.0f}')
PYTHON
}

ours=$(measure 3 "$flametop" report "$dir/folded")
wc=$(measure 3 wc -l "$dir/folded")
sum=$(measure 1 awk -f "$dir/sum.awk" "$dir/folded")
sort=$(measure 1 sort -u -T "$dir" "$dir/folded")
wc -c <"$dir/folded" | awk -v ours="$ours" -v wc="$wc" -v sum="$sum" \
	-v sort="$sort" '
function rate(what, seconds, memory) {
	split(seconds, n, " ")
	printf "folded %-8s %6.2f s of CPU, %6.0f MB/s%s\n", what, n[1],
		bytes / 1e6 / n[1], memory ? ", " n[2] " MiB at most" : ""
	return n[1]
}
{
	bytes = $1
	a = rate("flametop", ours, 1)
	b = rate("wc -l", wc)
	c = rate("awk sum", sum, 1)
	d = rate("sort -u", sort, 1)
	printf "folded %.0f MB: flametop is %.1f times wc -l (at most 6, " \
		"aim 4), awk %.1f times flametop (at least 3), sort -u %.1f\n",
		bytes / 1e6, a / b, c / a, d / a
}'
