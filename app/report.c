/* SPDX-License-Identifier: MIT */
/*
 * report.c - tables of functions and paths.
 */
#include "app/report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/report_sums.h"
#include "formats/format.h"
#include "tui/text.h"

#define TOP_FUNCTIONS 25
#define TOP_PATHS 12
#define TOP_CALLERS 3
#define LOOKED_AT 5		/* functions whose callers are told */
#define LOOKED_AT_SHARE 20	/* of all: one part in so many at least */
#define PATH_WIDTH 2000

static void
print_heading(FILE *out)
{
	fprintf(out, "%9s %9s %12s  %s\n", "self", "total", "samples",
		"function");
}

static void
print_row(FILE *out, const struct report_row *named, uint64_t all,
	  uint64_t samples)
{
	const struct function_row *row = &named->row;
	char self[16], total[16], count[32];

	fprintf(out, "%9s %9s %12s  %s\n",
		share_text(self, sizeof(self), row->self, all),
		share_text(total, sizeof(total), row->total, all),
		count_text(count, sizeof(count), samples), named->name);
}

void
report_functions(FILE *out, const struct picture *picture,
		 const struct names *names, size_t n, bool is_by_total)
{
	uint64_t all = picture_total(picture);
	size_t count;
	struct report_row *sorted = report_rows(picture, names, is_by_total,
						&count);

	print_heading(out);
	for (size_t i = 0; i < count && i < n; i++) {
		const struct function_row *row = &sorted[i].row;
		uint64_t samples = is_by_total ? row->total : row->self;

		if (!samples)
			break;
		print_row(out, &sorted[i], all, samples);
	}
	free(sorted);
}

/* Those that match are moved to the front, in order; how many there are. */
static size_t
keep_matching(struct report_row *rows, size_t count, struct pattern *pattern)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (pattern_match(pattern, rows[i].name) == PATTERN_YES)
			rows[kept++] = rows[i];
	return kept;
}

void
report_found(FILE *out, const struct picture *picture,
	     const struct names *names, size_t n, struct pattern *pattern)
{
	uint64_t all = picture_total(picture);
	size_t count, found;
	struct report_row *sorted = report_rows(picture, names, false, &count);

	found = keep_matching(sorted, count, pattern);
	fprintf(out, "%zu functions match\n", found);
	if (found)
		print_heading(out);
	for (size_t i = 0; i < found && i < n; i++)
		print_row(out, &sorted[i], all, sorted[i].row.self);
	free(sorted);
}

/* --- paths, and who calls */

static void
print_path(FILE *out, const struct calltree *tree, const struct names *names,
	   node_id leaf)
{
	size_t count, used = 0;
	node_id *nodes = report_path_nodes(tree, leaf, &count);

	for (size_t i = 0; i < count; i++) {
		bool is_last = i + 1 == count;
		const char *name = names_text(names, calltree_func(tree,
								   nodes[i]));

		used += strlen(name);
		if (used > PATH_WIDTH && !is_last)
			continue;
		fprintf(out, "%s%s", name, is_last ? "\n" : " > ");
	}
	free(nodes);
}

static void
print_paths(FILE *out, const struct picture *picture,
	    const struct names *names)
{
	const struct calltree *tree = picture_tree(picture);
	struct report_path best[TOP_PATHS];
	size_t count = report_paths(tree, best, TOP_PATHS);
	char share[16];

	for (size_t i = 0; i < count; i++) {
		fprintf(out, "%9s  ", share_text(share, sizeof(share),
						 best[i].self,
						 picture_total(picture)));
		print_path(out, tree, names, best[i].leaf);
	}
}

static void
print_callers(FILE *out, const struct picture *picture,
	      const struct names *names, const struct report_row *row)
{
	struct report_caller callers[TOP_CALLERS];
	uint64_t all = picture_total(picture);
	size_t count = report_callers(picture_tree(picture), row->row.func,
				      callers, TOP_CALLERS);
	char share[16];

	fprintf(out, "%9s  %s\n", share_text(share, sizeof(share),
					     row->row.self, all), row->name);
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%20s  from %s\n",
			share_text(share, sizeof(share), callers[i].self, all),
			names_text(names, callers[i].func));
}

