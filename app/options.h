/* SPDX-License-Identifier: MIT */
/*
 * options.h - the command line, each word of it written down once.
 *
 * These two lists are the parser's tables, the text of --help and the tables
 * in flametop(1).
 */
#ifndef APP_OPTIONS_H
#define APP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "app/capture.h"
#include "core/base.h"
#include "formats/format.h"
#include "sampler/unwind/unwind.h"
#include "tui/term.h"

#define FLAMETOP_VERSION "0.1.0"

/* The first word, if it is one of these. */
#define COMMANDS(_)							\
	/* id, word, arguments, help */					\
	_(LIVE,		"",		"TARGET | FILE | BASE FILE",	\
	  "live flame graph of a process; or look at a saved profile, and " \
	  "at what changed since another")				\
	_(RECORD,	"record",	"-o OUT TARGET",		\
	  "sample without a screen; SIGUSR1 writes now and goes on")	\
	_(REPORT,	"report",	"TARGET | FILE",		\
	  "hot functions and hot paths as text")			\
	_(DUMP,		"dump",		"TARGET",			\
	  "every thread's stack once, and what it waits for")		\
	_(CONVERT,	"convert",	"FILE -o OUT",			\
	  "a profile as another kind of file, by OUT's suffix: .folded, "	\
	  ".pb (pprof), .json (speedscope) or .svg (a picture for browsers), " \
	  "with .gz or without; - for a pipe")				\
	_(MERGE,	"merge",	"FILE... -o OUT",		\
	  "several profiles as one: their counts are added")		\
	_(DIFF,		"diff",		"BASE FILE | -b BASE... FILE...", \
	  "what changed from one profile to another, with noise told apart") \
	_(DOCTOR,	"doctor",	"[PID]",			\
	  "what works here for this user, and how to get the rest")	\
	_(EXPLAIN,	"explain",	"PID | FILE ADDRESS",		\
	  "how an address got its name and its unwind rule")		\
	_(DEMO,		"demo",		"",				\
	  "look at a built-in busy program")

#define OPTIONS(_)							\
	/* id, short, long, argument, group, help */			\
	_(PID,		'p', "pid",	"PID[,PID...]", "Target",	\
	  "watch these processes")					\
	_(NAME,		'n', "name",	"NAME", "Target",		\
	  "watch the process of this name; choose if there are several") \
	_(TID,		't', "tid",	"TID[,TID...]", "Target",	\
	  "only these threads")						\
	_(FOLLOW,	0,   "follow",	NULL, "Target",			\
	  "children of the target too")					\
	_(FREQ,		'F', "freq",	"HZ", "Sampling",		\
	  "samples a second and running thread (99)")			\
	_(DURATION,	'd', "duration", "TIME", "Sampling",		\
	  "stop after that time: 10, 10s, 5m, 2h")			\
	_(SAMPLER,	0,   "sampler",	"auto|perf|ptrace", "Sampling",	\
	  "perf_event, or ptrace where that is refused (auto)")		\
	_(UNWIND,	0,   "unwind",	"auto|fp|cfi|libunwind", "Sampling", \
	  "unwind by frame pointers or unwind tables alone (auto: both); " \
	  "by that library, for comparison")				\
	_(INLINE,	0,   "inline",	"auto|full|off", "Sampling",	\
	  "inlined functions as frames: of what is on the screen and of all " \
	  "that is written (auto), of all at once, never")		\
	_(NO_KERNEL,	0,   "no-kernel", NULL, "Sampling",		\
	  "leave kernel frames out")					\
	_(THEME,	0,   "theme",	"NAME", "Screen",		\
	  "colours: default light dusk aurora ember paper; protan deutan " \
	  "tritan for the colour-blind; console mono; or your own")	\
	_(COLOR,	0,   "color",	"auto|256|16|mono", "Screen",	\
	  "how many colours the terminal has (auto)")			\
	_(ASCII,	0,   "ascii",	NULL, "Screen",			\
	  "draw with ASCII characters only")				\
	_(NO_CHAINS,	0,   "no-chains", NULL, "Screen",		\
	  "in the flame graph each call has a row of its own, also where " \
	  "there is but one way to go")					\
	_(MOUSE,	0,   "mouse",	NULL, "Screen",			\
	  "take the mouse: clicks and the wheel; Shift-drag selects text") \
	_(NO_MOUSE,	0,   "no-mouse", NULL, "Screen",		\
	  "leave the mouse to the terminal, as it is without --mouse")	\
	_(PLAIN,	0,   "plain",	NULL, "Screen",			\
	  "no screen: print the top every few seconds, and answer typed " \
	  "commands (help lists them)")			\
	_(TYPE,		0,   "type",	"NAME", "Files",		\
	  "of a file with several kinds of counts (pprof, perf script, "	\
	  "bpftrace): these, by name or number")			\
	_(BASE,		'b', "base",	"FILE", "Files",		\
	  "diff: compare with this one; several are taken together, as all " \
	  "files without it are")					\
	_(NO_TEMPLATES,	0,   "no-templates", NULL, "Files",		\
	  "diff: functions are the same whatever their templates are made " \
	  "of")								\
	_(FAIL_ON,	0,   "fail-on",	"PCT", "Files",			\
	  "diff: exit status 5 when a function regressed by so many per " \
	  "cent of all, or more")					\
	_(OUTPUT,	'o', "output",	"FILE", "Output",		\
	  "the profile to write, - for standard output; diff: a picture of " \
	  "what changed (.svg); live: what becomes of the command's output") \
	_(TO,		0,   "to",	"SUFFIX", "Output",		\
	  "write what this suffix means, whatever the name's is: for "	\
	  "-o -")							\
	_(NO_HEADER,	0,   "no-header", NULL, "Output",		\
	  "write no # lines, for tools that choke on them")		\
	_(NO_THREADS,	0,   "no-threads", NULL, "Output",		\
	  "write stacks without the thread's name")			\
	_(FORCE,	'f', "force",	NULL, "Output",			\
	  "write over a file that exists")				\
	_(TAG,		0,   "tag",	"KEY=VALUE", "Output",		\
	  "note this in the profile")					\
	_(JSON,		0,   "json",	NULL, "Output",			\
	  "dump, report, diff: as JSON")				\
	_(QUIET,	'q', "quiet",	NULL, "Output",			\
	  "no progress on standard error")				\
	_(VERSION,	'V', "version",	NULL, "Other",			\
	  "say which version this is")					\
	_(HELP,		'h', "help",	NULL, "Other",			\
	  "this text")

