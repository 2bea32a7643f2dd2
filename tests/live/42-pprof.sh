#!/bin/sh
# Go's own pprof holds what we read and write to the unit: it takes our files,
# its sums are those of the counts, and a profile that goes there and back is
# what it was. BUILD is $1.
# Beside others.
build=$1
command -v go >/dev/null || { echo "go is not here"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM
failed=0
export PPROF_TMPDIR="$dir/pprof" HOME="$dir" GOFLAGS=-mod=mod GO111MODULE=off

wrong() {
	echo "pprof: $*"
	failed=1
}
flametop() { "$build/flametop" "$@" </dev/null; }
pprof() { go tool pprof "$@" 2>"$dir/err"; }

# What the counts of a folded file add up to.
total_of() { awk '!/^#/ { n += $NF } END { printf "%d\n", n }' "$1"; }

# The same of the first value of all samples that pprof prints (it leaves
# those without a stack out).
raw_total() {
	pprof -raw "$1" | awk '/^Locations/ { exit }
		/^ *-?[0-9]+ *.*: [0-9]/ { n += $1 } END { printf "%d\n", n }'
}

# FOLDED, and the total of what has a stack.
check_file() {
	flametop convert "$1" -f -o "$dir/x.pb.gz" ||
		wrong "$1 is not converted"
	sum=$(raw_total "$dir/x.pb.gz")
	[ "$sum" = "$2" ] || wrong "$1 sums to $sum, not $2: $(cat "$dir/err")"
	flametop convert "$1" -f -o "$dir/direct.folded"
	flametop convert "$dir/x.pb.gz" -f -o "$dir/back.folded"
	cmp "$dir/direct.folded" "$dir/back.folded" ||
		wrong "$1 comes back changed"
	flametop convert "$1" -f -o "$dir/y.pb.gz"
	cmp "$dir/x.pb.gz" "$dir/y.pb.gz" || wrong "$1 differs the second time"
}

cat >"$dir/ours.folded" <<'END'
# flametop: v1
# comm=my%20server
# duration=10.000
# period=10101010
# roots=thread
# start=2024-01-02T03:04:05Z
# unit=samples
worker;main;parse 12
worker;main;parse;grow_[i];push_[i] 7
worker;main;read;vfs_read_[k] 3
other;main;jit_[j] 5
END
check_file "$dir/ours.folded" 27
flametop convert "$dir/ours.folded" -f -o "$dir/ours.pb.gz"
top=$(pprof -top -nodecount=99 "$dir/ours.pb.gz")
for line in "12 44.44% .* 19 70.37%  parse" "7 25.93% .* push (inline)" \
	"0 .* 27   100%  main" "Duration: 10s" "27 total"
do
	echo "$top" | grep -q "$line" || wrong "-top has no \"$line\": $top"
done
pprof -top -sample_index=cpu "$dir/ours.pb.gz" | grep -q "272.73ms total" ||
	wrong "the time is not that of 27 periods"
pprof -comments "$dir/ours.pb.gz" | grep -q '^comm=my%20server$' ||
	wrong "the header is not among the comments"
pprof -tags "$dir/ours.pb.gz" | grep -q 'other' || wrong "no thread as a tag"

# What changed, by pprof's own arithmetic.
sed 's/parse 12$/parse 20/' "$dir/ours.folded" >"$dir/after.folded"
flametop convert "$dir/after.folded" -o "$dir/after.pb.gz"
pprof -top -diff_base="$dir/ours.pb.gz" "$dir/after.pb.gz" |
	grep -q '^ *8 29.63%.*parse' || wrong "-diff_base sees no change"

# Pipes.
flametop convert "$dir/ours.folded" -o - --to pb.gz >"$dir/piped.pb.gz"
cmp "$dir/ours.pb.gz" "$dir/piped.pb.gz" || wrong "a pipe gets other bytes"
"$build/flametop" report - <"$dir/ours.pb.gz" | grep -q '27 samples' ||
	wrong "report does not read standard input"
"$build/flametop" convert - -o - <"$dir/ours.pb.gz" 2>&1 |
	grep -q '^other;main;jit_\[j\] 5$' || wrong "no filter"
flametop merge "$dir/ours.folded" "$dir/ours.pb.gz" -o "$dir/two.folded"
[ "$(total_of "$dir/two.folded")" = 54 ] || wrong "a merge loses counts"

# A recording: its own addresses and lines, and the same stacks again.
if flametop record -q -d 2 -o "$dir/recorded.folded" -- \
	sh -c 'while :; do i=$((i + 1)); done' >/dev/null 2>&1
then
	check_file "$dir/recorded.folded" "$(total_of "$dir/recorded.folded")"
	flametop record -q -d 1 -o "$dir/live.pb.gz" -- \
		sh -c 'while :; do i=$((i + 1)); done' >/dev/null 2>&1
	pprof -raw "$dir/live.pb.gz" >"$dir/raw"
	grep -Eq '^ *[0-9]+: 0x[0-9a-f]{3,} M=[0-9]+ ' "$dir/raw" ||
		wrong "a recording has no addresses"
	grep -Eq '^[0-9]+: 0x0/0x.* /.*/(da)?sh ' "$dir/raw" ||
		wrong "a recording has no mapping of its program"
	cat "$dir/err" | grep -v '^$' && wrong "pprof complains"
fi

# What pprof says a file of its own sums to, we find too.
cat >"$dir/prog.go" <<'END'
package main

import (
	"os"
	"runtime/pprof"
	"time"
)

func spin(end time.Time) (n int) {
	for time.Now().Before(end) {
		n++
	}
	return
}

func main() {
	cpu, _ := os.Create(os.Args[1])
	pprof.StartCPUProfile(cpu)
	spin(time.Now().Add(700 * time.Millisecond))
	pprof.StopCPUProfile()
	cpu.Close()
	heap, _ := os.Create(os.Args[2])
	pprof.WriteHeapProfile(heap)
	heap.Close()
}
END
if (cd "$dir" && GOCACHE=$dir/cache go run prog.go cpu.pb.gz heap.pb.gz) \
	>"$dir/err" 2>&1
then
	flametop convert "$dir/cpu.pb.gz" --type samples -o "$dir/cpu.folded"
	sum=$(raw_total "$dir/cpu.pb.gz")
	[ "$sum" -gt 0 ] && [ "$(total_of "$dir/cpu.folded")" = "$sum" ] ||
		wrong "of $sum samples we see $(total_of "$dir/cpu.folded")"
	grep -q 'main.main;main.spin' "$dir/cpu.folded" || wrong "no main.spin"
	flametop convert "$dir/heap.pb.gz" --type alloc_objects \
		-o "$dir/heap.folded"
	sum=$(raw_total "$dir/heap.pb.gz")
	[ "$(total_of "$dir/heap.folded")" = "$sum" ] ||
		wrong "of $sum objects we see $(total_of "$dir/heap.folded")"
else
	wrong "the program of go does not run: $(cat "$dir/err")"
fi
[ $failed -eq 0 ] || exit 1
echo "pprof: Go's takes what we write, and we what it does"
