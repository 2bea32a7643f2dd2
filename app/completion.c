/* SPDX-License-Identifier: MIT */
/*
 * completion.c - options and commands as bash, zsh and fish take them.
 *
 * Names of processes come from the processes: those with a character that a
 * shell could take for more than a letter are left out, since bash expands
 * the words it chooses from.
 */
#include "app/completion.h"

#include <string.h>

#include "app/options.h"
#include "formats/format.h"
#include "tui/theme.h"

#define MADE "made by `make man` from the program's tables"
#define PROCESS_NAMES \
	"grep -ahE '^[[:alnum:]._:@+-]+$' /proc/*/comm 2>/dev/null"

enum value {
	VALUE_NONE,		/* the option takes none */
	VALUE_ANY,		/* nothing can be offered */
	VALUE_WORD,		/* one of few */
	VALUE_FILE, VALUE_PIDS, VALUE_PROCESS
};

static enum value
value_of(enum option_id id)
{
	const char *argument = option_rows[id].argument;

	if (!argument)
		return VALUE_NONE;
	if (strchr(argument, '|') || id == OPTION_THEME || id == OPTION_TO)
		return VALUE_WORD;
	if (strcmp(argument, "FILE") == 0)
		return VALUE_FILE;
	if (id == OPTION_PID)
		return VALUE_PIDS;
	return id == OPTION_NAME ? VALUE_PROCESS : VALUE_ANY;
}

/* The words that option ID takes, with a blank between two. */
static void
put_words(FILE *out, enum option_id id)
{
	static const struct format *const written[] = {
		&format_folded, &format_pprof, &format_speedscope, &format_svg,
	};
	const char *argument = option_rows[id].argument, *blank = "";
	size_t i;

	if (id == OPTION_THEME) {
		for (i = 0; theme_builtin_name(i); i++, blank = " ")
			fprintf(out, "%s%s", blank, theme_builtin_name(i));
	} else if (id == OPTION_TO) {
		for (i = 0; i < ARRAY_LEN(written); i++, blank = " ")
			fprintf(out, "%s%s", blank, written[i]->suffix);
	} else {
		for (; *argument; argument++)
			putc(*argument == '|' ? ' ' : *argument, out);
	}
}

static void
put_commands(FILE *out)
{
	for (size_t i = COMMAND_LIVE + 1; i < COMMAND_COUNT; i++)
		fprintf(out, "%s%s", i > COMMAND_LIVE + 1 ? " " : "",
			command_rows[i].word);
}

/* --- bash */

static void
put_bash_option(FILE *out, enum option_id id)
{
	static const char *const actions[] = {
		[VALUE_ANY] = ":", [VALUE_FILE] = "_flametop_files",
		[VALUE_PIDS] = "_flametop_pids",
		[VALUE_PROCESS] = "_flametop_words \"$(" PROCESS_NAMES ")\"",
	};
	const struct option_row *row = &option_rows[id];
	enum value value = value_of(id);

	if (value == VALUE_NONE)
		return;
	fputc('\t', out);
	if (row->letter)
		fprintf(out, "-%c|", row->letter);
	fprintf(out, "--%s)\n\t\t", row->word);
	if (value == VALUE_WORD) {
		fputs("_flametop_words '", out);
		put_words(out, id);
		fputs("'", out);
	} else {
		fputs(actions[value], out);
	}
	fputs(" ;;\n", out);
}

void
completion_write_bash(FILE *out)
{
	size_t i;

	fputs("# bash completion for flametop; " MADE "\n\n"
	      "_flametop_words() {\n"
	      "\tmapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$cur\")\n"
	      "}\n\n"
	      "_flametop_files() {\n"
	      "\tcompopt -o filenames\n"
	      "\tmapfile -t -O ${#COMPREPLY[@]} COMPREPLY \\\n"
	      "\t\t< <(compgen -f -- \"$cur\")\n"
	      "}\n\n"
	      "# The last of several with commas between.\n"
	      "_flametop_pids() {\n"
	      "\tlocal last=${cur##*,}\n"
	      "\tmapfile -t COMPREPLY < <(compgen -P \"${cur%\"$last\"}\" \\\n"
	      "\t\t-W \"$(cd /proc && echo [0-9]*)\" -- \"$last\")\n"
	      "}\n\n"
	      "_flametop() {\n"
	      "\tlocal cur=${COMP_WORDS[COMP_CWORD]} i\n"
	      "\tlocal option=${COMP_WORDS[COMP_CWORD - 1]}\n\n"
	      "\tCOMPREPLY=()\n"
	      "\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
	      "\t\t[[ ${COMP_WORDS[i]} == -- ]] || continue\n"
	      "\t\t((i + 1 < COMP_CWORD)) && _flametop_files && return\n"
	      "\t\tmapfile -t COMPREPLY < <(compgen -c -- \"$cur\")\n"
	      "\t\treturn\n"
	      "\tdone\n"
	      "\t# --option=value is three words here.\n"
	      "\tif [[ $cur == = ]]; then\n"
	      "\t\tcur=\n"
	      "\telif [[ $option == = ]]; then\n"
	      "\t\toption=${COMP_WORDS[COMP_CWORD - 2]}\n"
	      "\tfi\n"
	      "\tcase $option in\n", out);
	for (i = 0; i < OPTION_COUNT; i++)
		put_bash_option(out, (enum option_id)i);
	fputs("\t*)\n"
	      "\t\tif [[ $cur == -* ]]; then\n"
	      "\t\t\t_flametop_words '", out);
	for (i = 0; i < OPTION_COUNT; i++)
		fprintf(out, "%s--%s", i ? " " : "", option_rows[i].word);
	fputs("'\n"
	      "\t\telif [[ $cur == [0-9]* ]]; then\n"
	      "\t\t\t_flametop_pids\n"
	      "\t\t\t_flametop_files\n"
	      "\t\telse\n"
	      "\t\t\t((COMP_CWORD > 1)) || _flametop_words '", out);
	put_commands(out);
	fputs("'\n"
	      "\t\t\t_flametop_files\n"
	      "\t\tfi ;;\n"
	      "\tesac\n"
	      "}\n\n"
	      "complete -F _flametop flametop\n", out);
}

