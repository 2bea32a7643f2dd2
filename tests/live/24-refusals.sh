#!/bin/sh
# Users without rights: which way is left, what is said to be missing, which
# knob is named, and the exit status; and whether doctor tells the same. The
# sysctls are files of this test's own, mounted over the real ones in a mount
# namespace of its own; what they would do, a filter of system calls does.
# BUILD is $1.
# Beside others.
build=$1
dir=$(mktemp -d)
targets=
trap 'kill $targets 2>/dev/null; rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM
failed=0

skip() {
	echo "$*"
	exit 77
}

[ "$(id -u)" = 0 ] || skip "not root: cannot become somebody else"
for tool in setpriv unshare mount; do
	command -v $tool >/dev/null || skip "no $tool"
done
unshare -m mount --bind "$dir" /proc/sys/kernel 2>/dev/null ||
	skip "no mount namespaces"
"$build/targets/refuse" perf=EPERM true || skip "no system call filters"

# Where everybody may come: this folder may lie in root's home.
chmod 755 "$dir"
cp "$build/flametop" "$build/targets/refuse" "$build/targets/shares" "$dir"
cp "$build/targets/shares" "$dir/hidden"	# none but root may read it,
chmod 711 "$dir/hidden"				# so it cannot be looked into
cp -p "$dir/hidden" "$dir/covered"

nobody="setpriv --reuid 65534 --regid 65534 --clear-groups env HOME=$dir"

# with CAPABILITY[,...] COMMAND...
with() {
	capabilities=$1
	shift
	setpriv --reuid 65534 --regid 65534 --clear-groups \
		--inh-caps "$capabilities" --ambient-caps "$capabilities" \
		env HOME="$dir" "$@"
}

# knobs PARANOID YAMA COMMAND...
knobs() {
	knobs=$dir/kernel-$1-$2
	mkdir -p "$knobs/yama"
	echo "$1" >"$knobs/perf_event_paranoid"
	echo "$2" >"$knobs/yama/ptrace_scope"
	echo 0 >"$knobs/kptr_restrict"
	echo 516 >"$knobs/perf_event_mlock_kb"
	shift 2
	unshare -m sh -c 'mount --bind "$0" /proc/sys/kernel && exec "$@"' \
		"$knobs" "$@"
}

wrong() {
	echo "refusals: $*"
	grep -v '^#' "$dir/out" | head -20 | sed 's/^/    /'
	sed 's/^/    /' "$dir/err"
	failed=1
}

# ends STATUS COMMAND...; then said and printed look at what it wrote.
ends() {
	wanted=$1
	shift
	what=$*
	"$@" >"$dir/out" 2>"$dir/err" </dev/null
	got=$?
	[ $got -eq "$wanted" ] || wrong "$what: status $got, not $wanted"
}
said() {
	for words in "$@"; do
		grep -q -e "$words" "$dir/err" || wrong "$what: not: $words"
	done
}
printed() {
	for words in "$@"; do
		grep -q -e "$words" "$dir/out" || wrong "$what: not: $words"
	done
}

$nobody "$dir/shares" 2 280 >/dev/null &
own=$!
"$dir/shares" 2 280 >/dev/null &
root=$!
$nobody "$dir/hidden" 2 280 >/dev/null &
hidden=$!
"$dir/hidden" 2 280 >/dev/null &
shut=$!
"$dir/covered" 2 280 >/dev/null &
covered=$!
targets="$own $root $hidden $shut $covered"
report="$dir/flametop report -d 0.4"
doctor="$dir/flametop doctor"
refuse=$dir/refuse
sleep 0.3

# perf_event_paranoid as Debian sets it: the other sampler, and why.
ends 0 knobs 3 0 $nobody "$refuse" perf=EACCES $report $own
said 'ptrace: perf_event_paranoid is 3' "sudo flametop $own" \
	'sysctl kernel.perf_event_paranoid=1'
printed '^# .*, ptrace at'
ends 0 knobs 3 0 $nobody "$refuse" perf=EACCES $doctor $own
printed '^-- *perf events, user' '^ok *ptrace' 'perf_event_paranoid is 3' \
	"^flametop $own samples by ptrace"
ends 3 knobs 3 0 $nobody "$refuse" perf=EACCES $report --sampler perf $own
said 'perf_event_paranoid is 3' 'try --sampler ptrace'

