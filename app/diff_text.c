/* SPDX-License-Identifier: MIT */
/*
 * diff_text.c - a comparison for people: the answer first, then why.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/diff_print.h"
#include "core/base.h"
#include "tui/text.h"

#define LINES_MAX 40
#define LISTED_MAX 12
#define PATH_MAX_NAMES 9
#define WITH_MAX 4

static const char *
verdict_word(const struct compared *row)
{
	switch (row->verdict) {
	case CHANGE_REGRESSED:
		return "regressed";
	case CHANGE_IMPROVED:
		return "improved";
	case CHANGE_NEW:
		return "new";
	case CHANGE_GONE:
		return "gone";
	case CHANGE_MOVED:
		return "renamed";
	case CHANGE_UNWATCHED:
	case CHANGE_UNKNOWN:
	case CHANGE_NONE:
		break;
	}
	return "";
}

static const struct estimate *
told(const struct compared *row)
{
	return row->is_by_self ? &row->self : &row->total;
}

/* --- the sides */

static void
print_side(FILE *out, const char *name, const char *title,
	   const struct compared_side *side)
{
	char count[32];

	fprintf(out, "%-6s %s", name, title);
	if (side->profiles > 1)
		fprintf(out, " and %zu more", side->profiles - 1);
	fprintf(out, ": %s samples",
		count_text(count, sizeof(count), side->samples));
	if (side->seconds > 0)
		fprintf(out, " in %.1f s", side->seconds);
	if (side->rate > 0)
		fprintf(out, " at %.0f Hz", side->rate);
	if (side->cores >= 0)
		fprintf(out, ", %.2f CPUs", side->cores);
	fputc('\n', out);
}

/* The one sentence that ends most of such questions. */
static void
print_whole(FILE *out, const struct comparison *comparison)
{
	const struct compared_whole *whole = comparison_whole(comparison);
	uint64_t base = comparison_side(comparison, SIDE_BASE)->samples;
	uint64_t other = comparison_side(comparison, SIDE_OTHER)->samples;
	char one[32], two[32];

	count_text(one, sizeof(one), base);
	count_text(two, sizeof(two), other);
	if (whole->changed)
		fprintf(out, "%zu change%s (p = %.2g, %s against %s samples)",
			whole->changed, whole->changed > 1 ? "s" : "",
			whole->p, one, two);
	else if (whole->p > 0.05)
		fprintf(out, "The two are indistinguishable (p = %.2g, %s "
			"against %s samples)", whole->p, one, two);
	else
		fprintf(out, "The two differ (p = %.2g, %s against %s "
			"samples), but by nothing that matters", whole->p, one,
			two);
	fprintf(out, ".\n%zu function%s did not change", whole->unchanged,
		whole->unchanged == 1 ? "" : "s");
	if (whole->unknown)
		fprintf(out, "; for %zu, more samples are needed",
			whole->unknown);
	fputs(".\n", out);
}

/* --- lines */

static void
print_cores(FILE *out, const struct comparison *comparison,
	    const struct estimate *e)
{
	double base = comparison_side(comparison, SIDE_BASE)->cores;
	double other = comparison_side(comparison, SIDE_OTHER)->cores;
	char text[32] = "";

	if (base >= 0 && other >= 0)
		snprintf(text, sizeof(text), "%.2f > %.2f",
			 base * e->share[SIDE_BASE],
			 other * e->share[SIDE_OTHER]);
	fprintf(out, "  %-13s", text);
}

static void
print_path(FILE *out, const struct comparison *comparison, uint32_t row)
{
	const char *names[PATH_MAX_NAMES];
	size_t count = comparison_path(comparison, row, names,
				       ARRAY_LEN(names));

	if (count < 2)
		return;
	fputs("            in ", out);
	for (size_t i = 0; i + 1 < count; i++) {
		char name[200];

		fprintf(out, "%s%s", i ? " > " : "",
			text_cut(name, sizeof(name), names[i], 60, false));
	}
	fputc('\n', out);
}

