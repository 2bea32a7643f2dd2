#!/bin/sh
# Real programs under load: for each one named leaf, one caller chain and the
# root must be in the profile. BUILD is $1; with --table as $2 a table follows
# of whole stacks and unnamed frames, by perf_event, by ptrace and, beside
# them, by perf(1).
# Beside others.
build=$1
table=$2
flametop=$build/flametop
dir=$(mktemp -d)
pids=
failed=0 checked=0

stop_all() {
	for pid in $pids; do kill "$pid" 2>/dev/null; done
	[ -d "$dir/pg" ] && as_postgres "$pg/pg_ctl" -D "$dir/pg" -m immediate \
		stop >/dev/null 2>&1
	wait 2>/dev/null
	rm -rf "$dir"
}
trap stop_all EXIT
trap 'exit 1' INT TERM

keep() { pids="$pids $!"; }
has() { command -v "$1" >/dev/null 2>&1; }
as_postgres() { (cd / && setpriv --reuid=postgres --regid=postgres \
	--clear-groups "$@"); }

# The outermost frame that makes a stack whole, after the thread's name.
roots='_start|__libc_start_main|clone3?|__clone3?|start_thread|runtime\.(goexit|mcall|rt0_go|mstart|morestack)[^;]*|ret_from_fork[^;]*'

# Share of samples of the folded file $1 whose root is known, and of frames
# without a name: "samples whole% unnamed%".
shares() {
	awk -v roots="^($roots)(\\.abi0)?(_\\[.\\])?$" '
	!/^#/ {
		n = $NF; line = $0; sub(/ [0-9]+$/, "", line)
		depth = split(line, frame, ";")
		total += n
		if (frame[2] ~ roots || frame[2] ~ /_\[k\]$/) whole += n
		for (i = 2; i <= depth; i++) {
			frames += n
			if (frame[i] ~ /\+0x[0-9a-f]+(_\[.\])?$/) bare += n
		}
	}
	END {
		printf "%d %.1f %.1f", total, total ? 100 * whole / total : 0,
			frames ? 100 * bare / frames : 0
	}' "$1"
}

# The same of perf script output on standard input.
perf_shares() {
	awk -v roots="^($roots)$" '
	function finish() {
		if (!depth) return
		total++
		if (name ~ roots || kernel_only) whole++
		depth = 0
	}
	/^[^ \t]/ { finish(); kernel_only = 1; next }
	/^[ \t]+[0-9a-f]+ / {
		name = $2; sub(/\+0x.*/, "", name); depth++; frames++
		if (name == "[unknown]") bare++
		if ($1 !~ /^ffff/) kernel_only = 0
	}
	END {
		finish()
		printf "%d %.1f %.1f", total, total ? 100 * whole / total : 0,
			frames ? 100 * bare / frames : 0
	}'
}

