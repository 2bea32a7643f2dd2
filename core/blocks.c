/* SPDX-License-Identifier: MIT */
/*
 * blocks.c - slots of a profile to blocks of its heaviest functions.
 *
 * Two passes: the first finds out which functions matter, the second counts
 * them block by block. A function is its name: what is told apart only by
 * addresses is one line in a file.
 */
#include "core/blocks.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/stack_funcs.h"
#include "core/strings.h"

#define SECOND UINT64_C(1000000000)
#define ROW_NONE UINT32_MAX
#define NAME_MAX_LEN 4096	/* of a name worth a line */

/* A name, by its id in TEXTS. */
struct named {
	uint64_t total;
	size_t stamp;		/* of the stack it was counted for last */
	uint32_t row;		/* in the second pass; ROW_NONE: none */
};

struct tally {
	const struct profile *profile;
	struct names *names;
	enum kind kind;
	struct stack_funcs funcs;
	struct strings *texts;
	string_id *text_of;	/* by function; 0: not asked yet */
	size_t ntext_of, text_of_capacity;
	struct named *named;
	size_t nnamed, named_capacity;
	size_t stamp;
	uint64_t all, first_ns, last_ns;
	struct blocks *blocks;	/* NULL in the first pass */
};

struct blocks *
blocks_new(unsigned seconds, size_t count, size_t nrows)
{
	struct blocks *blocks = xcalloc(1, sizeof(*blocks));

	blocks->seconds = seconds;
	blocks->count = count;
	blocks->samples = xcalloc(count + 1, sizeof(*blocks->samples));
	blocks->rows = xcalloc(nrows + 1, sizeof(*blocks->rows));
	blocks->nrows = nrows;
	for (size_t i = 0; i < nrows; i++) {
		struct block_row *row = &blocks->rows[i];

		row->total = xcalloc(count + 1, sizeof(*row->total));
		row->self = xcalloc(count + 1, sizeof(*row->self));
	}
	return blocks;
}

void
blocks_free(struct blocks *blocks)
{
	if (!blocks)
		return;
	for (size_t i = 0; i < blocks->nrows; i++) {
		free(blocks->rows[i].name);
		free(blocks->rows[i].total);
		free(blocks->rows[i].self);
	}
	free(blocks->rows);
	free(blocks->samples);
	free(blocks);
}

/* --- what is counted */

static string_id
text_of(struct tally *tally, func_id func)
{
	const char *name;

	while (tally->ntext_of <= func) {
		tally->text_of = grow(tally->text_of, tally->ntext_of,
				      &tally->text_of_capacity,
				      sizeof(*tally->text_of));
		tally->text_of[tally->ntext_of++] = 0;
	}
	if (!tally->text_of[func]) {
		name = names_text(tally->names, func);
		tally->text_of[func] = strings_add(tally->texts, name,
						   strlen(name));
	}
	return tally->text_of[func];
}

static struct named *
named_of(struct tally *tally, func_id func)
{
	string_id id = text_of(tally, func);

	while (tally->nnamed <= id) {
		tally->named = grow(tally->named, tally->nnamed,
				    &tally->named_capacity,
				    sizeof(*tally->named));
		tally->named[tally->nnamed++] = (struct named){
			.row = ROW_NONE };
	}
	return &tally->named[id];
}

static void
add_to_row(struct tally *tally, const struct named *named, bool is_leaf,
	   const struct cell *cell)
{
	uint64_t width = tally->blocks->seconds * SECOND;
	size_t block = (size_t)((cell->time_ns - tally->first_ns) / width);
	struct block_row *row;

	if (named->row == ROW_NONE)
		return;
	row = &tally->blocks->rows[named->row];
	row->total[block] += cell->weight;
	if (is_leaf)
		row->self[block] += cell->weight;
}

static void
note_time(struct tally *tally, const struct cell *cell)
{
	if (!tally->all || cell->time_ns < tally->first_ns)
		tally->first_ns = cell->time_ns;
	if (cell->time_ns > tally->last_ns)
		tally->last_ns = cell->time_ns;
	tally->all = add_saturating(tally->all, cell->weight);
}

