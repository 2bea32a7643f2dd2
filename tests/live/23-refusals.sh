#!/bin/sh
# What happens where the kernel or a container refuses: the other sampler and
# a note, or status 3 and the knob to turn. BUILD is $1.
# Beside others.
build=$1
flametop=$(realpath "$build/flametop")
refuse=$build/targets/refuse
dir=$(mktemp -d)
target=
trap 'kill $target 2>/dev/null; rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM
failed=0

wrong() {
	echo "refusals: $*"
	failed=1
}

"$refuse" perf=EPERM true || { echo "no system call filters"; exit 77; }
"$build/targets/shares" 2 280 >/dev/null &
target=$!

for error in EPERM EACCES ENOSYS ENODEV; do
	"$refuse" perf=$error "$flametop" --plain -d 2 $target >"$dir/out" \
		2>"$dir/err" || wrong "auto, $error: status $?: $(cat "$dir/err")"
	grep -q '^ptrace' "$dir/out" || wrong "auto, $error: no ptrace"
	grep -q '^ptrace: ' "$dir/out" ||
		wrong "auto, $error: no note: $(sed -n 3p "$dir/out")"
	grep -q fifty "$dir/out" || wrong "auto, $error: no names"

	"$refuse" perf=$error "$flametop" report -d 1 --sampler perf $target \
		>"$dir/out" 2>"$dir/err"
	status=$?
	[ $status -eq 3 ] || wrong "perf, $error: status $status"
	grep -q -e '--sampler ptrace' -e sudo -e sysctl "$dir/err" ||
		wrong "perf, $error: no knob: $(cat "$dir/err")"

	"$refuse" perf=$error ptrace=EPERM "$flametop" report -d 1 $target \
		>"$dir/out" 2>"$dir/err"
	status=$?
	[ $status -eq 3 ] || wrong "both, $error: status $status"
	[ "$(wc -l <"$dir/err")" -eq 1 ] || wrong "both, $error: $(cat "$dir/err")"
done

"$refuse" perf=EPERM ptrace=EPERM "$flametop" doctor >"$dir/out" ||
	true
grep -q '^-- *perf events, user' "$dir/out" || wrong "doctor: perf is good"
grep -q '^-- *ptrace' "$dir/out" || wrong "doctor: ptrace is good"
grep -q 'cap-add PERFMON' "$dir/out" || wrong "doctor names no knob"

grep -q '^State:	[TtZ]' /proc/$target/status && wrong "the target is stopped"
[ $failed -eq 0 ] || exit 1
echo "refusals: the other sampler, or the knob to turn"