# check NAME PID LEAF CHAIN ROOT: LEAF ends some stack, CHAIN (caller;callee)
# is inside one, ROOT begins one (after the thread's name).
check() {
	name=$1 pid=$2 leaf=$3 chain=$4 root=$5
	out=$dir/$name.folded
	if ! "$flametop" record -q --sampler perf -F 499 -d 3 -o "$out" \
		-p "$pid" 2>"$dir/err"; then
		echo "$name: record failed: $(cat "$dir/err")"
		failed=$((failed + 1)); return
	fi
	for want in "leaf ;($leaf)(_\\[.\\])? [0-9]+\$" "chain ;$chain(;| )" \
		"root ^[^;#]*;($root)(;| )"; do
		what=${want%% *} pattern=${want#* }
		checked=$((checked + 1))
		grep -qE "$pattern" "$out" && continue
		echo "$name: no $what matches $pattern; the biggest stacks:"
		sort -t' ' -k2 "$out" | awk '!/^#/ { print $NF, $0 }' |
			sort -rn | head -5 | cut -c1-300
		failed=$((failed + 1))
	done
	[ -n "$table" ] && row "$name" "$pid" "$out"
}

row() {
	by_perf=$(shares "$3")
	"$flametop" record -q --sampler ptrace -F 99 -d 5 -o "$dir/p.folded" \
		-p "$2" 2>/dev/null && by_ptrace=$(shares "$dir/p.folded")
	perf record -q -F 499 --call-graph dwarf,16384 -p "$2" \
		-o "$dir/perf.data" -- sleep 2 >/dev/null 2>&1
	beside=$(perf script -i "$dir/perf.data" 2>/dev/null | perf_shares)
	rm -f "$dir/p.folded" "$dir/perf.data"
	printf 'ROW %-10s | %-18s | %-18s | %s\n' "$1" "$by_perf" \
		"${by_ptrace:-none}" "$beside"
}

missing() { echo "skipped part: $1 is not installed"; }

redis() {
	has redis-server && has redis-benchmark || { missing redis; return; }
	redis-server --port 7399 --bind 127.0.0.1 --save '' --daemonize no \
		--dir "$dir" >/dev/null 2>&1 & keep; pid=$!
	sleep 0.5
	redis-benchmark -p 7399 -q -l -c 20 -t set,get,lrange \
		>/dev/null 2>&1 & keep
	sleep 1
	check redis $pid '[a-zA-Z_].*' 'main;aeMain' _start
}

nginx_() {
	has nginx && has wrk || { missing 'nginx or wrk'; return; }
	mkdir -p "$dir/www"; head -c 2000 /dev/zero | tr '\0' x >"$dir/www/index.html"
	chmod -R a+rX "$dir"
	cat >"$dir/nginx.conf" <<-END
	daemon off; worker_processes 1; error_log /dev/null;
	pid $dir/nginx.pid;
	events { worker_connections 512; }
	http { access_log off; client_body_temp_path $dir; proxy_temp_path $dir;
	fastcgi_temp_path $dir; uwsgi_temp_path $dir; scgi_temp_path $dir;
	server { listen 127.0.0.1:8399; root $dir/www; } }
	END
	nginx -c "$dir/nginx.conf" >/dev/null 2>&1 & keep; master=$!
	sleep 0.7
	worker=$(pgrep -P $master | head -1)
	wrk -t1 -c16 -d600 http://127.0.0.1:8399/ >/dev/null 2>&1 & keep
	sleep 1
	check nginx "$worker" '[a-zA-Z_].*' \
		'main;ngx_master_process_cycle;.*ngx_process_events_and_timers' _start
}

postgres_() {
	pg=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -1)
	[ -x "$pg/initdb" ] && has pgbench || { missing postgres; return; }
	mkdir "$dir/pg" && chmod a+x "$dir" && chown postgres "$dir/pg"
	as_postgres "$pg/initdb" -D "$dir/pg" -A trust >/dev/null 2>&1
	as_postgres "$pg/pg_ctl" -D "$dir/pg" -w -o \
		"-p 5499 -c listen_addresses= -k $dir/pg -c fsync=off" \
		-l "$dir/pg/log" start >/dev/null 2>&1
	pgbench -h "$dir/pg" -p 5499 -U postgres -i -q postgres >/dev/null 2>&1
	pgbench -h "$dir/pg" -p 5499 -U postgres -S -c 1 -T 600 postgres \
		>/dev/null 2>&1 & keep
	sleep 1
	backend=$(pgrep -f 'postgres: postgres postgres \[local\]' | head -1)
	check postgres "$backend" '[a-zA-Z_].*' \
		'PostgresMain;[^; ]*' _start
}

python() {
	[ -x /usr/bin/python3 ] || { missing python3; return; }
	/usr/bin/python3 -c '
def leaf(n):
    return sorted(range(n, 0, -1), key=lambda x: x ^ 5)
while True:
    leaf(300)' & keep
	pid=$!; sleep 0.5
	check python $pid '[a-zA-Z_].*' \
		'Py_RunMain;.*_PyEval_EvalFrameDefault.*' _start
}

