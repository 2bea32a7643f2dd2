/* SPDX-License-Identifier: MIT */
/*
 * cmd_diff.c - saved profiles against saved profiles.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/commands.h"
#include "app/diff_print.h"
#include "app/load.h"
#include "app/save.h"
#include "app/say.h"
#include "app/signals.h"
#include "core/sanitise.h"

#define ROUNDING 1e-9		/* 20 per cent of all is 20 per cent */

/* Files of both sides as they were named, and the first profile of each. */
struct diff {
	const struct options *options;
	struct recording recording;
	struct comparison *comparison;
	const char *const *files[SIDES];
	size_t count[SIDES];
	struct profile *first[SIDES];
	enum kind kind;
	bool has_kind;
};

static const char *const kind_words[KIND_COUNT] = {
	[KIND_CPU] = "CPU time", [KIND_BLOCKED] = "waiting",
	[KIND_RUNNABLE] = "waiting for a CPU", [KIND_FAULT] = "page faults",
	[KIND_SWITCH] = "context switches",
};

/* Counts of different things are not compared. */
static bool
check_kind(struct diff *diff, const struct profile *profile, const char *path,
	   struct error *err)
{
	enum kind kind = profile_kind(profile);

	if (diff->has_kind && kind != diff->kind)
		return fail(err, 0, "%.150s is about %s, the files before it "
			    "about %s: there is nothing to compare", path,
			    kind_words[kind], kind_words[diff->kind]);
	diff->kind = kind;
	diff->has_kind = true;
	return true;
}

static bool
add_file(struct diff *diff, enum side side, const char *path,
	 struct error *err)
{
	struct profile *profile = load_profile(&diff->recording, path, err);
	struct names *names;

	if (!profile)
		return false;
	if (!check_kind(diff, profile, path, err)) {
		profile_free(profile);
		return false;
	}
	names = names_new(profile);
	comparison_add(diff->comparison, side, profile, names, diff->kind);
	names_free(names);
	if (diff->first[side])
		profile_free(profile);
	else
		diff->first[side] = profile;
	return true;
}

static bool
add_files(struct diff *diff, struct error *err)
{
	for (int side = 0; side < SIDES; side++)
		for (size_t i = 0; i < diff->count[side]; i++)
			if (!add_file(diff, (enum side)side,
				      diff->files[side][i], err))
				return false;
	return true;
}

static void
print(const struct diff *diff, const struct diff_titles *titles)
{
	struct diff_notes notes = { 0 };

	diff_note_labels(&notes, diff->first[SIDE_BASE],
			 diff->first[SIDE_OTHER]);
	diff_note_sides(&notes, diff->comparison);
	if (diff->options->has[OPTION_JSON])
		diff_print_json(stdout, diff->comparison, titles, &notes);
	else
		diff_print_text(stdout, diff->comparison, titles, &notes);
	diff_notes_fini(&notes);
}

/* The file of the picture; NULL: none. On a screen -o is another thing. */
static const char *
picture_of(const struct options *o)
{
	return o->command == COMMAND_DIFF ? o->output : NULL;
}

/* A picture on standard output is all there is to stand there. */
static bool
tell(const struct diff *diff, struct error *err)
{
	const char *base = diff->files[SIDE_BASE][0];
	const char *other = diff->files[SIDE_OTHER][0];
	struct diff_titles titles = { sanitise(base, strlen(base)),
				      sanitise(other, strlen(other)) };
	const char *picture = picture_of(diff->options);
	bool ok;

	ok = !picture || diff_save_picture(picture,
					   diff->options->has[OPTION_FORCE],
					   diff->comparison, &titles, err);
	if (ok && (!picture || strcmp(picture, "-") != 0))
		print(diff, &titles);
	free(titles.base);
	free(titles.other);
	return ok;
}

/* Is there a line that --fail-on asks for? It is named. */
static bool
has_found(const struct diff *diff)
{
	size_t count;
	const struct compared *rows = comparison_rows(diff->comparison,
						      &count);
	bool has_any = false;

	for (uint32_t i = 1; i < count; i++) {
		const struct compared *row = &rows[i];
		double change = 100 * (row->is_by_self ? row->self.change :
							 row->total.change);

		if ((row->verdict != CHANGE_REGRESSED &&
		     row->verdict != CHANGE_NEW) || row->under != i ||
		    change < diff->options->fail_on - ROUNDING)
			continue;
		say("%s: %+.2f per cent of all", row->name, change);
		has_any = true;
	}
	return has_any;
}

static int
finish(struct diff *diff, struct error *err)
{
	int status;

	signals_end_us();
	comparison_judge(diff->comparison);
	if (!tell(diff, err)) {
		say("%s", err->text);
		return STATUS_FAILED;
	}
	status = say_flush();
	if (status == STATUS_DONE && diff->options->has[OPTION_FAIL_ON] &&
	    has_found(diff))
		status = STATUS_FOUND;
	return status;
}

/*
 * With -b, all others are the other side; without, the first is the base. One
 * that was to be shown on a screen has just its two.
 */
static void
choose_sides(struct diff *diff)
{
	const struct options *o = diff->options;
	bool has_bases = o->nbases > 0;

	diff->files[SIDE_BASE] = &o->base;
	diff->files[SIDE_OTHER] = &o->file;
	diff->count[SIDE_BASE] = diff->count[SIDE_OTHER] = 1;
	if (o->command != COMMAND_DIFF)
		return;
	diff->files[SIDE_BASE] = has_bases ? o->bases : o->files;
	diff->count[SIDE_BASE] = has_bases ? o->nbases : 1;
	diff->files[SIDE_OTHER] = o->files + !has_bases;
	diff->count[SIDE_OTHER] = o->nfiles - !has_bases;
}

int
diff_files(const struct options *options, struct link *link)
{
	struct compare_rules rules = compare_default;
	struct diff diff = { .options = options };
	struct error err = { 0 };
	int status = STATUS_FAILED;

	if (picture_of(options) &&
	    !save_permitted(options->output, options->has[OPTION_FORCE],
			    &err)) {
		say("%s", err.text);
		return status;
	}
	rules.drops_templates = options->has[OPTION_NO_TEMPLATES];
	choose_sides(&diff);
	diff.comparison = comparison_new(&rules);
	recording_init(&diff.recording, options, link);
	if (add_files(&diff, &err))
		status = finish(&diff, &err);
	else
		say("%s", err.text);
	for (int side = 0; side < SIDES; side++)
		profile_free(diff.first[side]);
	comparison_free(diff.comparison);
	recording_close(&diff.recording);
	return status;
}

static int
diff_app(void *ctx, struct link *link)
{
	return diff_files(ctx, link);
}

int
cmd_diff(const struct options *options)
{
	struct plan plan = { .app = diff_app, .ctx = (void *)options };

	return supervise(&plan);
}
