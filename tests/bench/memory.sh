#!/bin/sh
# Memory of one session that follows ten programs in turn: proportional and
# resident MiB of the app, the symbols process and the supervisor after each.
# BUILD is $1; each program runs for $2 seconds (4). By hand and in make bench.
build=$1
seconds=${2:-4}
dir=$(mktemp -d)
socket=flametop-memory-$$
t() { tmux -L $socket "$@"; }
trap 't kill-server 2>/dev/null; rm -rf "$dir"' EXIT
command -v tmux >/dev/null || { echo "memory: tmux is not here"; exit 0; }

cat >"$dir/Spin.java" <<'END'
import java.util.*;
public class Spin {
	public static void main(String[] args) {
		for (long n = 0; ; n++) {
			Map<String, Long> map = new TreeMap<>();
			for (long i = 0; i < 20000; i++)
				map.merge("key" + (i * 31 + n) % 5000, i, Long::sum);
			if (map.size() != 5000)
				return;
		}
	}
}
END
cat >"$dir/spin.js" <<'END'
const fs = [];
for (let i = 0; i < 2000; i++)
	fs.push(new Function('n', `let s = ${i};
		for (let i = 0; i < n; i++) s += i % 7; return s;`));
for (;;) for (const f of fs) f(3000);
END
cat >"$dir/spin.cc" <<'END'
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <regex>
#include <string>
int main() { std::regex r("a(b|c)*d"); std::map<std::string, int> m;
	std::cout << std::regex_match("abcd", r) << m.size(); }
END
cat >"$dir/spin.ml" <<'END'
let rec fib n = if n < 2 then 1 else fib (n - 1) + fib (n - 2)
let () = while true do ignore (List.sort compare (List.init 2000 (fun i -> (i * 7919) mod 2003))); ignore (fib 20) done
END
cat >"$dir/redis" <<'END'
redis-server --port 7397 --bind 127.0.0.1 --save '' >/dev/null & server=$!
sleep 0.3
redis-benchmark -p 7397 -q -l -c 20 -t set,get >/dev/null & load=$!
trap 'kill $server $load' TERM
wait
END
cat >"$dir/gocode" <<'END'
export GOCACHE=$PWD/gocache
while :; do go build -a strconv regexp text/template; done
END

# What one session follows, one after the other; each file "N.name" that comes
# up is the end of a program.
cat >"$dir/all" <<END
cd $dir
n=0
end_of() { n=\$((n + 1)); sleep 1.5; : >"\$(printf %02d \$n).\$1"; sleep 1.5; }
each() { command -v \$2 >/dev/null || return
	name=\$1; shift; timeout $seconds "\$@" >/dev/null 2>&1; end_of \$name; }
each node node --perf-basic-prof spin.js
each java java Spin.java
each python /usr/bin/python3 -c 'import json
while True: json.loads(json.dumps(sorted(range(3000), key=lambda x: x ^ 5)))'
each redis sh redis
each initdb setpriv --reuid=postgres --regid=postgres --clear-groups \
	sh -c 'while :; do d=\$(mktemp -d); $(ls /usr/lib/postgresql/*/bin/initdb \
	2>/dev/null | tail -1) -D \$d/pg; rm -rf \$d; done'
each go sh gocode
each ocaml ocaml spin.ml
each g++ sh -c 'while :; do g++ -O2 -c -o /dev/null spin.cc; done'
each perl perl -e 'while (1) { my %h; \$h{\$_ % 997} .= "x\$_" for 1..30000;
	join ",", sort keys %h }'
each clang sh -c 'while :; do clang++ -O2 -c -o /dev/null spin.cc; done'
sleep 600
END

# "PSS/RSS" of a process in MiB; without the right to see the first, RSS.
size_of() {
	cat "/proc/$1/smaps_rollup" "/proc/$1/status" 2>/dev/null | awk '
		/^Pss:/ { pss = $2 } /^VmRSS:/ { rss = $2 }
		END { printf "%5.1f/%.1f", pss / 1024, rss / 1024 }'
}

say() {
	supervisor=$(t list-panes -F '#{pane_pid}')
	app= symbols=
	for child in $(pgrep -P "$supervisor"); do
		case $(cat "/proc/$child/comm") in
		flametop-symbol) symbols=$child ;;
		flametop) app=$child ;;
		esac
	done
	printf 'memory %-8s PSS/RSS MiB: app %s, symbols %s, supervisor %s\n' \
		"$1" "$(size_of "$app")" "$(size_of "$symbols")" \
		"$(size_of "$supervisor")"
}

chmod -R a+rX "$dir"
t -f /dev/null new-session -d -x 120 -y 40 \
	"exec $build/flametop --color 256 --follow -- sh $dir/all"
sleep 1.5
say start
seen=0
until [ $seen -ge 10 ]; do
	sleep 0.1
	t has-session 2>/dev/null || { echo "memory: the session ended"; exit 1; }
	for mark in "$dir"/[0-9][0-9].*; do
		[ -e "$mark" ] || continue
		say "${mark##*/??.}"
		rm "$mark"
		seen=$((seen + 1))
	done
done
t capture-pane -p >"$dir/screen"
[ -z "$SHOW" ] || cat "$dir/screen"
t send-keys q
sleep 0.3
