/* SPDX-License-Identifier: MIT */
/*
 * compare.c - profiles into one tree of plain names with two weights.
 */
#include "core/compare.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/compare_private.h"
#include "core/plain_name.h"

const struct compare_rules compare_default = {
	.watch = 0.005,
	.floor = 0.005, .floor_of_share = 0.05,
	.margin = 0.01, .margin_of_share = 0.10,
	.false_discovery = 0.05,
};

/* What one profile needs while it is added. */
struct adding {
	struct comparison *comparison;
	struct compare_side *side;
	const struct profile *profile;
	struct names *names;
	enum kind kind;
	struct stack_funcs funcs;
	string_id *key_of;	/* by function; 0: not asked yet */
	size_t nkeys, keys_capacity;
};

struct comparison *
comparison_new(const struct compare_rules *rules)
{
	struct comparison *comparison = xcalloc(1, sizeof(*comparison));

	comparison->rules = *rules;
	comparison->texts = strings_new();
	comparison->tree = calltree_new();
	return comparison;
}

static void
free_side(struct compare_side *side)
{
	for (size_t i = 0; i < side->nkeyed; i++) {
		blocks_free(side->keyed[i].blocks);
		free(side->keyed[i].keys);
	}
	free(side->keyed);
	free(side->self);
	free(side->block_row);
	inflation_fini(&side->inflation);
}

void
comparison_free(struct comparison *comparison)
{
	if (!comparison)
		return;
	for (int i = 0; i < SIDES; i++)
		free_side(&comparison->sides[i]);
	calltree_free(comparison->tree);
	strings_free(comparison->texts);
	free(comparison->rows);
	free(comparison);
}

/* --- names */

static string_id
add_key(struct comparison *comparison, const char *name)
{
	char *plain = plain_name(name, comparison->rules.drops_templates);
	string_id key;

	if (!*plain) {
		free(plain);
		plain = xstrdup("-");
	}
	key = strings_add(comparison->texts, plain, strlen(plain));
	free(plain);
	return key;
}

static string_id
key_of(struct adding *adding, func_id func)
{
	while (adding->nkeys <= func) {
		adding->key_of = grow(adding->key_of, adding->nkeys,
				      &adding->keys_capacity,
				      sizeof(*adding->key_of));
		adding->key_of[adding->nkeys++] = 0;
	}
	if (!adding->key_of[func])
		adding->key_of[func] =
			add_key(adding->comparison,
				names_text(adding->names, func));
	return adding->key_of[func];
}

/* --- counts */

static void
add_self(struct adding *adding, node_id node, uint64_t weight)
{
	struct compare_side *side = adding->side;

	if (node >= side->nself) {
		size_t old = side->nself;

		side->nself = calltree_count(adding->comparison->tree) * 3 / 2;
		side->self = xreallocarray(side->self, side->nself,
					   sizeof(*side->self));
		memset(side->self + old, 0,
		       (side->nself - old) * sizeof(*side->self));
	}
	side->self[node] = add_saturating(side->self[node], weight);
	side->facts.samples = add_saturating(side->facts.samples, weight);
}

/* A part of a function that it calls is that function. */
static node_id
step(struct adding *adding, node_id node, func_id func)
{
	struct calltree *tree = adding->comparison->tree;
	string_id key = key_of(adding, func);

	if (node && calltree_func(tree, node) == key)
		return node;
	return calltree_child(tree, node, key);
}

static bool
is_interrupt(const struct adding *adding, func_id func)
{
	return names_get(adding->names, func)->kind == FRAME_KERNEL &&
	       compare_is_interrupt(names_text(adding->names, func));
}

static void
add_cell(void *ctx, const struct cell *cell)
{
	struct adding *adding = ctx;
	bool has_interrupt = false;
	node_id node = 0;

	if (cell->kind != adding->kind || !cell->weight)
		return;
	stack_funcs_read(&adding->funcs, adding->profile, adding->names,
			 cell->stack);
	for (size_t i = adding->funcs.count; i-- > 0;) {
		func_id func = adding->funcs.at[i];

		node = step(adding, node, func);
		has_interrupt |= is_interrupt(adding, func);
	}
	add_self(adding, node, cell->weight);
	if (has_interrupt)
		adding->comparison->whole.interrupts
			.count[adding->side - adding->comparison->sides] +=
			cell->weight;
}

/* --- what else is known */

static double
number(const struct profile *profile, const char *key)
{
	const char *text = profile_get(profile, key);
	double value = text ? strtod(text, NULL) : 0;

	return value > 0 && value < 1e15 ? value : 0;
}

static double
seconds_of(const struct profile *profile)
{
	double told = number(profile, "duration");
	uint64_t first = profile_first_ns(profile);

	if (told > 0 || !profile_last_ns(profile))
		return told;
	return (double)(profile_last_ns(profile) - first) / 1e9 + 1;
}

