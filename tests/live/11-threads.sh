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

# From the first to the last, however slow the machine is.
take -d 60 -- "$build/targets/churn" 40 15 20
expect '^churn;.*;brief'
check threads -eq 41
check ended -eq 41
check ends -eq 1

finish
