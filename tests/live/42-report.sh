#!/bin/sh
# A report of a file: what it is, hot functions and paths, who calls them; the
# same figures as JSON, the same bytes each time. BUILD is $1.
# Beside others.
build=$1
flametop=$build/flametop
file=tests/screens/server.folded
dir=$(mktemp -d)
writer=
trap 'kill $writer 2>/dev/null; rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM
failed=0

wrong() {
	echo "report: $*"
	failed=1
}

# has TEXT: such a line is there.
has() {
	grep -qxF -e "$1" "$dir/out" || {
		wrong "no line is: $1"
		cat "$dir/out"
	}
}

"$flametop" report $file >"$dir/out" || wrong "exit status $?"
has '# server, process 4242, on box.example'
has '# lost 3  cut 12  unnamed 32'
has '1,000 samples'
has '   19.0 %    19.0 %          190  tcp_sendmsg'
has '    0.0 %    81.5 %          815  main'
has '   19.0 %  main > serve > reply > write > sys_write > tcp_sendmsg'
has '              11.0 %  from format'
# mark calls itself: who calls it is another.
has '               9.0 %  from gc_run'

# What is no profile is one with nothing in it no more than any other file.
printf '# flametop: v1\nmain;f x\n' >"$dir/odd.folded"
"$flametop" report "$dir/odd.folded" >"$dir/out" 2>"$dir/err"
[ $? = 1 ] || wrong 'a file without a line that is understood is no failure'
grep -q 'the first is line 2' "$dir/err" || wrong "$(cat "$dir/err")"
printf '# flametop: v1\na;b 0\n' >"$dir/zero.folded"
"$flametop" report "$dir/zero.folded" >"$dir/out" || wrong "exit status $?"
has 'Nothing in it has a count.'

# Sums that are larger than a file can have are told.
printf '# flametop: v1\na;b 9000000000000000000\n' >"$dir/huge.folded"
"$flametop" merge "$dir/huge.folded" "$dir/huge.folded" "$dir/huge.folded" \
	-o "$dir/sum.folded" 2>"$dir/err" || wrong "merge: $(cat "$dir/err")"
grep -q '64 bits' "$dir/err" || wrong "a sum that is too large: $(cat "$dir/err")"

# One signal ends it where standard input is open and nothing comes.
mkfifo "$dir/input"
sleep 60 >"$dir/input" &
writer=$!
timeout --foreground -s INT -k 5 1 "$flametop" report - <"$dir/input" \
	2>"$dir/said"
status=$?
kill $writer
writer=
[ $status -eq 124 ] || wrong "does not end by a signal: status $status"
grep -q 'standard input' "$dir/said" ||
	wrong "a signal, and it says: $(cat "$dir/said")"

"$flametop" report --json $file >"$dir/json" || wrong "--json: exit status $?"
"$flametop" report --json $file | cmp - "$dir/json" ||
	wrong "--json: not the same twice"
"$flametop" report --json $file 2>"$dir/said" >/dev/full &&
	wrong "--json on a full disk: exit status 0"
[ "$(cat "$dir/said")" = "flametop: cannot write to standard output: No space \
left on device" ] || wrong "--json on a full disk: $(cat "$dir/said")"
command -v python3 >/dev/null && python3 - "$dir/json" $file <<'E2' || failed=1
import collections
import json
import sys

report = json.load(open(sys.argv[1]))
paths, own, whole = collections.Counter(), collections.Counter(), collections.Counter()
for line in open(sys.argv[2], encoding="utf-8"):
    if line.startswith("#"):
        continue
    stack, count = line.rsplit(" ", 1)
    frames = [f[:-4] if f[-4:] in ("_[k]", "_[j]", "_[i]") else f
              for f in stack.split(";")[1:]]
    paths[tuple(frames)] += int(count)
    own[frames[-1]] += int(count)
    for name in set(frames):
        whole[name] += int(count)
wanted = [("total", sum(own.values()), report["total"])]
for row in report["functions"]:
    wanted.append((row["name"] + ", self", own[row["name"]], row["self"]))
    wanted.append((row["name"] + ", total", whole[row["name"]], row["total"]))
for path in report["paths"]:
    wanted.append((path["stack"], paths[tuple(path["stack"])], path["self"]))
wanted.append(("functions", len(whole), len(report["functions"])))
bad = [w for w in wanted if w[1] != w[2]]
for what, should, got in bad:
    print("report: --json: %s is %s, not %s" % (what, got, should))
sys.exit(bool(bad))
E2
[ $failed -eq 0 ] && echo "report: text and JSON say what the file does"
exit $failed
