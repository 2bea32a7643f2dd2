#!/bin/sh
# Programs of Go: leaves without a frame, stacks that grow and are left for
# another one, C and back; stripped, position independent, without section
# headers. What the program does says which stacks it has.
# Beside others.
. "$(dirname "$0")/target.sh"
has go || exit 77
export GOCACHE="${GOCACHE:-$PWD/$build/go-cache}" GOFLAGS=-trimpath
source=$(dirname "$0")/../targets/goroutines.go

build_go() {
	out=$1
	shift
	go build -o "$dir/$out" "$@" "$source" 2>"$dir/err" ||
		{ cat "$dir/err"; exit 77; }
}

# Sample KIND of program $1 into $folded.
sample() {
	run "$dir/$1" "$2"
	shift 2
	record -d 2 -F 199 "$@" "$pid"
	end
}

# Of all samples at least $1 % begin where goroutines or threads do.
rooted() {
	total=$(weight .)
	good=$(weight '^[^;]*;runtime.(goexit|mstart|mcall|morestack|rt0_go)(;| )')
	echo "$out $kind: $good of $total samples have their root"
	[ $((good * 100)) -ge $((total * $1)) ] ||
		wrong "$out $kind: $good of $total samples have a root"
}

go_root='^[^;]*;runtime.goexit;runtime.main;main.main;main.forever;'

check_kinds() {
	kind=leaf
	sample "$out" leaf
	expect "${go_root}main.callsLeaf;main.leafWithoutFrame "
	rooted 98
	kind=c
	sample "$out" c
	expect "${go_root}main.callsC;.*;runtime.asmcgocall;"
	[ -n "$1" ] || expect ';runtime.asmcgocall;[^;]*;c_calls;c_spins '
	# Without symbols an export names itself, and no other code behind it.
	[ -z "$1" ] || expect ';runtime.asmcgocall;_cgo_[0-9a-f]*_Cfunc_c_calls;[a-z]*\+0x[0-9a-f]+;[a-z]*\+0x[0-9a-f]+ '
	rooted 98
	kind=back
	sample "$out" back
	expect "${go_root}main.isCalledBack;.*;runtime.cgocallback;.*goIsCalled;main.leafWithoutFrame "
	[ -n "$1" ] || expect ';c_calls_back;goIsCalled;crosscall2;'
	rooted 98
	kind=grow
	sample "$out" grow
	expect ';runtime.goexit;main.growsStack.func1;main.goesDown;main.goesDown;.*;main.goesDown'
	rooted 15
	# Who asked for more stack is the caller of what brings it.
	expect ';main.goesDown;main.goesDown;runtime.morestack;runtime.newstack'
	refuse '^[^;]*;runtime.(morestack|newstack)'
	kind=clock
	sample "$out" clock
	expect "${go_root}main.readsClock;time.Now;"
	rooted 98
	kind=collect
	sample "$out" collect
	expect ';runtime.(gcBgMarkWorker|bgsweep|bgscavenge|mallocgc)[;.]'
	rooted 95
}

build_go plain
check_kinds ''

build_go stripped -ldflags='-s -w'
check_kinds stripped

# Without section headers: where they are and how many, zeroed.
out=headless
cp "$dir/stripped" "$dir/headless"
dd if=/dev/zero of="$dir/headless" bs=1 seek=40 count=8 conv=notrunc \
	2>/dev/null
dd if=/dev/zero of="$dir/headless" bs=1 seek=60 count=4 conv=notrunc \
	2>/dev/null
kind=leaf
sample headless leaf
expect "${go_root}main.callsLeaf;main.leafWithoutFrame "
rooted 98

build_go pie -buildmode=pie -ldflags='-s -w'
kind=leaf
sample pie leaf
expect "${go_root}main.callsLeaf;main.leafWithoutFrame "
rooted 98
kind=c
sample pie c
expect "${go_root}main.callsC;.*;runtime.asmcgocall;"
rooted 98
kind=collect
sample pie collect
rooted 95

# As Go 1.26 writes it: the table itself does not say where code begins, the
# runtime's record of the module does. Both files name the same addresses.
if has python3; then
	kind='without the start of its code'
	build_go plain-pie -buildmode=pie
	for out in stripped pie; do
		whole=plain-pie
		[ $out = pie ] || whole=plain
		go tool nm "$dir/$whole" >"$dir/names"
		cp "$dir/$out" "$dir/unsaid"
		python3 - "$dir/unsaid" <<-'END' || wrong "$out: no table"
			import re, sys
			file = open(sys.argv[1], 'r+b')
			at = re.search(b'[\xf0\xf1]\xff\xff\xff\0\0\1\x08',
				       file.read()).start()
			file.seek(at + 24)
			file.write(bytes(8))
		END
		cmp -s "$dir/unsaid" "$dir/$out" && [ $out = stripped ] &&
			wrong "$out: nothing was to be zeroed"
		for at in $(sed -n 's/^ *\([0-9a-f]*\) [Tt] main\..*/\1/p' \
			"$dir/names"); do
			for one in "$out" unsaid; do
				"$build/flametop" explain "$dir/$one" "0x$at" |
					grep -v "$dir" >"$dir/$one.said"
			done
			cmp "$dir/$out.said" "$dir/unsaid.said" ||
				wrong "$out $kind: 0x$at"
		done
		grep -q 'main\.' "$dir/unsaid.said" ||
			wrong "$out $kind: no name: $(cat "$dir/unsaid.said")"
	done
fi
finish