static void
add_facts(struct compare_side *side, const struct profile *profile,
	  enum kind kind, uint64_t samples, double seconds)
{
	double period = number(profile, "period");
	double rate = period > 0 ? 1e9 / period : 0;
	const char *unit = profile_get(profile, "unit");
	struct compared_side *facts = &side->facts;
	bool has_rate = period > 0 && kind == KIND_CPU &&
			(!unit || strcmp(unit, "samples") == 0);

	side->lacks_rate |= !has_rate;
	side->lacks_seconds |= seconds <= 0;
	if (!facts->profiles)
		facts->rate = rate;
	else if (facts->rate != rate)
		facts->rate = 0;
	facts->seconds += seconds;
	side->cpu_seconds += (double)samples * period / 1e9;
	facts->profiles++;
}

/* Takes BLOCKS; NULL: there are none. */
static void
add_blocks(struct adding *adding, struct blocks *blocks)
{
	struct compare_side *side = adding->side;
	struct keyed_blocks keyed = { blocks, NULL };

	if (!blocks) {
		side->lacks_blocks = true;
		return;
	}
	keyed.keys = xcalloc(blocks->nrows + 1, sizeof(*keyed.keys));
	for (size_t i = 0; i < blocks->nrows; i++)
		keyed.keys[i] = add_key(adding->comparison,
					blocks->rows[i].name);
	side->keyed = grow(side->keyed, side->nkeyed, &side->keyed_capacity,
			   sizeof(*side->keyed));
	side->keyed[side->nkeyed++] = keyed;
}

/* What is counted in PROFILE from FROM_NS until TO_NS, for SECONDS. */
static void
add_counts(struct adding *adding, uint64_t from_ns, uint64_t to_ns,
	   double seconds, struct blocks *blocks)
{
	struct compare_side *side = adding->side;
	uint64_t before = side->facts.samples;

	profile_each(adding->profile, from_ns, to_ns, add_cell, adding);
	add_facts(side, adding->profile, adding->kind,
		  side->facts.samples - before, seconds);
	add_blocks(adding, blocks);
	stack_funcs_fini(&adding->funcs);
	free(adding->key_of);
}

void
comparison_add(struct comparison *comparison, enum side side,
	       struct profile *profile, struct names *names, enum kind kind)
{
	struct adding adding = {
		.comparison = comparison, .side = &comparison->sides[side],
		.profile = profile, .names = names, .kind = kind,
	};
	struct blocks *blocks = blocks_of(profile, names, kind);

	if (!blocks)
		blocks = blocks_read(profile);
	add_counts(&adding, 0, UINT64_MAX, seconds_of(profile), blocks);
}

void
comparison_add_between(struct comparison *comparison, enum side side,
		       struct profile *profile, struct names *names,
		       enum kind kind, uint64_t from_ns, uint64_t to_ns)
{
	struct adding adding = {
		.comparison = comparison, .side = &comparison->sides[side],
		.profile = profile, .names = names, .kind = kind,
	};
	uint64_t first = profile_first_ns(profile);
	uint64_t last = profile_last_ns(profile);
	struct blocks *blocks;

	first = first > from_ns ? first : from_ns;
	last = last < to_ns ? last : to_ns;
	blocks = blocks_between(profile, names, kind, first, last);
	add_counts(&adding, from_ns, to_ns, last > first ?
		   (double)(last - first) / 1e9 : 0, blocks);
}

/* --- what was found */

const struct compared *
comparison_rows(const struct comparison *comparison, size_t *count)
{
	*count = comparison->nrows;
	return comparison->rows;
}

const struct compared_side *
comparison_side(const struct comparison *comparison, enum side side)
{
	return &comparison->sides[side].facts;
}

const struct compared_whole *
comparison_whole(const struct comparison *comparison)
{
	return &comparison->whole;
}

size_t
comparison_path(const struct comparison *comparison, uint32_t row,
		const char **names, size_t max)
{
	const struct calltree *tree = comparison->tree;
	node_id node = comparison->rows[row].node;
	size_t depth = calltree_depth(tree, node), count = 0;
	size_t head = depth > max ? max / 3 : depth;

	for (size_t at = depth; node; node = calltree_parent(tree, node)) {
		at--;
		if (depth > max && at >= head && at < depth - (max - head))
			continue;
		count++;
		names[depth > max && at >= head ? at - (depth - max) : at] =
			strings_get(comparison->texts,
				    calltree_func(tree, node));
	}
	return count;
}

bool
change_is_one(enum change change)
{
	return change == CHANGE_REGRESSED || change == CHANGE_IMPROVED ||
	       change == CHANGE_NEW || change == CHANGE_GONE ||
	       change == CHANGE_MOVED;
}