static void
add_cell(void *ctx, const struct cell *cell)
{
	struct tally *tally = ctx;

	if (cell->kind != tally->kind || !cell->weight)
		return;
	if (!tally->blocks)
		note_time(tally, cell);
	else
		tally->blocks->samples[(cell->time_ns - tally->first_ns) /
			(tally->blocks->seconds * SECOND)] += cell->weight;
	tally->stamp++;
	stack_funcs_read(&tally->funcs, tally->profile, tally->names,
			 cell->stack);
	for (size_t i = 0; i < tally->funcs.count; i++) {
		struct named *named = named_of(tally, tally->funcs.at[i]);

		if (named->stamp == tally->stamp)
			continue;
		named->stamp = tally->stamp;
		if (tally->blocks)
			add_to_row(tally, named, i == 0, cell);
		else
			named->total = add_saturating(named->total,
						      cell->weight);
	}
}

/* --- which of them matter */

struct candidate {
	uint64_t total;
	string_id id;
	const char *name;
};

static int
compare_candidates(const void *va, const void *vb)
{
	const struct candidate *a = va, *b = vb;

	if (a->total != b->total)
		return a->total < b->total ? 1 : -1;
	return strcmp(a->name, b->name);
}

static size_t
choose(struct tally *tally, struct candidate *chosen)
{
	double least = (double)tally->all * BLOCK_SHARE;
	size_t count = 0;

	for (size_t i = 1; i < tally->nnamed; i++) {
		struct candidate candidate = {
			.total = tally->named[i].total, .id = (string_id)i,
			.name = strings_get(tally->texts, (string_id)i),
		};

		if ((double)candidate.total >= least &&
		    candidate.total >= BLOCK_WEIGHT &&
		    strlen(candidate.name) <= NAME_MAX_LEN)
			chosen[count++] = candidate;
	}
	qsort(chosen, count, sizeof(*chosen), compare_candidates);
	return count < BLOCK_ROWS_MAX ? count : BLOCK_ROWS_MAX;
}

static unsigned
width_of(const struct tally *tally)
{
	uint64_t span = (tally->last_ns - tally->first_ns) / SECOND + 1;
	unsigned seconds = 1;

	while ((span + seconds - 1) / seconds > BLOCKS_MAX)
		seconds *= 2;
	return seconds;
}

/* Room for the second pass; NULL when it is not worth it. */
static struct blocks *
make_blocks(struct tally *tally)
{
	uint64_t span = (tally->last_ns - tally->first_ns) / SECOND + 1;
	unsigned seconds = width_of(tally);
	struct candidate *chosen;
	struct blocks *blocks;
	size_t count;

	if (!tally->all || !tally->last_ns || span < 2)
		return NULL;
	chosen = xcalloc(tally->nnamed + 1, sizeof(*chosen));
	count = choose(tally, chosen);
	blocks = blocks_new(seconds, (size_t)((span + seconds - 1) / seconds),
			    count);
	for (size_t i = 0; i < count; i++) {
		blocks->rows[i].name = xstrdup(chosen[i].name);
		tally->named[chosen[i].id].row = (uint32_t)i;
	}
	free(chosen);
	return blocks;
}

struct blocks *
blocks_of(const struct profile *profile, struct names *names, enum kind kind)
{
	return blocks_between(profile, names, kind, 0, UINT64_MAX);
}

struct blocks *
blocks_between(const struct profile *profile, struct names *names,
	       enum kind kind, uint64_t from_ns, uint64_t to_ns)
{
	struct tally tally = { .profile = profile, .names = names,
			       .kind = kind };

	if (!profile_last_ns(profile))
		return NULL;
	tally.texts = strings_new();
	profile_each(profile, from_ns, to_ns, add_cell, &tally);
	tally.blocks = make_blocks(&tally);
	if (tally.blocks)
		profile_each(profile, from_ns, to_ns, add_cell, &tally);
	stack_funcs_fini(&tally.funcs);
	strings_free(tally.texts);
	free(tally.text_of);
	free(tally.named);
	return tally.blocks;
}
