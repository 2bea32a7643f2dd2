/* SPDX-License-Identifier: MIT */
/*
 * manual.c - commands, options and keys as tables, the rest as text.
 */
#include "app/manual.h"

#include <string.h>

#include "app/options.h"
#include "tui/action.h"
#include "tui/keymap.h"

static const char opening[] =
	".TH FLAMETOP 1 \"\" \"flametop " FLAMETOP_VERSION "\" "
	"\"User Commands\"\n"
	".SH NAME\n"
	"flametop \\- see where a running program spends its time, live\n"
	".SH SYNOPSIS\n";

static const char description[] =
	".SH DESCRIPTION\n"
	"flametop samples the stacks of processes that run and shows them as\n"
	"a flame graph in the terminal, while they run.\n"
	"Nothing is installed in the target and nothing of it is changed.\n"
	"With perf events (the default where the kernel permits them) the\n"
	"target is never stopped; otherwise one running thread at a time is\n"
	"stopped for microseconds with ptrace.\n"
	".PP\n"
	"A\n.I TARGET\nis a process id,\n"
	".B \\-p\n.IR PID [, PID ...],\n.B \\-n\n.I NAME\nor\n"
	".B \\-\\-\n.I COMMAND\n.RI [ ARGUMENT ...].\n"
	"Without one, flametop lists the processes by what they use and lets\n"
	"you choose.\n"
	"The first word is a command if it is one of those below; a word of\n"
	"digits is a process id; any other is the\n.I FILE\n"
	"of a saved profile.\n";

static const char closing[] =
	".SH SIGNALS\n"
	".TP\n.BR SIGINT \", \" SIGTERM\n"
	"The target is let go and the terminal given back;\n.B record\n"
	"writes what there is.\n"
	".TP\n.B SIGHUP\n"
	"The same, and the live screen saves everything to\n"
	".IR $XDG_STATE_HOME/flametop/ .\n"
	".TP\n.B SIGUSR1\n.B record\nwrites now and goes on.\n"
	".TP\n.B SIGTSTP\n"
	"The target is let go until flametop is continued.\n"
	".SH FILES\n"
	".TP\n.I $XDG_CONFIG_HOME/flametop/config\n"
	"Lines of an option for sampling or screen, without its dashes, and\n"
	"its value; for the live screen. The command line counts more.\n"
	".TP\n.I $XDG_CONFIG_HOME/flametop/keys\n"
	"Lines of a key and an action (see\n.BR KEYS ),\n"
	"added to those built in.\n"
	".TP\n.I $XDG_CONFIG_HOME/flametop/themes/NAME.theme\n"
	"Lines of a style, its foreground, its background and attributes.\n"
	".TP\n.I $XDG_STATE_HOME/flametop/\n"
	"What was saved when the terminal went away, and\n.IR history ,\n"
	"what was typed in the live screen.\n"
	".PP\n"
	"Profiles are folded stacks: one line for each stack, root first,\n"
	"frames joined by semicolons, a blank and a count; lines that begin\n"
	"with # describe the whole.\n"
	"Profiles of pprof and speedscope are read and written too.\n"
	"A file whose name ends in .svg is a picture for browsers, with zoom,\n"
	"search and titles; it is not read again.\n"
	".SH ENVIRONMENT\n"
	".TP\n.B NO_COLOR\nIf it is not empty, no colours are used.\n"
	".TP\n.B TERM\n"
	"The terminal; with\n.B dumb\nthe output is that of\n"
	".BR \\-\\-plain .\n"
	".TP\n.BR XDG_CONFIG_HOME \", \" XDG_STATE_HOME\n"
	"Instead of\n.I ~/.config\nand\n.IR ~/.local/state .\n"
	".SH EXIT STATUS\n"
	".TP\n.B 0\nDone; also when the target ended by itself.\n"
	".TP\n.B 1\nFailed.\n"
	".TP\n.B 2\nThe command line is wrong.\n"
	".TP\n.B 3\nNot permitted; the message says what helps.\n"
	".TP\n.B 4\nNo such target, or several of that name.\n"
	".TP\n.B 5\ndiff \\-\\-fail\\-on found what it was to find.\n"
	".SH EXAMPLES\n"
	".TP\n.B flametop 4242\nLook at a process that runs.\n"
	".TP\n.B flametop \\-\\- ./server \\-\\-port 80\n"
	"Start one and look at it from its first instruction.\n"
	".TP\n"
	".B flametop record \\-d 30 \\-o before.folded \\-n redis\\-server\n"
	"Keep half a minute for later.\n"
	".TP\n.B flametop before.folded\nLook at it.\n"
	".TP\n.B flametop explain 4242 libc.so.6+0x9d000\n"
	"Why this place has this name, or none, and how it is unwound. An\n"
	"address of the process (0x7f12), a frame as a picture writes it, or "
	"of\na file: a virtual address (0x4012) or an offset in it (+0x1012).\n"
	".TP\n.B flametop doctor 4242\n"
	"What is permitted here, and what to do about the rest.\n"
	".SH SEE ALSO\n"
	".BR perf (1),\n.BR perf_event_open (2),\n.BR ptrace (2)\n";