/* --- zsh */

/* TEXT inside single quotes; what _arguments and _describe take for
   themselves is escaped. */
static void
put_zsh(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\''", out);
		else if (strchr("[]:\\", *text))
			fprintf(out, "\\%c", *text);
		else
			putc(*text, out);
	}
}

static void
put_zsh_option(FILE *out, enum option_id id)
{
	static const char *const actions[] = {
		[VALUE_NONE] = "", [VALUE_ANY] = " ", [VALUE_FILE] = "_files",
		[VALUE_PIDS] = "_sequence _pids",
		[VALUE_PROCESS] = "_flametop_names",
	};
	const struct option_row *row = &option_rows[id];
	enum value value = value_of(id);
	const char *equals = value == VALUE_NONE ? "" : "=";

	fputs("\t\t", out);
	if (row->letter)
		fprintf(out, "{-%c%s,--%s%s}", row->letter,
			value == VALUE_NONE ? "" : "+", row->word, equals);
	else
		fprintf(out, "--%s%s", row->word, equals);
	fputs("'[", out);
	put_zsh(out, row->help);
	fputs("]", out);
	if (value != VALUE_NONE) {
		fputs(":", out);
		put_zsh(out, row->argument);
		fputs(":", out);
	}
	if (value == VALUE_WORD) {
		fputs("(", out);
		put_words(out, id);
		fputs(")", out);
	} else {
		fputs(actions[value], out);
	}
	fputs("' \\\n", out);
}

void
completion_write_zsh(FILE *out)
{
	size_t i;

	fputs("#compdef flametop\n# " MADE "\n\n"
	      "_flametop_names() {\n"
	      "\tcompadd -- ${(f)\"$(" PROCESS_NAMES ")\"}\n"
	      "}\n\n"
	      "_flametop_first() {\n"
	      "\tlocal -a commands=(\n", out);
	for (i = COMMAND_LIVE + 1; i < COMMAND_COUNT; i++) {
		fprintf(out, "\t\t'%s:", command_rows[i].word);
		put_zsh(out, command_rows[i].help);
		fputs("'\n", out);
	}
	fputs("\t)\n\n"
	      "\t_describe command commands\n"
	      "\t_pids\n"
	      "\t_files\n"
	      "}\n\n"
	      "_flametop() {\n"
	      "\tlocal dashes=${words[(i)--]}\n\n"
	      "\tif ((CURRENT > dashes)); then\n"
	      "\t\tshift $dashes words\n"
	      "\t\t((CURRENT -= dashes))\n"
	      "\t\t_normal\n"
	      "\t\treturn\n"
	      "\tfi\n"
	      "\t_arguments -s \\\n", out);
	for (i = 0; i < OPTION_COUNT; i++)
		put_zsh_option(out, (enum option_id)i);
	fputs("\t\t'1: :_flametop_first' '*: :_files'\n"
	      "}\n\n"
	      "_flametop \"$@\"\n", out);
}

/* --- fish */

/* TEXT inside single quotes. */
static void
put_fish(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '\'' || *text == '\\')
			putc('\\', out);
		putc(*text, out);
	}
}

static void
put_fish_option(FILE *out, enum option_id id)
{
	const struct option_row *row = &option_rows[id];

	fputs("complete -c flametop", out);
	if (row->letter)
		fprintf(out, " -s %c", row->letter);
	fprintf(out, " -l %s", row->word);
	switch (value_of(id)) {
	case VALUE_WORD:
		fputs(" -x -a '", out);
		put_words(out, id);
		fputs("'", out);
		break;
	case VALUE_PIDS:
		fputs(" -x -a '(__fish_complete_pids)'", out);
		break;
	case VALUE_PROCESS:
		fputs(" -x -a '(", out);
		put_fish(out, PROCESS_NAMES);
		fputs(")'", out);
		break;
	case VALUE_FILE:
		fputs(" -r -F", out);
		break;
	case VALUE_ANY:
		fputs(" -x", out);
		break;
	case VALUE_NONE:
		break;
	}
	fputs(" -d '", out);
	put_fish(out, row->help);
	fputs("'\n", out);
}

void
completion_write_fish(FILE *out)
{
	size_t i;

	fputs("# fish completion for flametop; " MADE "\n\n", out);
	for (i = COMMAND_LIVE + 1; i < COMMAND_COUNT; i++) {
		fprintf(out, "complete -c flametop -n __fish_use_subcommand "
			"-a %s -d '", command_rows[i].word);
		put_fish(out, command_rows[i].help);
		fputs("'\n", out);
	}
	fputs("complete -c flametop -n __fish_use_subcommand "
	      "-a '(__fish_complete_pids)'\n"
	      "complete -c flametop -n 'test (commandline -opc)[-1] = --' "
	      "-a '(__fish_complete_command)'\n", out);
	for (i = 0; i < OPTION_COUNT; i++)
		put_fish_option(out, (enum option_id)i);
}
