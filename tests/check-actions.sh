#!/bin/sh
# Every action of tui/action.h is carried out, and the screen looked at
# afterwards, in a scripted test that is played at two sizes: NAME.test, and
# one of another size that says "like NAME".
cd "$(dirname "$0")/.." || exit 1

actions=$(sed -n 's/^	_([A-Z_]*,[ 	]*"\([a-z-]*\)".*/\1/p' tui/action.h)
[ "$actions" ] || { echo "tui/action.h: no actions found"; exit 1; }

# What FILE presses, one a line: "key C-r", or "word undo" where that is typed
# after ":" or chosen from the menu. A letter in a prompt is no key. What
# nothing is expected of is left out.
pressed_in() {
	awk '
		function press(key) {
			if (!typing) {
				held = held "key " key "\n"
				if (index(" / \\ : S O C-s t . & ", " " key " "))
					typing = key
				else if (key == "q" && shell)
					typing = key
				text = ""
			} else if (key == "Enter") {
				if (typing == ":" || typing == ".")
					held = held "word " text "\n"
				typing = ""
			} else if (key == "Escape") {
				typing = ""
			} else {
				text = text (key == "Space" ? " " : key)
			}
		}
		$1 == "shell" { shell = 1; typing = "q" }
		$1 == "keys" { for (i = 2; i <= NF; i++) press($i) }
		$1 == "type" {
			sub(/^type[ \t]*/, "")
			for (i = 1; i <= length($0); i++)
				press(substr($0, i, 1))
		}
		$1 == "expect" { printf "%s", held; held = "" }
	' "$1"
}

# Of the first step, without a test of another size.
size_of() {
	size=$(sed -n 's/^size[ 	]*//p' "$1" | head -1)
	echo "${size:-80x24}"
}

status=0
pressed=
for like in tests/screens/*.test; do
	base=$(sed -n 's/^like[ 	]*//p' "$like")
	[ "$base" ] || continue
	base=tests/screens/$base.test
	if [ "$(size_of "$like")" = "$(size_of "$base")" ]; then
		echo "$like: of the size of $base"
		status=1
	fi
	pressed="$pressed
$(pressed_in "$base")"
done

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
		echo "$pressed" | grep -qxF $flag -e "key $wanted" && return 0
	done
	echo "$pressed" | grep -qxF -e "word $1"
}

for action in $actions; do
	is_pressed "$action" && continue
	echo "tests/screens: no test at two sizes presses \"$action\""
	status=1
done
exit $status
