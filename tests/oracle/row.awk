# row.awk - what oracle-compare said of a recording, and of gdb's stops, as a
# row of tests/oracle/run.sh. Variables: name, bar, perf, slack, stops (how many
# gdb was to make). Exits 1 if a bar is missed.

function of(v) { return samples ? sprintf("%.2f%%", 100 * v / samples) : "-" }

# "12.3456%" with two places.
function short(v) { return v == "" ? "-" : sprintf("%.2f%%", v + 0) }

$1 == "samples" { samples = $2 }
$1 == "frames" { frames = $2 }
$1 == "libunwind-frames-equal" { unwind = $2 }
$1 == "libdw-frames-equal" { dw = $2 }
$1 == "right" { right = $2 }
$1 == "whole" { whole = $2 }
$1 == "audit" { audit = $5; calls = $4 }
$1 == "end-guessed" { guessed = $2 }
$1 ~ /^same-/ { ways++; differ += $4 - $2 }
$1 == "gdb-frames-equal" { gdb = $2 }
$1 ~ /^gdb-(equal|ours|theirs|both|none)$/ { made += $2 }
$1 == "gdb-equal" || $1 == "gdb-ours" { good += $2 }

function complain(text) { said = said "  " text; missed = 1 }

END {
	if (!samples) {
		print name ": no samples"
		exit 1
	}
	if (bar != "-" && 100 * whole / samples < bar - slack)
		complain("whole below " bar)
	if (audit + 0 >= 0.01 + slack)
		complain("audit")
	if (differ)
		complain("ways differ")
	if (stops && made < stops)
		complain("only " made " stops")
	if (bar != "-" && made > good)
		complain("gdb: " made - good " to look at")
	printf "%-17s %6d %5.1f %8s %8s %8s %8s %8s %8s %7s %5s %8s%s\n", name,
		samples, frames / samples, short(unwind), short(dw),
		short(gdb), of(right), of(whole), audit, of(guessed),
		ways ? differ : "-", perf, said
	exit missed
}
