#!/bin/sh
# run-screens.sh BUILD [--update] [NAME ...] - keys against the whole screen.
#
# Each tests/screens/NAME.test is played in a tmux of its own socket. Words at
# the beginning of a line:
#
#	term lang size	TERM, LANG and WxH to start with. By default TERM is
#			screen-256color: what tmux clears with a colour (bce) it
#			does not capture as coloured.
#	set NAME=VALUE	one more variable of the environment; @ is this folder
#	new-user	one who has never run it
#	run ARG ...	what flametop gets; starts it (in tests/screens)
#	shell		starts an interactive shell instead
#	keys KEY ...	as tmux names them (Down Enter Escape C-l) or letters
#	type TEXT	TEXT as it is
#	hex XX ...	bytes
#	paste N		N letters at once
#	resize WxH ...	one after the other, quickly
#	pause		let what was sent be taken (before and after Escape)
#	like NAME	the steps of NAME.test, on a screen of the size given above
#			and with what is expected here
#	expect		the screen as tests/screens/grid.pl tells it; its lines
#			begin with a bar, the last says what the terminal is in
#
# A screen is awaited, so no time is asserted but a bound of ten seconds.
# --update writes what is seen into the files; look at the difference.
cd "$(dirname "$0")/.." || exit 1
build=$1
shift
update=
[ "$1" = --update ] && { update=1; shift; }
flametop=$(realpath "$build/flametop")
[ -x "$flametop" ] || { echo "screens: no $build/flametop"; exit 1; }
command -v tmux >/dev/null || { echo "screens: skipped, no tmux"; exit 0; }

socket=flametop-test-$$
work=$(mktemp -d)
trap 'tmux -L $socket kill-server 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP

tm() {
	tmux -u -L "$socket" "$@"
}

# Each test is a user of its own, who has been here before.
state_of() {
	mkdir -p "$work/state/$1/flametop"
	touch "$work/state/$1/flametop/greeted"
	echo "XDG_STATE_HOME=$work/state/$1"
}

cat >"$work/tmux.conf" <<-'END'
	set -g status off
	set -s escape-time 0
	set -s exit-empty off
	set -g remain-on-exit on
END

# Runs inside; tells what is left when flametop has gone.
cat >"$work/inside" <<-'END'
	before=$(stty -g)
	"$@"
	status=$?
	[ "$(stty -g)" = "$before" ] && same="as before" || same=changed
	printf '\r\nexit %d, terminal %s\r\n' $status "$same"
	exec sleep 1000
END

# PROGRAM ARG ...
start() {
	tm -f "$work/tmux.conf" new-session -d -s "$name" -x "${size%x*}" \
		-y "${size#*x}" -c "$PWD/tests/screens" \
		env -i PATH="$(dirname "$flametop"):$PATH" HOME="$work" \
		TERM="$term" LANG="$lang" $set "$@"
	tm resize-window -t "$name" -x "${size%x*}" -y "${size#*x}"
	# What is typed before anything is shown may go to the shell.
	for try in $(seq 100); do
		tm capture-pane -t "$name" -p | head -1 | grep -q . && break
		sleep 0.05
	done
}

# The screen now. An empty one is no screen yet.
capture() {
	tm capture-pane -t "$name" -e -p -N | tests/screens/grid.pl
	tm display-message -p -t "$name" \
		'|-- #{?alternate_on,alternate,main} screen, cursor #{?cursor_flag,on,off}'
}

# Into $work/got: what was wanted, or what is there after ten seconds.
await() {
	for try in 1 2 3 4 5 6 7 8 9 10 $(seq 100); do
		capture >"$work/got"
		cmp -s "$work/got" "$work/want" && return 0
		sleep 0.05
	done
	return 1
}

# For --update: what stays the same for longer than views hold still.
settle() {
	same=0
	capture >"$work/got"
	while [ $same -lt 12 ]; do
		sleep 0.1
		capture >"$work/again"
		same=$((same + 1))
		cmp -s "$work/got" "$work/again" || same=0
		mv "$work/again" "$work/got"
	done
}