# Yama too: both causes.
for scope in 1 2 3; do
	ends 3 knobs 3 $scope $nobody "$refuse" perf=EACCES memory=EPERM \
		$report $own
	said 'perf_event_paranoid is 3' "kernel.yama.ptrace_scope is $scope"
done
ends 3 knobs 3 2 $nobody "$refuse" perf=EACCES memory=EPERM $doctor $own
printed '^-- *ptrace' '^-- *reading its memory' 'ptrace_scope is 2' \
	"^flametop $own cannot sample"
ends 0 knobs 3 1 $nobody "$refuse" perf=EACCES $doctor
printed 'flametop -- COMMAND' 'ptrace_scope is 1' \
	'^flametop -- COMMAND samples by ptrace'

# Another user's process is that, whatever the knobs say.
ends 3 $nobody $report $root
said "process $root belongs to user 0, you are user 65534" \
	"sudo flametop $root"
ends 3 knobs 3 0 $nobody "$refuse" perf=EACCES $report $root
said "process $root belongs to user 0"
grep -q paranoid "$dir/err" && wrong "$what: a knob that does not help"
ends 3 $nobody $report --sampler ptrace $root
ends 3 $nobody $report -p $own,$root
said "process $root belongs to user 0"
ends 3 $nobody $doctor $root
printed '^-- *perf events, user' '^-- *ptrace' '^-- *reading its files' \
	"^flametop $root cannot sample"

# One's own that hides itself.
ends 3 $nobody $report $hidden
said "process $hidden lets nobody look into it" "sudo flametop $hidden"
ends 3 $nobody $doctor $hidden
printed "process $hidden lets nobody look into it"

# A command that hides itself as soon as it runs is not one that does nothing.
ends 0 $nobody $report --sampler perf -- "$dir/hidden" 1 20
said 'no thread is watched'
ends 0 $nobody $report --sampler ptrace -- "$dir/hidden" 1 20
said 'no longer permitted'

# Root without root's rights, as in a container.
ends 3 "$refuse" perf=EACCES memory=EPERM $report $own
said 'CAP_PERFMON' 'CAP_SYS_PTRACE'

# There can be one tracer only.
if command -v strace >/dev/null; then
	strace -f -o "$dir/calls" -p $root 2>/dev/null &
	tracer=$!
	targets="$targets $tracer"
	tries=0
	until grep -q '^TracerPid:	[1-9]' /proc/$root/status ||
		[ $tries -ge 50 ]; do
		sleep 0.1
		tries=$((tries + 1))
	done
	ends 3 $report --sampler ptrace $root
	said "process $root is traced by strace (pid $tracer)" \
		'try --sampler perf'
	ends 0 $doctor $root
	printed '^-- *ptrace' "^flametop $root samples by perf events"
	kill $tracer
	wait $tracer 2>/dev/null
fi

# Single capabilities: what is missing is said.
if with +perfmon true 2>/dev/null; then
	ends 0 with +perfmon $report $root
	said 'CAP_SYS_PTRACE'
	printed 'thirty\|fifty'
	ends 0 with +perfmon $report $shut
	said "cannot read $dir/hidden: Permission denied"
	printed 'hidden+0x'
	# None of several troubles hides another.
	ends 0 with +perfmon $report -d 2 -p $shut,$covered
	said "cannot read $dir/hidden: Permission denied" \
		"cannot read $dir/covered: Permission denied"
	ends 0 with +perfmon $doctor $shut
	printed '^ok *perf events, kernel' '^-- *ptrace' \
		'^-- *reading its files' "cannot read $dir/hidden" \
		'some of its functions without names, large stacks are cut'
	ends 0 with +sys_ptrace $report --sampler ptrace $root
	printed ' work'
	ends 0 with +perfmon,+sys_ptrace,+syslog $doctor $root
	printed '^ok *names of kernel functions' \
		"^flametop $root samples by perf events\$"
fi

# And what is no question of rights.
ends 4 $report 4194304
ends 4 $doctor 2
said 'is a kernel thread'
ends 2 $doctor -n flametop
ends 1 $dir/flametop record -o "$dir/nothing/x" $own
said "$dir/nothing"
ends 1 $dir/flametop record -f -o /dev/null $own
said 'is a device'
[ -c /dev/null ] || wrong "/dev/null is gone"

for pid in $own $root $hidden $shut $covered; do
	grep -q '^State:	[TtZ]' /proc/$pid/status && wrong "$pid is stopped"
done
[ $failed -eq 0 ] || exit 1
echo "refusals: each says what, why and the next command"
