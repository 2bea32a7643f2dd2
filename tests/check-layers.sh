#!/bin/sh
# Includes point down and name the layer (docs/ARCHITECTURE.md). Also: who may
# use curses, elfutils and libunwind, and that nothing calls IOC_REFRESH,
# which hangs kernels 6.16 and 6.17.
cd "$(dirname "$0")/.." || exit 1
status=0

complain() {
	printf '%s: %s\n' "$1" "$2"
	status=1
}

check() {
	folder=$1 allowed=$2
	for file in "$folder"/*.[ch]; do
		[ -e "$file" ] || continue
		bad=$(sed -n 's/^ *# *include "\([^"]*\)".*/\1/p' "$file" |
			grep -Ev "^($allowed)/[^/]+\.h$") || continue
		complain "$file" "may not include $bad"
	done
}

only() {
	pattern=$1 allowed=$2
	for file in $(grep -lE "# *include <($pattern)" \
		app/*.[ch] core/*.[ch] formats/*.[ch] symbols/*.[ch] \
		sampler/*.[ch] sampler/unwind/*.[ch] tui/*.[ch] 2>/dev/null)
	do
		echo "$file" | grep -qE "^($allowed)" ||
			complain "$file" "may not include <$pattern>"
	done
}

check core            'core'
check formats         'core|formats'
check symbols         'core|symbols'
check sampler/unwind  'core|sampler/unwind'
check sampler         'core|sampler|sampler/unwind'
check tui             'core|tui'
only 'n?curses|term\.h'             'tui/term\.c$'
only 'libelf|gelf|elfutils|dwarf'   'symbols/'
only 'libunwind'                    'sampler/unwind/'
only 'jansson'                      'formats/|app/(dump|report)_json\.c$'

for file in $(grep -lE 'PERF_EVENT_IOC_REFRESH' app/*.c sampler/*.c 2>/dev/null)
do
	complain "$file" "PERF_EVENT_IOC_REFRESH is never used"
done
for folder in */ */*/; do
	case $folder in
	*util*|*common/|*misc/|*helper*)
		complain "$folder" "no folder of that name: say what is in it"
	esac
done
exit $status
