#!/bin/sh
# Our unwind rules are libdw's: every row of libc, 100,000 addresses of some
# large programs (those that are not here are named), some of every tenth
# program and library (of all of them with FLAMETOP_LONG=1). BUILD is $1.
# Beside others.
check=$1/cfi-check
failed=0 files=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# agree FILE [N]
agree() {
	timeout 120 "$check" "$@" >"$dir/out" 2>&1
	status=$?
	[ $status -ne 77 ] || return
	files=$((files + 1))
	[ $status -eq 0 ] && return
	echo "rules: status $status"
	tail -12 "$dir/out"
	failed=1
}

libc=$(ldd /bin/sh | awk '/libc.so/ { print $3 }')
agree "$libc"
known=$(sed -n 's/.*libdw knows \([0-9]*\).*/\1/p' "$dir/out")
[ "${known:-0}" -gt 10000 ] || {
	echo "rules: libdw knows $known addresses of $libc"
	failed=1
}

libraries=/usr/lib/x86_64-linux-gnu
for file in $libraries/libstdc++.so.6 $libraries/libcrypto.so.3 \
	$libraries/ld-linux-x86-64.so.2 $libraries/libLLVM-14.so.1 \
	$libraries/libclang-cpp.so.14 /usr/bin/clang-14 /usr/bin/python3.11 \
	"$(command -v node || echo node)" \
	"$(command -v postgres || echo postgres)" \
	$(readlink -f /usr/lib/jvm/*/lib/server/libjvm.so | sort -u)
do
	if [ -e "$file" ]; then
		agree "$file" 100000
		cat "$dir/out"
	else
		echo "not tested: $file is not here"
	fi
done

step=${FLAMETOP_LONG:+1}
find /usr/bin /usr/lib/x86_64-linux-gnu -type f -size +8k |
	awk -v step="${step:-10}" 'NR % step == 0' >"$dir/list"
while read -r file; do
	agree "$file" 300
done <"$dir/list"

[ $failed -eq 0 ] || exit 1
echo "rules: equal to libdw's in $files files, $known addresses of libc"
