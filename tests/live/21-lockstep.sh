#!/bin/sh
# A program that goes in steps of five milliseconds is not walked with: both
# of its halves get half of the samples. By a fixed period of 10 ms, or 99
# times a second, one gets 18 to 60 %.
. "$(dirname "$0")/target.sh"

start lockstep
for run in 1 2 3; do
	take -F 100 -d 4 "$pid"
	cat "$folded" >>"$dir/pool"
done
cp "$dir/pool" "$folded"
end
tick=$(weight ';tick')
tock=$(weight ';tock')
echo "tick $tick, tock $tock"
awk -v a="$tick" -v b="$tock" 'BEGIN {
	n = a + b
	z = n ? (a - n / 2) / sqrt(n / 4) : 99
	exit !(n > 100 && z < 4 && z > -4)
}' || wrong "tick $tick, tock $tock"
finish
