#compdef flametop
# made by `make man` from the program's tables

_flametop_names() {
	compadd -- ${(f)"$(grep -ahE '^[[:alnum:]._:@+-]+$' /proc/*/comm 2>/dev/null)"}
}

_flametop_first() {
	local -a commands=(
		'record:sample without a screen; SIGUSR1 writes now and goes on'
		'report:hot functions and hot paths as text'
		'dump:every thread'\''s stack once, and what it waits for'
		'convert:a profile as another kind of file, by OUT'\''s suffix\: .folded, .pb (pprof), .json (speedscope) or .svg (a picture for browsers), with .gz or without; - for a pipe'
		'merge:several profiles as one\: their counts are added'
		'diff:what changed from one profile to another, with noise told apart'
		'doctor:what works here for this user, and how to get the rest'
		'explain:how an address got its name and its unwind rule'
		'demo:look at a built-in busy program'
	)

	_describe command commands
	_pids
	_files
}

_flametop() {
	local dashes=${words[(i)--]}

	if ((CURRENT > dashes)); then
		shift $dashes words
		((CURRENT -= dashes))
		_normal
		return
	fi
	_arguments -s \
		{-p+,--pid=}'[watch these processes]:PID\[,PID...\]:_sequence _pids' \
		{-n+,--name=}'[watch the process of this name; choose if there are several]:NAME:_flametop_names' \
		{-t+,--tid=}'[only these threads]:TID\[,TID...\]: ' \
		--follow'[children of the target too]' \
		{-F+,--freq=}'[samples a second and running thread (99)]:HZ: ' \
		{-d+,--duration=}'[stop after that time\: 10, 10s, 5m, 2h]:TIME: ' \
		--sampler='[perf_event, or ptrace where that is refused (auto)]:auto|perf|ptrace:(auto perf ptrace)' \
		--unwind='[unwind by frame pointers or unwind tables alone (auto\: both); by that library, for comparison]:auto|fp|cfi|libunwind:(auto fp cfi libunwind)' \
		--inline='[inlined functions as frames\: of what is on the screen and of all that is written (auto), of all at once, never]:auto|full|off:(auto full off)' \
		--no-kernel'[leave kernel frames out]' \
		--theme='[colours\: default light dusk aurora ember paper; protan deutan tritan for the colour-blind; console mono; or your own]:NAME:(aurora console default deutan dusk ember light mono paper protan tritan)' \
		--color='[how many colours the terminal has (auto)]:auto|256|16|mono:(auto 256 16 mono)' \
		--ascii'[draw with ASCII characters only]' \
		--no-chains'[in the flame graph each call has a row of its own, also where there is but one way to go]' \
		--mouse'[take the mouse\: clicks and the wheel; Shift-drag selects text]' \
		--no-mouse'[leave the mouse to the terminal, as it is without --mouse]' \
		--plain'[no screen\: print the top every few seconds, and answer typed commands (help lists them)]' \
		--type='[of a file with several kinds of counts (pprof, perf script, bpftrace)\: these, by name or number]:NAME: ' \
		{-b+,--base=}'[diff\: compare with this one; several are taken together, as all files without it are]:FILE:_files' \
		--no-templates'[diff\: functions are the same whatever their templates are made of]' \
		--fail-on='[diff\: exit status 5 when a function regressed by so many per cent of all, or more]:PCT: ' \
		{-o+,--output=}'[the profile to write, - for standard output; diff\: a picture of what changed (.svg); live\: what becomes of the command'\''s output]:FILE:_files' \
		--to='[write what this suffix means, whatever the name'\''s is\: for -o -]:SUFFIX:(.folded .pb .json .svg)' \
		--no-header'[write no # lines, for tools that choke on them]' \
		--no-threads'[write stacks without the thread'\''s name]' \
		{-f,--force}'[write over a file that exists]' \
		--tag='[note this in the profile]:KEY=VALUE: ' \
		--json'[dump, report, diff\: as JSON]' \
		{-q,--quiet}'[no progress on standard error]' \
		{-V,--version}'[say which version this is]' \
		{-h,--help}'[this text]' \
		'1: :_flametop_first' '*: :_files'
}

_flametop "$@"
