/* SPDX-License-Identifier: MIT */
/*
 * options_check.c - what does not go together.
 */
#include "app/options_private.h"

#include <string.h>

#include "app/diff_print.h"

bool
options_read_files(const struct options *o)
{
	return o->command == COMMAND_CONVERT || o->command == COMMAND_MERGE ||
	       o->command == COMMAND_DIFF;
}

/* How many ways a target is named in. */
static int
count_targets(const struct options *o)
{
	return (o->npids > 0) + (o->name != NULL) + (o->argv != NULL) +
	       (o->file != NULL);
}

static bool
check_target(const struct options *o, const char *or_what, struct error *err)
{
	return count_targets(o) > 0 ||
	       fail(err, 0, "%s needs a target: a PID, -n NAME%s",
		    command_rows[o->command].word, or_what);
}

static bool
check_explain(const struct options *o, struct error *err)
{
	return (o->address && o->npids + (o->file != NULL) == 1) ||
	       fail(err, 0, "explain needs a process or a file, and an "
		    "address: explain PID 0x7f12, explain FILE 0x4012 "
		    "(virtual) or +0x1012 (in the file)");
}

static bool
check_dump(const struct options *o, struct error *err)
{
	return (!o->file && !o->argv && (o->npids > 0 || o->name)) ||
	       fail(err, 0, "dump needs a process that runs: a PID, "
		    "-p PID[,PID...] or -n NAME");
}

static bool
check_record(const struct options *o, struct error *err)
{
	if (!o->output)
		return fail(err, 0, "record needs -o FILE (- is standard "
			    "output)");
	if (o->file)
		return fail(err, 0, "record needs a process, and %.60s is a "
			    "file", o->file);
	return check_target(o, " or -- COMMAND", err);
}

static bool
check_written(const struct options *o, struct error *err)
{
	return (count_targets(o) == 0 && o->nfiles && o->output) ||
	       fail(err, 0, "%s needs a file (- is standard input) and -o "
		    "FILE (- is standard output)",
		    command_rows[o->command].word);
}

/* What changed is no profile, but it can be looked at. */
static bool
check_picture(const struct options *o, struct error *err)
{
	return !o->output || (o->to ? strcmp(o->to, "svg") == 0 :
			      strcmp(o->output, "-") == 0 ||
			      diff_is_picture(o->output)) ||
	       fail(err, 0, "diff writes a picture: -o NAME.svg, or --to svg");
}

static bool
check_diff(const struct options *o, struct error *err)
{
	if (count_targets(o) || !o->nfiles || o->nbases + o->nfiles < 2)
		return fail(err, 0, "diff needs two files: diff BASE FILE, or "
			    "diff -b BASE -b BASE FILE FILE");
	return check_picture(o, err);
}

static bool
check_command(const struct options *o, struct error *err)
{
	switch (o->command) {
	case COMMAND_EXPLAIN:
		return check_explain(o, err);
	case COMMAND_DUMP:
		return check_dump(o, err);
	case COMMAND_RECORD:
		return check_record(o, err);
	case COMMAND_REPORT:
		return check_target(o, ", -- COMMAND or a FILE", err);
	case COMMAND_CONVERT:
	case COMMAND_MERGE:
		return check_written(o, err);
	case COMMAND_DIFF:
		return check_diff(o, err);
	default:
		return true;
	}
}

bool
options_check(const struct options *o, struct error *err)
{
	if (o->has[OPTION_HELP] || o->has[OPTION_VERSION])
		return true;
	if (count_targets(o) > 1)
		return fail(err, 0, "one target at a time: a PID, -n NAME, "
			    "-- COMMAND or a FILE");
	if (o->has[OPTION_JSON] && o->command != COMMAND_DUMP &&
	    o->command != COMMAND_DIFF && o->command != COMMAND_REPORT)
		return fail(err, 0, "--json is for dump, report and diff");
	if (o->nbases && o->command != COMMAND_DIFF)
		return fail(err, 0, "-b is for diff; flametop BASE FILE "
			    "compares on the screen");
	return check_command(o, err);
}
