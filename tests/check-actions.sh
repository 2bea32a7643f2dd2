#!/bin/sh
# Every action of tui/action.h is pressed in a scripted screen test that is
# played at two sizes: NAME.test, and one that says "like NAME".
cd "$(dirname "$0")/.." || exit 1

actions=$(sed -n 's/^	_([A-Z_]*,[ 	]*"\([a-z-]*\)".*/\1/p' tui/action.h)
[ "$actions" ] || { echo "tui/action.h: no actions found"; exit 1; }

# Keys of all tests that are played twice, one a line, as tmux names them;
# what is typed after ":" is the word of an action.
pressed=$(for name in $(sed -n 's/^like[ 	]*//p' tests/screens/*.test); do
	sed -n 's/^keys[ 	]*//p; s/^type[ 	]*//p' "tests/screens/$name.test"
done | tr ' ' '\n' | sort -u)

in_tmux() {
	sed 's/^\^\(.\)$/C-\1/; y/ABCDEFGHIJKLMNOPQRSTUVWXYZ/abcdefghijklmnopqrstuvwxyz/' |
		sed 's/^esc$/escape/; s/^backspace$/bspace/; s/^s-tab$/btab/
		     s/^delete$/dc/; s/^pageup$/ppage/; s/^pagedown$/npage/'
}

set -f	# keys are no patterns of files
is_pressed() {
	for key in $(awk -v action="$1" '$2 == action { print $1 }' \
			tui/default.keys); do
		case $key in
		?)	wanted=$key flag= ;;
		*)	wanted=$(echo "$key" | in_tmux) flag=-i ;;
		esac
		echo "$pressed" | grep -qxF $flag -e "$wanted" && return 0
	done
	echo "$pressed" | grep -qxF -e "$1"
}

status=0
for action in $actions; do
	is_pressed "$action" && continue
	echo "tests/screens: no test at two sizes presses \"$action\""
	status=1
done
exit $status
