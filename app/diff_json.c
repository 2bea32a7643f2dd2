/* SPDX-License-Identifier: MIT */
/*
 * diff_json.c - a comparison for programs; diff_print.h says what it holds.
 */
#include <stdlib.h>

#include "app/diff_print.h"

#define PATH_NAMES 64

static const char *const words[] = {
	[CHANGE_UNWATCHED] = "unwatched", [CHANGE_UNKNOWN] = "unknown",
	[CHANGE_NONE] = "none",		  [CHANGE_REGRESSED] = "regressed",
	[CHANGE_IMPROVED] = "improved",	  [CHANGE_NEW] = "new",
	[CHANGE_GONE] = "gone",		  [CHANGE_MOVED] = "moved",
};

/* --- values */

/* Names are clean UTF-8; what is left to spell out are these. */
static void
print_string(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', out);
		if ((unsigned char)*text < ' ')
			fprintf(out, "\\u%04x", (unsigned char)*text);
		else
			fputc(*text, out);
	}
	fputc('"', out);
}

static void
print_known(FILE *out, const char *key, double value, bool is_known)
{
	if (is_known)
		fprintf(out, ", \"%s\": %.6g", key, value);
	else
		fprintf(out, ", \"%s\": null", key);
}

static void
print_side(FILE *out, const char *name, const char *title,
	   const struct compared_side *side)
{
	fprintf(out, "  \"%s\": { \"title\": ", name);
	print_string(out, title);
	fprintf(out, ", \"files\": %zu, \"samples\": %llu", side->profiles,
		(unsigned long long)side->samples);
	print_known(out, "seconds", side->seconds, side->seconds > 0);
	print_known(out, "rate", side->rate, side->rate > 0);
	print_known(out, "cores", side->cores, side->cores >= 0);
	fprintf(out, ", \"blocks\": %zu, \"block_seconds\": %u, "
		"\"inflation\": %.4g },\n", side->blocks, side->block_seconds,
		side->inflation);
}

static void
print_estimate(FILE *out, const char *name, const struct estimate *e)
{
	fprintf(out, "      \"%s\": { \"base\": %.6f, \"other\": %.6f, "
		"\"change\": %.6f, \"half\": %.6f, \"p\": %.4g, "
		"\"verdict\": \"%s\"", name, e->share[SIDE_BASE],
		e->share[SIDE_OTHER], e->change, e->half, e->p,
		words[e->verdict]);
	print_known(out, "needs", e->needs, e->verdict == CHANGE_UNKNOWN);
	fputs(" }", out);
}

static void
print_path(FILE *out, const struct comparison *comparison, uint32_t row)
{
	const char *names[PATH_NAMES];
	size_t count = comparison_path(comparison, row, names, PATH_NAMES);

	fputs("      \"path\": [", out);
	for (size_t i = 0; i < count; i++) {
		fputs(i ? ", " : "", out);
		print_string(out, names[i]);
	}
	fputs("],\n", out);
}

static void
print_row(FILE *out, const struct comparison *comparison, uint32_t id)
{
	size_t n;
	const struct compared *rows = comparison_rows(comparison, &n);
	const struct compared *row = &rows[id];

	fputs("    { \"name\": ", out);
	print_string(out, row->name);
	fprintf(out, ",\n      \"verdict\": \"%s\", \"by\": \"%s\", "
		"\"line\": ", words[row->verdict],
		row->is_by_self ? "self" : "total");
	print_string(out, rows[row->under].name);
	fputs(", \"moved\": ", out);
	if (row->moved == COMPARED_NONE)
		fputs("null", out);
	else
		print_string(out, rows[row->moved].name);
	fputs(",\n", out);
	print_path(out, comparison, id);
	print_estimate(out, "total", &row->total);
	fputs(",\n", out);
	print_estimate(out, "self", &row->self);
	fputs(" }", out);
}

static void
print_notes(FILE *out, const struct diff_notes *notes)
{
	fputs("  \"notes\": [", out);
	for (size_t i = 0; i < notes->count; i++) {
		fputs(i ? ", " : "", out);
		print_string(out, notes->at[i]);
	}
	fputs("],\n", out);
}

void
diff_print_json(FILE *out, const struct comparison *comparison,
		const struct diff_titles *titles,
		const struct diff_notes *notes)
{
	const struct compared_whole *whole = comparison_whole(comparison);
	size_t count;
	uint32_t *sorted = diff_sorted(comparison, &count);

	fputs("{ \"format\": \"flametop diff\", \"version\": 1,\n", out);
	print_side(out, "base", titles->base,
		   comparison_side(comparison, SIDE_BASE));
	print_side(out, "other", titles->other,
		   comparison_side(comparison, SIDE_OTHER));
	fprintf(out, "  \"differs\": %s, \"changes\": %zu, \"p\": %.4g,\n",
		whole->changed ? "true" : "false", whole->changed, whole->p);
	print_notes(out, notes);
	fputs("  \"functions\": [", out);
	for (size_t i = 0; i < count; i++) {
		fputs(i ? ",\n" : "\n", out);
		print_row(out, comparison, sorted[i]);
	}
	fputs("\n  ] }\n", out);
	free(sorted);
}
