#!/bin/sh
# Shares that are known by construction, 50/30/15/5 %, come out within the
# noise of sampling: five runs pooled, alone and with four threads. Of all
# comparisons at most one may be off by more than 3 standard errors, and none
# by more than 4.
. "$(dirname "$0")/target.sh"

runs=5 seconds=${SECONDS_EACH:-4} beyond=0

pool() {
	rm -f "$dir/pool"
	for run in $(seq $runs); do
		start shares "$1"
		take -F 499 -d "$seconds" "$pid"
		cat "$folded" >>"$dir/pool"
		end
	done
	cp "$dir/pool" "$folded"
}

# Only the leaf's function counts; kernel frames may lie below it.
compare() {
	awk -v threads="$1" '
	/^#/ { next }
	{
		total += $NF
		for (name in truth)
			if (index($0, ";" name)) seen[name] += $NF
	}
	BEGIN {
		truth["fifty"] = 50; truth["thirty"] = 30
		truth["fifteen"] = 15; truth["five"] = 5
	}
	END {
		for (name in truth) {
			p = truth[name] / 100
			z = total ? (seen[name] - total * p) / \
				sqrt(total * p * (1 - p)) : 99
			printf "%d threads: %s %.1f %% of %d, z %.2f\n",
				threads, name, 100 * seen[name] / total,
				total, z
		}
	}' "$folded"
}

for threads in 1 4; do
	pool "$threads"
	compare "$threads" >"$dir/compared"
	cat "$dir/compared" >>"$dir/all"
	sed 's/^/  /' "$dir/compared"
done
beyond=$(awk '{ z = $NF < 0 ? -$NF : $NF } z > 3' "$dir/all" | wc -l)
far=$(awk '{ z = $NF < 0 ? -$NF : $NF } z > 4' "$dir/all" | wc -l)
[ "$beyond" -le 1 ] && [ "$far" -eq 0 ] || failed=1
exit $failed