/* What has most of a change below it, by size. */
static void
print_with(FILE *out, const struct comparison *comparison, uint32_t line,
	   const uint32_t *sorted, size_t count)
{
	size_t n, printed = 0;
	const struct compared *rows = comparison_rows(comparison, &n);

	for (size_t i = 0; i < count && printed < WITH_MAX; i++) {
		const struct compared *row = &rows[sorted[i]];
		char name[200];

		if (sorted[i] == line || row->under != line ||
		    rows[line].verdict == CHANGE_MOVED ||
		    fabs(row->total.change) >
		    1.01 * fabs(rows[line].total.change))
			continue;
		fprintf(out, "%s%s %+.2f", printed++ ? ", " :
			"            with ",
			text_cut(name, sizeof(name), row->name, 60, false),
			100 * row->total.change);
	}
	if (printed)
		fputc('\n', out);
}

static void
print_line(FILE *out, const struct comparison *comparison, uint32_t line,
	   const uint32_t *sorted, size_t count)
{
	size_t n;
	const struct compared *rows = comparison_rows(comparison, &n);
	const struct compared *row = &rows[line];
	const struct estimate *e = told(row);

	fprintf(out, "%+9.2f  ±%-5.2f %8.2f %% %8.2f %%", 100 * e->change,
		100 * e->half, 100 * e->share[SIDE_BASE],
		100 * e->share[SIDE_OTHER]);
	print_cores(out, comparison, e);
	fprintf(out, "  %-9s  %s%s", verdict_word(row), row->name,
		row->is_by_self ? " (itself)" : "");
	if (row->verdict == CHANGE_MOVED)
		fprintf(out, ", which was %s: %.2f %% then",
			rows[row->moved].name,
			100 * rows[row->moved].total.share[SIDE_BASE]);
	fputc('\n', out);
	print_path(out, comparison, line);
	print_with(out, comparison, line, sorted, count);
}

static void
print_changes(FILE *out, const struct comparison *comparison,
	      const uint32_t *sorted, size_t count)
{
	size_t n, printed = 0, left = 0;
	const struct compared *rows = comparison_rows(comparison, &n);

	for (size_t i = 0; i < count; i++) {
		const struct compared *row = &rows[sorted[i]];

		if (!change_is_one(row->verdict) || row->under != sorted[i])
			continue;
		if (!printed)
			fprintf(out, "\n%9s  %-6s %8s   %8s    %-13s  %-9s  "
				"%s\n", "points", "95 %", "base", "other",
				"CPUs", "", "function");
		if (printed < LINES_MAX) {
			print_line(out, comparison, sorted[i], sorted, count);
			printed++;
		} else {
			left++;
		}
	}
	if (left)
		fprintf(out, "and %zu smaller ones\n", left);
}

/* --- what is not told as a change */

static int
by_share(const void *va, const void *vb)
{
	const struct compared *a = *(struct compared *const *)va;
	const struct compared *b = *(struct compared *const *)vb;
	double x = fmax(a->total.share[0], a->total.share[1]);
	double y = fmax(b->total.share[0], b->total.share[1]);

	return x != y ? (x < y) - (x > y) : strcmp(a->name, b->name);
}

static const struct compared **
rows_with(const struct comparison *comparison, enum change verdict,
	  size_t *found)
{
	size_t count;
	const struct compared *rows = comparison_rows(comparison, &count);
	const struct compared **with = xcalloc(count + 1, sizeof(*with));

	*found = 0;
	for (size_t i = 1; i < count; i++)
		if (rows[i].verdict == verdict)
			with[(*found)++] = &rows[i];
	if (*found)
		qsort(with, *found, sizeof(*with), by_share);
	return with;
}

/*
 * How much more of both, of which there are HAVE, would make the variance a
 * NEEDS-th of what it is. That of a side falls as 1 / (HAVE + MORE); so most
 * of it goes with little more of the side that is short.
 */
