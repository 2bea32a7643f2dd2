#!/bin/sh
# Other programs read our files: flamegraph.pl and speedscope (in Chromium)
# find the total that the counts add up to, so no header line became a stack;
# speedscope takes our files of its own kind too, and pprof-format, which is
# what Node's profilers write with, those of pprof. BUILD is $1. Both are npm
# packages: `make deps-live` puts them into $1/npm; FLAMETOP_SPEEDSCOPE may name
# another place of the first, with the other beside it.
# Beside others.
build=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM
failed=0 missing=

lack() { missing="${missing:+$missing, }$*"; }
wrong() {
	echo "readers: $*"
	failed=1
}

# What the counts of $1 add up to, and how many lines of header it has.
total_of() { awk '!/^#/ { n += $NF } END { printf "%d\n", n }' "$1"; }
header_of() { grep -c '^#' "$1"; }

check_flamegraph() {
	file=$1 total=$(total_of "$1") header=$(header_of "$1")
	"$flamegraph" "$file" >"$dir/out.svg" 2>"$dir/err"
	grep -q "<title>all ($(commas "$total") samples, 100%)" "$dir/out.svg" ||
		wrong "flamegraph.pl: $file does not sum to $total:" \
			"$(grep -o '<title>all ([^)]*)' "$dir/out.svg")"
	grep -q "^Ignored $header lines" "$dir/err" ||
		wrong "flamegraph.pl: $file has $header lines that count" \
			"nothing, but: $(head -1 "$dir/err")"
}

commas() { echo "$1" | sed -e ':a' -e 's/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/;ta'; }

# What makes the page load $1, and wait until it has. Chromium prints the page
# after ten seconds of its own clock, which runs ahead while nothing happens
# in the page, even if another process is still at work for it: so the page
# spends real time on each of these milliseconds.
profile_script() {
	printf 'speedscope.loadFileFromBase64("%s", "%s")\n' \
		"$(basename "$1")" "$(base64 -w0 "$1")"
	echo 'function wait() {
		for (let i = 0; i < 5e6; i++);
		if (!document.querySelector("td")) setTimeout(wait, 1)
	}
	wait()'
}

# The page as it is after loading $1: its table has a row for each function.
open_in_chromium() {
	profile_script "$1" >"$dir/profile.js"
	timeout 120 "$chromium" --headless --no-sandbox --disable-gpu \
		--enable-unsafe-swiftshader --user-data-dir="$dir/chromium" \
		--allow-file-access-from-files --virtual-time-budget=10000 \
		--window-size=1200,16000 --dump-dom \
		"file://$page#localProfilePath=$dir/profile.js&view=sandwich" \
		2>/dev/null
}

# Rows of that table: "total self name".
rows() {
	sed 's/<tr /\n<tr /g' | sed -n 's,<tr [^>]*><td[^>]*>\([0-9\,]*\) ([^)]*)<.*<td[^>]*>\([0-9\,]*\) ([^)]*)<.*</span>\([^<]*\)</td>.*,\1 \2 \3,p' |
		tr -d ,
}

# The file $1, which sums to $2.
check_speedscope() {
	file=$1 total=$2
	open_in_chromium "$file" | rows >"$dir/rows"
	sum=$(awk '{ n += $2 } END { printf "%d\n", n }' "$dir/rows")
	[ "$sum" = "$total" ] ||
		wrong "speedscope: $file sums to $sum, not $total"
	grep -E '^[0-9]+ [0-9]+ (#|.*(flametop:|roots=))' "$dir/rows" &&
		wrong "speedscope: a comment is a stack"
}

# The same counts in speedscope's own form; threads would be several profiles.
# It has no row for a stack without frames.
check_json() {
	"$build/flametop" convert "$1" --no-threads -f -o "$dir/x.json" &&
		"$build/flametop" convert "$1" --no-threads -f \
			-o "$dir/x.folded" || wrong "$1 is not converted"
	grep -v '^\[no stack\] ' "$dir/x.folded" >"$dir/framed.folded"
	check_speedscope "$dir/x.json" "$(total_of "$dir/framed.folded")"
}

check_pprof_format() {
	"$build/flametop" convert "$1" -f -o "$dir/x.pb.gz" ||
		wrong "$1 is not converted"
	sum=$(PPROF_FORMAT=$pprof_format node -e '
		const { Profile } = require(process.env.PPROF_FORMAT)
		const bytes = require("fs").readFileSync(process.argv[1])
		const file = require("zlib").gunzipSync(bytes)
		let sum = 0n
		for (const sample of Profile.decode(file).sample)
			sum += BigInt(sample.value[0])
		console.log(`${sum}`)' "$dir/x.pb.gz")
	[ "$sum" = "$(total_of "$1")" ] ||
		wrong "pprof-format: $1 sums to $sum, not $(total_of "$1")"
}

flamegraph=$(command -v flamegraph.pl) ||
	flamegraph=/usr/share/perl5/Devel/NYTProf/flamegraph.pl
[ -r "$flamegraph" ] || lack 'flamegraph.pl (libdevel-nytprof-perl)'
chromium=$(command -v chromium || command -v chromium-browser) ||
	lack chromium
for speedscope in "$FLAMETOP_SPEEDSCOPE" \
	"$build/npm/node_modules/speedscope" \
	"$(npm root -g 2>/dev/null)/speedscope"
do
	page=$(realpath -q "$speedscope/dist/release/index.html")
	[ -r "$page" ] && break
done
[ -r "$page" ] || lack 'speedscope (make deps-live)'
pprof_format=$(realpath -q "$speedscope/../pprof-format")
[ -d "$pprof_format" ] && command -v node >/dev/null || {
	lack 'pprof-format (make deps-live)'
	pprof_format=
}

# One file with every oddity, and one as it comes from a process.
cp tests/fixtures/ours.folded "$dir/ours.folded"
files=$dir/ours.folded
"$build/flametop" record -q -d 2 -o "$dir/recorded.folded" -- \
	sh -c 'while :; do i=$((i + 1)); done' >/dev/null 2>&1
if [ -s "$dir/recorded.folded" ]; then
	files="$files $dir/recorded.folded"
else
	lack 'a recording (flametop record)'
fi

for file in $files; do
	[ -r "$flamegraph" ] && check_flamegraph "$file"
	[ -n "$pprof_format" ] && check_pprof_format "$file"
	[ -n "$chromium" ] && [ -r "$page" ] || continue
	check_speedscope "$file" "$(total_of "$file")"
	check_json "$file"
done
[ $failed -eq 0 ] || exit 1
if [ -n "$missing" ]; then
	echo "not here: $missing"
	exit 77
fi
echo "readers: flamegraph.pl, speedscope, pprof-format read what we write"