/* What takes most time itself, and on whose account. */
static void
print_where_to_look(FILE *out, const struct picture *picture,
		    const struct names *names)
{
	uint64_t all = picture_total(picture);
	size_t count;
	struct report_row *rows = report_rows(picture, names, false, &count);

	for (size_t i = 0; i < count && i < LOOKED_AT; i++)
		if (rows[i].row.self >= all / LOOKED_AT_SHARE || i == 0)
			print_callers(out, picture, names, &rows[i]);
	free(rows);
}

void
report_print(FILE *out, struct profile *profile, struct names *names,
	     bool hides_inlined)
{
	struct picture *picture = report_picture(profile, names,
						 hides_inlined);
	char count[32];

	report_head(out, profile);
	fprintf(out, "\n%s %s\n",
		count_text(count, sizeof(count), picture_total(picture)),
		report_unit(profile));
	if (picture_total(picture) > 0) {
		fputs("\nHottest functions, by self\n", out);
		report_functions(out, picture, names, TOP_FUNCTIONS, false);
		fputs("\nHottest functions, with what they call\n", out);
		report_functions(out, picture, names, TOP_FUNCTIONS, true);
		fputs("\nHottest paths\n", out);
		print_paths(out, picture, names);
		fputs("\nWhere to look: the hottest by self, and who calls "
		      "them\n", out);
		print_where_to_look(out, picture, names);
	} else {
		fputs(profile_get(profile, "rate") ?
		      "\nIt used next to no CPU time while it was watched.\n" :
		      "\nNothing in it has a count.\n", out);
	}
	picture_free(picture);
}

struct profile *
report_as_saved(struct profile *profile, struct names *names,
		struct error *err)
{
	struct write_options options = { .header = true, .threads = true };
	struct profile *saved = profile_new();
	struct read_report ignored;
	char *text = NULL;
	size_t len = 0;
	FILE *memory = open_memstream(&text, &len);
	bool ok = memory && format_folded.write(memory, profile, names,
						&options, err);

	profile_set_bound(saved, PROFILE_BOUND_FILE);
	if (memory && fclose(memory) != 0)
		ok = fail(err, errno, "no memory for the report");
	ok = ok && format_read(text, len, saved, &ignored, err);
	free(text);
	if (ok)
		return saved;
	profile_free(saved);
	return NULL;
}

/* --- the health line */

/* What is rare is named where there is some. */
static void
add_doubt(char *out, size_t size, const char *word, uint64_t count)
{
	size_t len = strlen(out);
	char number[32];

	if (count)
		snprintf(out + len, size - len, "  %s %s", word,
			 count_text(number, sizeof(number), count));
}

char *
report_health(const struct health *h, char *out, size_t size)
{
	char lost[32], cut[32], unresolved[16], rate[48], cpu[32];
	char stopped[32] = "", doubts[128] = "";

	if (h->hz_got < 0)
		snprintf(rate, sizeof(rate), "%.0f Hz", h->hz_wanted);
	else
		snprintf(rate, sizeof(rate), "%.0f of %.0f Hz", h->hz_got,
			 h->hz_wanted);
	if (h->own_cpu < 0)
		snprintf(cpu, sizeof(cpu), "n/a");
	else
		snprintf(cpu, sizeof(cpu), "%.1f %%", h->own_cpu);
	add_doubt(doubts, sizeof(doubts), "guessed", h->losses.guessed);
	add_doubt(doubts, sizeof(doubts), "stitched", h->losses.stitched);
	add_doubt(doubts, sizeof(doubts), "deep", h->losses.deep);
	add_doubt(doubts, sizeof(doubts), "rules late", h->losses.rules_late);
	if (h->is_stopping)
		snprintf(stopped, sizeof(stopped), "  stopped %.1f %%",
			 h->stopped);
	snprintf(out, size, "%s %s  %s samples  lost %s  cut %s%s  unnamed "
		 "%s  threads %u/%u%s  own CPU %s%s%s", h->event, rate,
		 count_text((char[32]){ 0 }, 32, h->losses.samples),
		 count_text(lost, sizeof(lost), h->losses.lost),
		 count_text(cut, sizeof(cut), h->losses.cut), doubts,
		 share_text(unresolved, sizeof(unresolved),
			    h->losses.unresolved, h->losses.samples),
		 h->threads_seen, h->threads_total, stopped, cpu,
		 *h->note ? "\n" : "", h->note);
	return out;
}
