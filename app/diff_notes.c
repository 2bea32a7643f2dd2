/* SPDX-License-Identifier: MIT */
/*
 * diff_notes.c - what a reader should know before believing a comparison.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "app/diff_print.h"
#include "core/base.h"

static void __attribute__((format(printf, 2, 3)))
note(struct diff_notes *notes, const char *format, ...)
{
	char text[600];
	va_list args;

	if (notes->count == NOTES_MAX)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	notes->at[notes->count++] = xstrdup(text);
}

void
diff_notes_fini(struct diff_notes *notes)
{
	for (size_t i = 0; i < notes->count; i++)
		free(notes->at[i]);
	*notes = (struct diff_notes){ 0 };
}

/* Keys whose values should be the same, or are the reason to compare. */
static const struct {
	const char *key, *words;
	bool is_condition;	/* a difference makes numbers less alike */
} labels[] = {
	{ "app.version", "version", false },
	{ "app.commit", "commit", false },
	{ "app.env", "environment", false },
	{ "build-id", "build id", false },
	{ "event", "event", true },
	{ "host", "host", true },
	{ "kernel", "kernel", true },
	{ "cpu", "CPU", true },
	{ "cpus", "number of CPUs", true },
	{ "governor", "CPU governor", true },
};

void
diff_note_labels(struct diff_notes *notes, const struct profile *base,
		 const struct profile *other)
{
	for (size_t i = 0; i < ARRAY_LEN(labels); i++) {
		const char *one = profile_get(base, labels[i].key);
		const char *two = profile_get(other, labels[i].key);

		if (one && two && strcmp(one, two) != 0)
			note(notes, "%s%s: %.200s, then %.200s",
			     labels[i].is_condition ? "not the same " : "",
			     labels[i].words, one, two);
	}
}

void
diff_note_sides(struct diff_notes *notes, const struct comparison *comparison)
{
	const struct compared_whole *whole = comparison_whole(comparison);
	bool base = comparison_side(comparison, SIDE_BASE)->blocks;
	bool other = comparison_side(comparison, SIDE_OTHER)->blocks;

	if (!base || !other)
		note(notes, "%s no blocks of time, so how sure a change is was "
		     "guessed (as if of a third of the samples)",
		     base ? "other has" : other ? "base has" :
		     "both have");
	if (whole->is_other_noisier || whole->is_base_noisier)
		note(notes, "the host was noisier in %s: interrupts %.1f %%, "
		     "then %.1f %%",
		     whole->is_other_noisier ? "other" : "base",
		     100 * whole->interrupts.share[SIDE_BASE],
		     100 * whole->interrupts.share[SIDE_OTHER]);
}