node_() {
	has node || { missing node; return; }
	cat >"$dir/spin.js" <<-'END'
	function inner(n) { let s = 0; for (let i = 0; i < n; i++) s += i % 7; return s; }
	function outer(n) { let s = 0; for (let i = 0; i < 50; i++) s += inner(n + i); return s; }
	function top() { for (;;) outer(20000); }
	top();
	END
	# It leaves a log where it stands.
	(cd "$dir" && exec node --perf-basic-prof --no-turbo-inlining spin.js) &
	keep; pid=$!
	sleep 1.5
	check node $pid '[^;]*inner[^;]*' '[^;]*outer[^;]*;[^;]*inner[^;]*' _start
	rm -f "/tmp/perf-$pid.map"
}

java_() {
	has java && has javac || { missing java; return; }
	cat >"$dir/Spin.java" <<-'END'
	public class Spin {
	  static long inner(long n) { long s = 0; for (long i = 0; i < n; i++) s += i % 7; return s; }
	  static long outer(long n) { long s = 0; for (int i = 0; i < 50; i++) s += inner(n + i); return s + 1; }
	  public static void main(String[] a) { long s = 0; for (;;) s += outer(20000); }
	}
	END
	(cd "$dir" && javac Spin.java) || { missing javac; return; }
	java -XX:+PreserveFramePointer -XX:CompileCommand=dontinline,Spin.inner \
		-cp "$dir" Spin >/dev/null 2>&1 & keep; pid=$!
	sleep 2.5
	jcmd $pid Compiler.perfmap >/dev/null 2>&1
	check java $pid '[^;]*Spin\.inner[^;]*' \
		'[^;]*Spin\.(main|outer)[^;]*;[^;]*Spin\.(outer|inner)[^;]*' \
		'_start|clone3?|__clone3?|start_thread'
	rm -f "/tmp/perf-$pid.map"
}

go_() {
	has go || { missing go; return; }
	cat >"$dir/spin.go" <<-'END'
	package main
	//go:noinline
	func inner(n int) int { s := 0; for i := 0; i < n; i++ { s += i % 7 }; return s }
	//go:noinline
	func outer(n int) int { s := 0; for i := 0; i < 50; i++ { s += inner(n + i) }; return s }
	func main() { for { outer(20000) } }
	END
	(cd "$dir" && GO111MODULE=off GOCACHE="$dir/gocache" go build -o spin-go spin.go) || {
		missing 'a working go'; return; }
	"$dir/spin-go" & keep; pid=$!
	sleep 0.5
	check go $pid 'main\.inner' 'main\.outer;main\.inner' 'runtime\.goexit.*'
}

rust() {
	has rustc || { missing rustc; return; }
	cat >"$dir/spin.rs" <<-'END'
	#[inline(never)] fn inner(n: u64) -> u64 { (0..n).fold(0, |s, i| s.wrapping_add(std::hint::black_box(i) % 7)) }
	#[inline(never)] fn outer(n: u64) -> u64 { (0..50).map(|i| inner(n + i)).sum::<u64>() + 1 }
	fn main() { loop { std::hint::black_box(outer(20000)); } }
	END
	rustc -O -C debuginfo=1 -o "$dir/spin-rs" "$dir/spin.rs" 2>/dev/null ||
		{ missing 'a working rustc'; return; }
	"$dir/spin-rs" & keep; pid=$!
	sleep 0.3
	# What it has inlined into inner() may be the leaf in every sample.
	check rust $pid 'spin::inner(;[^;]*_\[i\])*' \
		'[^;]*spin::outer[^;]*;.*spin::inner' _start
}

for program in redis nginx_ postgres_ python node_ java_ go_ rust; do
	before=$pids
	$program
	for pid in $pids; do
		case " $before " in *" $pid "*) ;; *) kill "$pid" 2>/dev/null ;; esac
	done
	wait 2>/dev/null
done
[ $checked -gt 0 ] || { echo "no program to look at is installed"; exit 77; }
echo "$checked checks, $failed failed"
[ $failed -eq 0 ]
