#!/bin/sh
# Worlds of any kind, into the folder $1: bytes at random, but the same each
# time. A full rule alone is a hundred of them, more than mutation finds soon.
for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
	printf "$(awk -v seed=$seed 'BEGIN {
		srand(seed)
		for (i = 0; i < 3000; i++)
			printf "\\%03o", int(rand() * 256)
	}')" >"$1/random-$seed"
done