static double
more_of_both(const struct estimate *e, double base, double other)
{
	double whole = e->variance[SIDE_BASE] + e->variance[SIDE_OTHER];
	double wanted = whole / e->needs;
	double middle = wanted * (base + other) -
			e->variance[SIDE_BASE] * base -
			e->variance[SIDE_OTHER] * other;
	double last = (wanted - whole) * base * other;

	return (sqrt(middle * middle - 4 * wanted * last) - middle) /
	       (2 * wanted);
}

static void
print_seconds(FILE *out, double seconds)
{
	if (seconds < 100)
		fprintf(out, "about %.0f s", ceil(seconds));
	else if (seconds < 100 * 60)
		fprintf(out, "about %.0f min", ceil(seconds / 60));
	else
		fprintf(out, "about %.0f h", ceil(seconds / 3600));
}

/* "about 40 s more of each", or samples where no time is known. */
static void
print_needs(FILE *out, const struct comparison *comparison,
	    const struct estimate *e)
{
	const struct compared_side *base = comparison_side(comparison,
							   SIDE_BASE);
	const struct compared_side *other = comparison_side(comparison,
							    SIDE_OTHER);
	double samples;
	char count[32];

	if (base->seconds > 0 && other->seconds > 0) {
		print_seconds(out, more_of_both(e, base->seconds,
						other->seconds));
		fputs(" more of each", out);
		return;
	}
	samples = more_of_both(e, (double)base->samples,
			       (double)other->samples);
	fprintf(out, "about %s more samples of each",
		count_text(count, sizeof(count),
			   (uint64_t)fmin(ceil(samples), 1e15)));
}

static void
print_unknown(FILE *out, const struct comparison *comparison)
{
	size_t count;
	const struct compared **rows = rows_with(comparison, CHANGE_UNKNOWN,
						 &count);

	if (count)
		fputs("\nCannot tell (points, 95 %; needed to see a change of "
		      "a tenth, or of a point)\n", out);
	for (size_t i = 0; i < count && i < LISTED_MAX; i++) {
		const struct estimate *e = &rows[i]->total;

		fprintf(out, "%+9.2f  ±%-5.2f %8.2f %% %8.2f %%  %s: ",
			100 * e->change, 100 * e->half,
			100 * e->share[SIDE_BASE],
			100 * e->share[SIDE_OTHER], rows[i]->name);
		print_needs(out, comparison, e);
		fputc('\n', out);
	}
	if (count > LISTED_MAX)
		fprintf(out, "and %zu smaller ones\n", count - LISTED_MAX);
	free(rows);
}

static void
print_unchanged(FILE *out, const struct comparison *comparison)
{
	size_t count;
	const struct compared **rows = rows_with(comparison, CHANGE_NONE,
						 &count);

	if (count)
		fputs("\nNo change (no more than so many points, 95 %)\n",
		      out);
	for (size_t i = 0; i < count && i < LISTED_MAX; i++)
		fprintf(out, "           ±%-5.2f %8.2f %% %8.2f %%  %s\n",
			100 * rows[i]->total.limit,
			100 * rows[i]->total.share[SIDE_BASE],
			100 * rows[i]->total.share[SIDE_OTHER],
			rows[i]->name);
	if (count > LISTED_MAX)
		fprintf(out, "and %zu smaller ones\n", count - LISTED_MAX);
	free(rows);
}

void
diff_print_text(FILE *out, const struct comparison *comparison,
		const struct diff_titles *titles,
		const struct diff_notes *notes)
{
	size_t count;
	uint32_t *sorted = diff_sorted(comparison, &count);

	print_side(out, "base", titles->base,
		   comparison_side(comparison, SIDE_BASE));
	print_side(out, "other", titles->other,
		   comparison_side(comparison, SIDE_OTHER));
	for (size_t i = 0; i < notes->count; i++)
		fprintf(out, "note   %s\n", notes->at[i]);
	fputc('\n', out);
	print_whole(out, comparison);
	print_changes(out, comparison, sorted, count);
	print_unknown(out, comparison);
	print_unchanged(out, comparison);
	free(sorted);
}