compare() {
	if [ $update ]; then
		settle
		cat "$work/got" >>"$work/new"
	elif ! await; then
		echo "screens: $name, line $number:"
		diff -u "$work/want" "$work/got" | tail -n +3
		ok=
	fi
}

resize() {
	for to in "$@"; do
		tm resize-window -t "$name" -x "${to%x*}" -y "${to#*x}"
	done
}

step() {
	word=$1 rest=$2
	case $word in
	''|'#'*)	;;
	term)		term=$rest ;;
	lang)		lang=$rest ;;
	size)		size=$rest ;;
	set)		set="$set $(echo "$rest" | sed "s|@|$PWD/tests/screens|")" ;;
	new-user)	set="$set XDG_STATE_HOME=$work/new-$name" ;;
	run)		start sh "$work/inside" "$flametop" $rest ;;
	shell)		start PS1='$ ' bash --norc --noprofile -i ;;
	keys)		set -f		# the key "*" is no pattern of files
			tm send-keys -t "$name" -- $rest
			set +f ;;
	type)		tm send-keys -t "$name" -l -- "$rest" ;;
	hex)		tm send-keys -t "$name" -H $rest ;;
	paste)		head -c "$rest" /dev/zero | tr '\0' x |
				tm load-buffer -
			tm paste-buffer -t "$name" ;;
	resize)		resize $rest ;;
	pause)		sleep 0.2 ;;
	*)		echo "$file: what is \"$word\"?"; ok= ;;
	esac
}

# The steps of the test that $file is like, but its size, with the screens of
# $file.
with_steps_of() {
	awk -v base="$1" '
		FNR == NR {
			if (/^expect$/) n++
			else if (/^\|/) grid[n] = grid[n] $0 "\n"
			else if (/^size/) print
			next
		}
		/^size/ || /^\|/ { next }
		{ print }
		/^expect$/ { printf "%s", grid[++k] }
	' "$file" "$1"
}

# What was seen, below the head of $file.
with_screens_of() {
	sed '/^like/q' "$file"
	sed -n '/^expect$/p; /^|/p' "$1"
}

# Lines that begin with a bar belong to the expect before them.
play() {
	name=$(basename "$file" .test)
	steps=$file
	base=$(sed -n 's/^like[ 	]*//p' "$file")
	if [ "$base" ]; then
		steps=$work/steps
		with_steps_of "tests/screens/$base.test" >"$steps"
	fi
	term=screen-256color lang=C.UTF-8 size=80x24 set=$(state_of "$name")
	number=0 expecting= ok=1
	: >"$work/new"
	while IFS= read -r line; do
		number=$((number + 1))
		case $line in
		'|'*)
			printf '%s\n' "$line" >>"$work/want"
			continue
		esac
		[ $expecting ] && compare
		expecting=
		printf '%s\n' "$line" >>"$work/new"
		if [ "$line" = expect ]; then
			expecting=1
			: >"$work/want"
		else
			word=${line%%[ 	]*}
			step "$word" "$(echo "${line#"$word"}" | sed 's/^[ 	]*//')"
		fi
	done <"$steps"
	[ $expecting ] && compare
	tm kill-session -t "$name"
	if [ $update ] && [ "$base" ]; then
		with_screens_of "$work/new" >"$work/seen"
		cp "$work/seen" "$file"
	elif [ $update ]; then
		cp "$work/new" "$file"
	fi
	[ $ok ]
}

# All of them: every second one, and the others at the same time.
if [ $# -eq 0 ] && [ -z "$update" ]; then
	names=$(cd tests/screens && ls ./*.test | sed 's/^..//')
	tests/run-screens.sh "$build" $(echo "$names" | sed -n 'p;n') \
		>"$work/half" 2>&1 &
	half=$!
	tests/run-screens.sh "$build" $(echo "$names" | sed -n 'n;p')
	status=$?
	wait $half || status=1
	cat "$work/half"
	exit $status
fi

passed=0 failed=0
[ $# -gt 0 ] || set -- $(cd tests/screens && ls ./*.test | sed 's/^..//')
for test in "$@"; do
	file=tests/screens/${test%.test}.test
	if play; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED ${test%.test}"
	fi
done
echo "screens: $passed passed, $failed failed"
[ $failed -eq 0 ]