enum command_id {
#define COMMAND_ID(id, word, arguments, help) COMMAND_##id,
	COMMANDS(COMMAND_ID)
#undef COMMAND_ID
	COMMAND_COUNT
};

enum option_id {
#define OPTION_ID(id, letter, word, argument, group, help) OPTION_##id,
	OPTIONS(OPTION_ID)
#undef OPTION_ID
	OPTION_COUNT
};

struct command_row {
	const char *word, *arguments, *help;
};
struct option_row {
	char letter;		/* 0: none */
	const char *word, *argument, *group, *help;
};
extern const struct command_row command_rows[COMMAND_COUNT];
extern const struct option_row option_rows[OPTION_COUNT];

/* What the program ends with. */
enum {
	STATUS_DONE, STATUS_FAILED, STATUS_USAGE, STATUS_REFUSED,
	STATUS_NO_TARGET, STATUS_FOUND,
};

/* In the order of --inline's words. */
enum inline_mode { INLINE_AUTO, INLINE_FULL, INLINE_OFF };

#define PIDS_MAX SHARED_TARGETS
#define TAGS_MAX 32
#define FILES_MAX 256

/* All strings are borrowed from argv. */
struct options {
	enum command_id command;
	bool has[OPTION_COUNT];

	pid_t pids[PIDS_MAX], tids[PIDS_MAX];
	size_t npids, ntids;
	const char *name;
	const char *file;		/* a profile to open */
	const char *base;		/* one to compare it with */
	const char *files[FILES_MAX];	/* convert, merge, diff: to read */
	size_t nfiles;
	const char *bases[FILES_MAX];	/* diff: to compare with */
	size_t nbases;
	double fail_on;			/* per cent; diff */
	const char *address;		/* explain: as it was written */
	char *const *argv;		/* after "--"; NULL: none */

	unsigned hz;
	double seconds;			/* 0: until the end */
	enum sampler_choice sampler;
	enum unwind_mode unwind;
	enum inline_mode inlined;

	struct read_options read;	/* of files */

	const char *theme;
	enum term_colours colours;
	const char *output, *to;
	const char *tags[TAGS_MAX];
	size_t ntags;

	char problem[480];		/* of the config file; or "" */
};

/* False when the command line is wrong: ERR says how it is right. */
bool options_parse(struct options *options, int argc, char **argv,
		   struct error *err);

/*
 * One of the options for sampling and screen, by its long name; VALUE (NULL:
 * none) is borrowed. What GIVEN has stays as it is.
 */
bool options_set(struct options *options, const struct options *given,
		 const char *word, const char *value, struct error *err);

void options_help(FILE *out);

#endif
