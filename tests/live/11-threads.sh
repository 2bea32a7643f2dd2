#!/bin/sh
# All threads, those that were there and those that come, are seen under the
# right names, and none that is not.
. "$(dirname "$0")/target.sh"

start leadgone
take -d 1 "$pid"
expect '^leadgone;.*;worker'
end

start rawclone
take -d 1 "$pid"
expect '^rawclone;spin_raw [0-9]'
end

# 40 more are made one second on, each by a thread that was there before us.
start crowd 200 40
take -d 4 "$pid"
check threads -eq 241
check of -eq 241
end

# Descriptors for few of them: all are seen with the right to see everything,
# and it is said that they are not without.
if [ "$sampler" = perf ] && command -v prlimit >/dev/null; then
	build_was=$build
	build=$dir/few
	mkdir -p "$build"
	ln -s "$(realpath "$build_was/targets")" "$build/targets"
	printf '#!/bin/sh\nexec prlimit --nofile=100:100 %s "$@"\n' \
		"$(realpath "$build_was/sample")" >"$build/sample"
	chmod +x "$build/sample"
	start crowd 200
	take -d 2 "$pid"
	[ "$(counter threads)" -eq 201 ] || grep -q 'ulimit -n' "$folded" ||
		wrong "$(counter threads) threads, and not a word about it"
	expect crowd_work
	end
	build=$build_was
fi

# From the first to the last, however slow the machine is.
take -d 60 -- "$build/targets/churn" 40 15 20
expect '^churn;.*;brief'
check threads -eq 41
check ended -eq 41
check ends -eq 1

finish