/* TEXT with what roff takes for itself made plain. */
static void
put(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '-')
			fputs("\\-", out);
		else if (*text == '\\')
			fputs("\\e", out);
		else if (*text == '\'')
			fputs("\\(aq", out);
		else
			putc(*text, out);
	}
}

/* At the beginning of a line a dot and a quote are commands. */
static void
put_line(FILE *out, const char *text)
{
	if (*text == '.' || *text == '\'')
		fputs("\\&", out);
	put(out, text);
	putc('\n', out);
}

static void
write_synopsis(FILE *out)
{
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		fputs(i ? ".br\n.B flametop " : ".B flametop ", out);
		put(out, command_rows[i].word);
		fputs("\n[\\fIoptions\\fR] ", out);
		put_line(out, command_rows[i].arguments);
	}
}

static void
write_commands(FILE *out)
{
	fputs(".SH COMMANDS\n", out);
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		fputs(".TP\n.B ", out);
		put_line(out, *command_rows[i].word ? command_rows[i].word :
			 "(no command)");
		put_line(out, command_rows[i].help);
	}
}

static void
write_options(FILE *out)
{
	const char *group = "";

	fputs(".SH OPTIONS\n", out);
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		const struct option_row *row = &option_rows[i];

		if (strcmp(group, row->group) != 0) {
			group = row->group;
			fprintf(out, ".SS %s\n", group);
		}
		fputs(".TP\n", out);
		if (row->letter)
			fprintf(out, "\\fB\\-%c\\fR, ", row->letter);
		fputs("\\fB\\-\\-", out);
		put(out, row->word);
		fputs("\\fR", out);
		if (row->argument) {
			fputs(" \\fI", out);
			put(out, row->argument);
			fputs("\\fR", out);
		}
		putc('\n', out);
		put_line(out, row->help);
	}
}

static void
write_keys(FILE *out)
{
	struct keymap *keymap = keymap_new();
	const char *group = "";

	fputs(".SH KEYS\n"
	      "In brackets the name of the action, for a file of your own.\n",
	      out);
	for (size_t i = 1; i < ACTION_COUNT; i++) {
		const struct action_row *row = &action_rows[i];
		char keys[128];

		keymap_keys(keymap, (enum action)i, keys, sizeof(keys));
		if (strcmp(group, row->group) != 0) {
			group = row->group;
			fprintf(out, ".SS %s\n", group);
		}
		fputs(".TP\n\\fB", out);
		put(out, keys);
		fputs("\\fR\n", out);
		put(out, row->help);
		fputs(" [", out);
		put(out, row->word);
		fputs("]\n", out);
	}
	keymap_free(keymap);
}

/* In a cell of Markdown a bar and a backquote are not themselves. */
static void
put_key(FILE *out, const char *key)
{
	if (strcmp(key, "|") == 0)
		fputs("`\\|`", out);
	else if (strcmp(key, "`") == 0)
		fputs("`` ` ``", out);
	else
		fprintf(out, "`%s`", key);
}

void
manual_write_keys(FILE *out)
{
	struct keymap *keymap = keymap_new();
	const char *group = "";

	fputs("| | key | what it does |\n|---|---|---|\n", out);
	for (size_t i = 1; i < ACTION_COUNT; i++) {
		const struct action_row *row = &action_rows[i];
		char keys[128], *save = NULL;

		keymap_keys(keymap, (enum action)i, keys, sizeof(keys));
		fprintf(out, "| %s |", strcmp(group, row->group) != 0 ?
			row->group : "");
		group = row->group;
		for (char *key = strtok_r(keys, " ", &save); key;
		     key = strtok_r(NULL, " ", &save)) {
			putc(' ', out);
			put_key(out, key);
		}
		fprintf(out, " | %s |\n", row->help);
	}
	keymap_free(keymap);
}

void
manual_write(FILE *out)
{
	fputs(opening, out);
	write_synopsis(out);
	fputs(description, out);
	write_commands(out);
	write_options(out);
	write_keys(out);
	fputs(closing, out);
}
