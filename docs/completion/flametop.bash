# bash completion for flametop; made by `make man` from the program's tables

_flametop_words() {
	mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur")
}

_flametop_files() {
	compopt -o filenames
	mapfile -t -O ${#COMPREPLY[@]} COMPREPLY \
		< <(compgen -f -- "$cur")
}

# The last of several with commas between.
_flametop_pids() {
	local last=${cur##*,}
	mapfile -t COMPREPLY < <(compgen -P "${cur%"$last"}" \
		-W "$(cd /proc && echo [0-9]*)" -- "$last")
}

_flametop() {
	local cur=${COMP_WORDS[COMP_CWORD]} i
	local option=${COMP_WORDS[COMP_CWORD - 1]}

	COMPREPLY=()
	for ((i = 1; i < COMP_CWORD; i++)); do
		[[ ${COMP_WORDS[i]} == -- ]] || continue
		((i + 1 < COMP_CWORD)) && _flametop_files && return
		mapfile -t COMPREPLY < <(compgen -c -- "$cur")
		return
	done
	# --option=value is three words here.
	if [[ $cur == = ]]; then
		cur=
	elif [[ $option == = ]]; then
		option=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	case $option in
	-p|--pid)
		_flametop_pids ;;
	-n|--name)
		_flametop_words "$(grep -ahE '^[[:alnum:]._:@+-]+$' /proc/*/comm 2>/dev/null)" ;;
	-t|--tid)
		: ;;
	-F|--freq)
		: ;;
	-d|--duration)
		: ;;
	--sampler)
		_flametop_words 'auto perf ptrace' ;;
	--unwind)
		_flametop_words 'auto fp cfi libunwind' ;;
	--inline)
		_flametop_words 'auto full off' ;;
	--theme)
		_flametop_words 'aurora console default deutan dusk ember light mono paper protan tritan' ;;
	--color)
		_flametop_words 'auto 256 16 mono' ;;
	--type)
		: ;;
	-b|--base)
		_flametop_files ;;
	--fail-on)
		: ;;
	-o|--output)
		_flametop_files ;;
	--to)
		_flametop_words '.folded .pb .json .svg' ;;
	--tag)
		: ;;
	*)
		if [[ $cur == -* ]]; then
			_flametop_words '--pid --name --tid --follow --freq --duration --sampler --unwind --inline --no-kernel --theme --color --ascii --no-chains --mouse --no-mouse --plain --type --base --no-templates --fail-on --output --to --no-header --no-threads --force --tag --json --quiet --version --help'
		elif [[ $cur == [0-9]* ]]; then
			_flametop_pids
			_flametop_files
		else
			((COMP_CWORD > 1)) || _flametop_words 'record report dump convert merge diff doctor explain demo'
			_flametop_files
		fi ;;
	esac
}

complete -F _flametop flametop
