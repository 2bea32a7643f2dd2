#!/bin/sh
# Inlined functions: at some hundred addresses of an optimised C++ program ours
# are those of addr2line -i; in a recording none is lost, and a profile reads
# the same when it is written again. BUILD is $1.
# Beside others.
build=$1
flametop=$(realpath "$build/flametop")
places=$(realpath "$build/places")
dir=$(mktemp -d)
pids=
trap 'for pid in $pids; do kill -9 $pid 2>/dev/null; done; rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM
failed=0

wrong() {
	echo "inlines: $*"
	failed=1
}

for tool in c++ addr2line readelf; do
	command -v $tool >/dev/null || { echo "not here: $tool"; exit 77; }
done

cat >"$dir/prog.cc" <<'END'
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <numeric>
#include <regex>
#include <string>
#include <vector>

namespace app {
template <class T> struct box {
	T value;
	template <class F> auto with(F f) const { return f(value); }
};
struct counter {
	std::map<std::string, int> seen;
	int count(const std::vector<std::string> &words)
	{
		for (auto &word : words)
			seen[word]++;
		return std::accumulate(seen.begin(), seen.end(), 0,
			[](int sum, auto &one) { return sum + one.second; });
	}
};
}

int main(int argc, char **argv)
{
	std::vector<std::string> words(argv, argv + argc);
	app::counter counter;
	int sum = counter.count(words);
	std::sort(words.begin(), words.end(), [](auto &a, auto &b) {
		return a.size() < b.size() || a < b; });
	std::regex pattern("a+b*(c|d)");
	for (auto &word : words)
		sum += std::regex_match(word, pattern);
	app::box<int> box{sum};
	std::function<int(int)> plus = [&](int x) { return x + sum; };
	std::cout << box.with(plus) << "\n";
}
END

# Every STEPth byte of .text, in the order of chance.
addresses() {
	set -- $(readelf -SW "$1" | sed -n 's/^ *\[ *[0-9]*\] .text *PROGBITS//p')
	awk -v from=$((0x$1)) -v size=$((0x$3)) 'BEGIN {
		srand(7)
		for (i = 0; i < 250; i++)
			printf "0x%x\n", from + int(rand() * size) }'
}

# Depth, file and line of each function; and the name where it is a linker's:
# for others addr2line looks into the symbol table. Ours may say more of where it
# lies.
compare() {
	c=$1
	shift
	$c "$@" -o "$dir/prog" "$dir/prog.cc" 2>"$dir/log" || {
		echo "skipped $c $*: $(head -1 "$dir/log")"
		return
	}
	addresses "$dir/prog" | sort -u >"$dir/at"
	"$places" "$dir/prog" <"$dir/at" >"$dir/ours"
	addr2line -a -i -f -C -e "$dir/prog" <"$dir/at" |
		sed 's/ (discriminator [0-9]*)//; s/:?$/:0/' >"$dir/theirs"
	awk -v what="$c $*" '
		function base(path) { sub(/.*\//, "", path); return path }
		function ends(a, b) {
			return substr(a, length(a) - length(b) + 1) == b
		}
		FNR == 1 { file++ }
		/^0x/ { at = $1; sub(/^0x0*/, "", at); next }
		{ n = ++count[file, at]; text[file, at, n] = $0
		  if (file == 1) known[at] = 1 }
		END {
			for (at in known) {
				all++
				ok = count[1, at] == count[2, at]
				for (i = 1; ok && i <= count[1, at]; i++) {
					a = text[1, at, i]; b = text[2, at, i]
					if (i % 2 == 0)
						ok = base(a) == base(b) ||
						     a ~ /^\?\?/
					else if (a ~ /\(/ && a !~ /<lambda/)
						ok = ends(a, b)
				}
				if (count[1, at] > 2) deep++
				if (ok) same++
				else if (shown++ < 1) {
					print at ":"
					for (i = 1; i <= count[1, at]; i++)
						print "  ours   " text[1, at, i]
					for (i = 1; i <= count[2, at]; i++)
						print "  theirs " text[2, at, i]
				}
			}
			printf "%s: %d of %d the same, %d with inlined functions\n",
				what, same, all, deep
			exit same < all * 0.99 || deep < 50
		}' "$dir/ours" "$dir/theirs" || wrong "$c $*"
}

compare c++ -O2 -g -gdwarf-5
compare c++ -O3 -g -gdwarf-4 -gz=zlib
if command -v clang++ >/dev/null; then
	compare clang++ -O2 -g -gdwarf-4
fi

"$flametop" doctor >/dev/null || { [ $failed -eq 0 ] || exit 1
	echo "no right to sample"; exit 77; }

# record OPTIONS: the program is shares, whose spin() is inlined.
"$build/targets/shares" 1 100 >/dev/null &
pid=$!
pids=$pid
sleep 0.2
"$flametop" record -q -f -d 2 -o "$dir/auto.folded" $pid
"$flametop" record -q -f -d 1 --inline off -o "$dir/off.folded" $pid
"$flametop" record -q -f -d 1 --inline full -o "$dir/full.folded" $pid
for mode in auto full; do
	grep -q ';fifty;spin_\[i\] ' "$dir/$mode.folded" ||
		wrong "$mode: nothing inlined: $(tail -1 "$dir/$mode.folded")"
done
grep -q '_\[i\]' "$dir/off.folded" && wrong "off: something is inlined"
grep -q ';fifty ' "$dir/off.folded" || wrong "off: no fifty"

# The sum is the samples of the header, and hiding what is inlined keeps it.
sum=$(grep -v '^#' "$dir/auto.folded" | awk '{ n += $NF } END { print n }')
said=$(sed -n 's/^# samples=//p' "$dir/auto.folded")
[ "$sum" = "$said" ] || wrong "the stacks sum up to $sum, not $said"
"$flametop" report --inline off "$dir/auto.folded" >"$dir/report"
grep -q "^$sum samples" "$dir/report" || wrong "report: $(head -3 "$dir/report")"
grep -q 'spin' "$dir/report" && wrong "report --inline off shows spin"
"$flametop" report "$dir/auto.folded" | grep -q ' spin$' ||
	wrong "report: no spin"

[ $failed -eq 0 ] || exit 1
echo "inlines: as addr2line has them, and nothing is lost"
