/* SPDX-License-Identifier: MIT */
/*
 * report.c - tables of functions and paths.
 */
#include "app/report.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/blocks.h"
#include "formats/format.h"
#include "tui/text.h"

#define TOP_FUNCTIONS 25
#define TOP_PATHS 12
#define PATH_WIDTH 2000

struct named_row {
	struct function_row row;
	const char *name;
};

static int
by_self(const void *a, const void *b)
{
	const struct named_row *x = a, *y = b;

	if (x->row.self != y->row.self)
		return x->row.self < y->row.self ? 1 : -1;
	if (x->row.total != y->row.total)
		return x->row.total < y->row.total ? 1 : -1;
	return strcmp(x->name, y->name);
}

static int
by_total(const void *a, const void *b)
{
	const struct named_row *x = a, *y = b;

	if (x->row.total != y->row.total)
		return x->row.total < y->row.total ? 1 : -1;
	return by_self(a, b);
}

static struct named_row *
name_rows(const struct function_row *rows, size_t count,
	  const struct names *names)
{
	struct named_row *named = xcalloc(count + 1, sizeof(*named));

	for (size_t i = 0; i < count; i++)
		named[i] = (struct named_row){
			rows[i], names_text(names, rows[i].func),
		};
	return named;
}

static void
print_heading(FILE *out)
{
	fprintf(out, "%9s %9s %12s  %s\n", "self", "total", "samples",
		"function");
}

static void
print_row(FILE *out, const struct named_row *named, uint64_t all,
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
	const struct function_row *rows = picture_functions(picture, &count);
	struct named_row *sorted = name_rows(rows, count, names);

	qsort(sorted, count, sizeof(*sorted),
	      is_by_total ? by_total : by_self);
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

/* Those that match are moved to the front; how many there are. */
static size_t
keep_matching(struct named_row *rows, size_t count, struct pattern *pattern)
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
	const struct function_row *rows = picture_functions(picture, &count);
	struct named_row *sorted = name_rows(rows, count, names);

	found = keep_matching(sorted, count, pattern);
	qsort(sorted, found, sizeof(*sorted), by_self);
	fprintf(out, "%zu functions match\n", found);
	if (found)
		print_heading(out);
	for (size_t i = 0; i < found && i < n; i++)
		print_row(out, &sorted[i], all, sorted[i].row.self);
	free(sorted);
}

/* --- paths */

struct path {
	node_id leaf;
	uint64_t self;
};

/* Keep the hottest in BEST, sorted; ids of equal ones go up. */
static void
offer(struct path *best, size_t *count, struct path path)
{
	size_t i = *count;

	while (i > 0 && best[i - 1].self < path.self)
		i--;
	if (i == TOP_PATHS)
		return;
	if (*count < TOP_PATHS)
		++*count;
	memmove(&best[i + 1], &best[i], (*count - i - 1) * sizeof(*best));
	best[i] = path;
}

static void
print_path(FILE *out, const struct calltree *tree, const struct names *names,
	   node_id leaf)
{
	uint32_t depth = calltree_depth(tree, leaf);
	node_id *nodes = xcalloc(depth + 1, sizeof(*nodes));
	uint32_t count = 0;
	size_t used = 0;

	for (node_id n = leaf; n != 0 && count <= depth;
	     n = calltree_parent(tree, n))
		nodes[count++] = n;
	while (count-- > 0) {
		const char *name = names_text(names, calltree_func(tree,
							nodes[count]));

		used += strlen(name);
		if (used > PATH_WIDTH && count > 0)
			continue;
		fprintf(out, "%s%s", name, count ? " > " : "\n");
	}
	free(nodes);
}

static void
print_paths(FILE *out, const struct picture *picture,
	    const struct names *names)
{
	const struct calltree *tree = picture_tree(picture);
	uint64_t all = picture_total(picture);
	struct path best[TOP_PATHS];
	size_t count = 0;
	char share[16];

	for (node_id n = 1; n < calltree_count(tree); n++)
		if (calltree_self(tree, n))
			offer(best, &count, (struct path){
				n, calltree_self(tree, n) });
	for (size_t i = 0; i < count; i++) {
		fprintf(out, "%9s  ", share_text(share, sizeof(share),
						 best[i].self, all));
		print_path(out, tree, names, best[i].leaf);
	}
}

static void
print_header(FILE *out, const struct profile *profile)
{
	const char *key;

	fputs("# flametop report\n", out);
	for (size_t i = 0; (key = profile_key(profile, i)); i++)
		if (strncmp(key, BLOCKS_PREFIX, strlen(BLOCKS_PREFIX)) != 0)
			fprintf(out, "# %s: %s\n", key,
				profile_get(profile, key));
}

void
report_print(FILE *out, struct profile *profile, struct names *names,
	     bool hides_inlined)
{
	struct filter filter = { .hide_inlined = hides_inlined };
	struct picture *picture = picture_new(profile, names);
	size_t ignored;
	char count[32];

	if (hides_inlined)
		free(picture_set_filter(picture, &filter, NULL));
	free(picture_update(picture, &ignored));
	print_header(out, profile);
	fprintf(out, "\n%s samples\n",
		count_text(count, sizeof(count), picture_total(picture)));
	if (picture_total(picture) > 0) {
		fputs("\nHottest functions, by self\n", out);
		report_functions(out, picture, names, TOP_FUNCTIONS, false);
		fputs("\nHottest functions, with what they call\n", out);
		report_functions(out, picture, names, TOP_FUNCTIONS, true);
		fputs("\nHottest paths\n", out);
		print_paths(out, picture, names);
	} else {
		fputs("\nIt used next to no CPU time while it was watched.\n",
		      out);
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
