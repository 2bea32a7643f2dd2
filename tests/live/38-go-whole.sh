#!/bin/sh
# Programs of Go under load: 999 of 1,000 stacks are whole, judged by their
# addresses (audit.py). That of a goroutine is not in the copy while its thread
# is on its own stack, and is another one a moment later.
. "$(dirname "$0")/target.sh"
has go && has python3 && has nm || exit 77
export GOCACHE="${GOCACHE:-$PWD/$build/go-cache}" GOMAXPROCS=2
here=$(dirname "$0")

build_go() {
	out=$1 source=$2
	shift 2
	go build -trimpath -o "$dir/$out" "$@" "$here/../targets/$source.go" \
		2>"$dir/err" || { cat "$dir/err"; exit 77; }
}

# Look at program $1 for a moment in each of the ways that follow; $symbols
# has the names of what is in it.
sum=0 all=0
look() {
	out=$1
	shift
	for kind; do
		run "$dir/$out" "$kind"
		sleep 0.5
		take -n -F 997 -d 1.5 "$pid"
		end
		python3 "$here/audit.py" "$folded" "$dir/$out" \
			"$dir/$symbols" >"$dir/audit" ||
			wrong "audit of $out $kind"
		read -r good total <"$dir/audit"
		echo "$out $kind: $good of $total whole"
		sed 1d "$dir/audit"
		sum=$((sum + good)) all=$((all + total))
	done
}

symbols=load
build_go load goload
look load alloc talk serve preempt start

symbols=cgo
build_go cgo goroutines
look cgo c back clock collect

symbols=pie
build_go pie goroutines -buildmode=pie
build_go stripped-pie goroutines -buildmode=pie '-ldflags=-s -w'
look stripped-pie clock collect
[ "$all" -gt 0 ] && [ $((sum * 1000)) -ge $((all * 999)) ] ||
	wrong "$sum of $all samples are whole"
exit $failed
