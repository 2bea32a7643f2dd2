#!/bin/sh
# A picture of each view, in dark and light, 256 and 16 colours: docs/pictures.
# BUILD is $1; names of views may follow, or all are taken. What is shown are
# the recordings of tests/screens, played in a tmux of its own; look at the
# pictures before they are committed.
cd "$(dirname "$0")" || exit 1
build=$1
shift
only=" $* "
out=../../docs/pictures
flametop=$(realpath "../../$build/flametop")
[ -x "$flametop" ] || { echo "pictures: no $build/flametop"; exit 1; }
socket=flametop-pictures-$$
work=$(mktemp -d)
trap 'tmux -L $socket kill-server 2>/dev/null; rm -rf "$work"' EXIT
mkdir -p $out

tm() {
	tmux -u -L "$socket" -f /dev/null "$@"
}

# Until it stays the same.
settle() {
	while :; do
		sleep 0.3
		tm capture-pane -e -p -N >"$work/again"
		cmp -s "$work/screen" "$work/again" && [ -s "$work/again" ] &&
			return
		mv "$work/again" "$work/screen"
	done
}

# NAME THEME COLOURS FILES KEY ...
picture() {
	name=$1 theme=$2 colours=$3 files=$4
	shift 4
	case $only in "  "|*" $name "*) ;; *) return ;; esac
	: >"$work/screen"
	tm new-session -d -x 80 -y 24 -c "$PWD" \
		env -i PATH="$PATH" HOME="$work" TERM=screen-256color \
		LANG=C.UTF-8 COLORFGBG= "$flametop" --theme "$theme" \
		--color "$colours" $files
	tm set -g status off
	tm resize-window -x 80 -y 24
	settle
	for key in "$@"; do
		tm send-keys -- "$key"
		settle
	done
	ground=--dark
	[ "$theme" = light ] && ground=--light
	python3 picture.py $ground <"$work/screen" \
		>"$out/$name-$theme-$colours.svg"
	tm kill-server
	sleep 0.1
}

views() {
	picture flame "$@" server.folded Down Down Down
	picture chains "$@" chains.folded Down
	picture zoom "$@" server.folded Down Down Down Right Enter
	picture search "$@" server.folded / m e m Enter
	picture functions "$@" server.folded 2 Down
	picture tree "$@" server.folded 6 Down Down Down
	picture sandwich "$@" server.folded Down Down Down 3
	picture diff "$@" 'before.folded server.folded' Down Down Down
	picture filters "$@" server.folded Down Down Down f Down x Right
	picture threads "$@" server.folded t
	picture menu "$@" server.folded Down Down .
	picture help "$@" server.folded ?
}

for theme in default light; do
	for colours in 256 16; do
		views $theme $colours
	done
done
