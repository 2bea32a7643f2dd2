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

start churn -1 20 40
take -d 3 "$pid"
expect '^churn;.*;brief'
made=$(counter ended)
[ "$made" -ge 25 ] || wrong "only $made threads of 3 s / 60 ms were seen"
end

finish
