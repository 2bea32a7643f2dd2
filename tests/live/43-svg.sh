#!/bin/sh
# An SVG file that we write is XML whatever the names in it, and in Chromium
# each frame is as wide as its count; a click zooms, a search finds and says
# its share, Esc goes back; nothing is fetched. BUILD is $1.
# Beside others.
build=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM
missing=

lack() { missing="${missing:+$missing, }$*"; }

for tool in node xmllint; do
	command -v $tool >/dev/null || lack $tool
done
chromium=$(command -v chromium || command -v chromium-browser) ||
	lack chromium
[ -z "$missing" ] || { echo "not here: $missing"; exit 77; }

# Every attack on a page that a name can be; the rest as it is.
{
	cat tests/screens/server.folded
	printf 'worker;main;<script>alert(1)</script> 20\n'
	printf 'worker;main;]]>;&lt;&#x41;&amp; 20\n'
	printf 'worker;main;" onclick="alert(1)" x=%s 20\n' "'y'"
	printf 'worker;main;\342\200\256bidi\033[31m\001\177 20\n'
	printf 'worker;main;\377\357\277\276\355\240\200\tx 20\n'
	printf 'worker;main;<!--;--><?xml?>;<![CDATA[ 20\n'
	printf 'worker;main;\344\270\255\346\226\207\345\255\227 20\n'
} >"$dir/in.folded"
"$build/flametop" convert "$dir/in.folded" -o "$dir/graph.svg" || exit 1
"$build/flametop" convert "$dir/in.folded" -o "$dir/clean.folded" || exit 1
"$build/flametop" convert - --to svg -o - <"$dir/in.folded" |
	cmp - "$dir/graph.svg" || { echo "svg: not the same twice"; exit 1; }
"$build/flametop" report "$dir/in.folded" -o "$dir/again.svg" >"$dir/text" &&
	cmp "$dir/again.svg" "$dir/graph.svg" || { echo "svg: report -o"; exit 1; }
"$build/flametop" diff tests/screens/before.folded tests/screens/server.folded \
	-o "$dir/diff.svg" >"$dir/text" || exit 1
grep -q '4 changes' "$dir/text" || { echo "svg: diff -o has no text"; exit 1; }
"$build/flametop" diff tests/screens/before.folded tests/screens/server.folded \
	-o - | cmp - "$dir/diff.svg" || exit 1
xmllint --noout "$dir/graph.svg" "$dir/diff.svg" || exit 1
timeout 300 node tests/live/svg.mjs "$chromium" "$dir/chromium" \
	"$dir/graph.svg" "$dir/clean.folded" "$dir/diff.svg" || exit 1
echo "svg: frames, zoom, search, colours in Chromium"
