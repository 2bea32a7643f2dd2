#!/bin/sh
# Tables of unwind rules on their way from the tables process: when it is
# killed, when programs and libraries come and go faster than their tables.
# Beside others.
. tests/live/target.sh
"$build/flametop" doctor >/dev/null || { echo "no right to sample"; exit 77; }

# Value of the header key $1 of the file that record() wrote; 0 without one.
key() { sed -n "s/^# $1=//p" "$folded" | grep . || echo 0; }

# At most $2 per mille of the samples are counted under $1.
at_most() {
	[ "$(($(key "$1") * 1000))" -le "$(($(key samples) * $2))" ] ||
		wrong "$3: $1 is $(key "$1") of $(key samples)"
}

all_whole() {
	[ "$(key samples)" -gt 20 ] || wrong "$1: $(key samples) samples"
	at_most cut 0 "$1"
	at_most guessed 0 "$1"
	at_most rules-late 0 "$1"
}

# The first samples of a short run are as whole as the rest.
start shares 2
record -d 0.5 "$pid"
[ "$(key samples)" -gt 5 ] || wrong "a short run: $(key samples) samples"
at_most cut 0 "a short run"
at_most guessed 0 "a short run"
at_most rules-late 0 "a short run"
end

# What kills the tables process while the first tables are awaited.
start bigframe
record -d 3 "$pid" &
recorder=$!
killed=0
while [ $killed -lt 2 ] && kill -0 $recorder 2>/dev/null; do
	sleep 0.02
	tables=$(pgrep -f "record -q -f --inline off -o $folded" |
		while read -r one; do
		[ "$(cat "/proc/$one/comm" 2>/dev/null)" = flametop-tables ] &&
			echo "$one"; done)
	[ -n "$tables" ] && kill -9 "$tables" && killed=$((killed + 1))
done
wait $recorder
[ $killed -gt 0 ] || wrong "no tables process was seen"
all_whole "tables killed"
expect ';main;.*leaf'
end

# Tables that do not come in time: samples go without them, and that is said.
cat >"$dir/later" <<END
#!/bin/sh
sleep 1
exec "$build/targets/shares" 2
END
chmod 755 "$dir/later"
timeout 60 "$build/flametop" record -f --inline off -d 5 -o "$folded" \
	-- "$dir/later" 2>"$dir/err" &
recorder=$!
stopped=
for try in 1 2 3 4 5 6 7 8 9 10; do
	sleep 0.05
	for one in $(pgrep -P "$(pgrep -P $recorder)"); do
		[ "$(cat "/proc/$one/comm")" = flametop-tables ] && stopped=$one
	done
	[ -n "$stopped" ] && break
done
kill -STOP $stopped || wrong "no tables process to stop"
sleep 4.5
kill -CONT $stopped
wait $recorder || wrong "late tables: $(cat "$dir/err")"
[ "$(key rules-late)" -gt 0 ] || wrong "late tables: none is late"
grep -q "$(key rules-late) samples came before the unwind rules" "$dir/err" ||
	wrong "late tables: $(cat "$dir/err")"

# Programs that become others: each stack is of its own program.
start execloop 12 100000000
record -d 4 "$pid"
[ "$(key samples)" -gt 20 ] || wrong "execs: $(key samples) samples"
expect ';main;even_turn'
expect ';main;odd_turn'
at_most cut 20 "execs"
at_most guessed 20 "execs"
refuse 'even_turn;.*odd_turn|odd_turn;.*even_turn'
end

# Short children, gone before their tables are here.
start children
record -d 3 --follow "$pid"
expect ';main;parent_work'
expect ';main;child_work'
at_most cut 50 "children"
at_most guessed 50 "children"
end

# Libraries by turns at one address: never the other one's rules.
start plugins "$build/targets"
record -d 3 "$pid"
a=$(weight ';use;run;in_a ')
b=$(weight ';use;run;in_b ')
[ "$a" -gt 0 ] && [ "$b" -gt 0 ] && [ "$((a * 2))" -gt "$b" ] &&
	[ "$((b * 2))" -gt "$a" ] || wrong "in_a $a, in_b $b"
all_whole "plugins"
end

# Many libraries, one after the other: each has its table and its names, and
# their reader holds all their files.
mkdir "$dir/many"
for i in 0 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30; do
	cp "$build/targets/plugin_a.so" "$dir/many/$i.so"
	cp "$build/targets/plugin_b.so" "$dir/many/$((i + 1)).so"
done
start opens "$dir/many" 100000000
timeout 60 "$build/flametop" record -f -d 6 -F 499 -o "$folded" "$pid" \
	2>"$dir/err" || wrong "many libraries: $(cat "$dir/err")"
grep -v samples "$dir/err" && wrong "many libraries: see above"
all_whole "many libraries"
expect ';main;use;run;in_a'
expect ';main;use;run;in_b'
end

# With CAP_PERFMON alone nothing of the target may be read but its files; then
# more of its stack is copied.
perfmon() {
	setpriv --reuid 65534 --regid 65534 --clear-groups \
		--inh-caps +perfmon --ambient-caps +perfmon env HOME="$dir" "$@"
}
if [ "$(id -u)" = 0 ] && has setpriv && perfmon true 2>/dev/null; then
	chmod 755 "$dir"
	mkdir -m 777 "$dir/nobody"
	cp "$build/flametop" "$build/targets/shares" "$build/targets/deep" \
		"$dir"
	folded=$dir/nobody/folded
	run "$dir/shares" 2
	perfmon "$dir/flametop" record -q -f --inline off -d 2 \
		-o "$folded" "$pid" 2>"$dir/err" || wrong "perfmon: $(cat "$dir/err")"
	all_whole "perfmon"
	expect ';main;work;left;fifty '
	end

	run "$dir/deep" 100
	perfmon "$dir/flametop" record -q -f --inline off -d 6 -F 499 \
		-o "$folded" "$pid" 2>"$dir/err" || wrong "perfmon, deep: $(cat "$dir/err")"
	expect '_start;.*;main;deep;.*;bottom'
	expect '\[cut\];deep;.*;bottom'
	[ "$(key lost)" -eq 0 ] || wrong "perfmon, deep: $(key lost) lost"
	end
fi

finish
