/* SPDX-License-Identifier: MIT */
/*
 * ways.c - the same samples by ways that must make no difference.
 */
#include "tests/oracle/ways.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/oracle/audit.h"

struct way {
	const char *name;
	bool has_no_cache, is_shuffled;
	size_t limit;
	struct local_rows_config rows;
};

static const struct way ways[] = {
	{ .name = "without-cache", .has_no_cache = true },
	{ .name = "by-page", .rows = { .by_page = true } },
	{ .name = "stripped", .rows = { .is_stripped = true } },
	{ .name = "shuffled", .is_shuffled = true },
	{ .name = "copy-of-8-kib", .limit = 8192 },
	{ .name = "copy-of-16-kib", .limit = 16384 },
};

/* A shorter copy may end a walk sooner, never lead it elsewhere. */
static bool
is_same_way(const struct way *way, const struct chain *whole,
	    const struct chain *chain)
{
	if (!way->limit)
		return whole->end == chain->end && whole->n == chain->n &&
		       !memcmp(whole->pcs, chain->pcs,
			       whole->n * sizeof(whole->pcs[0]));
	return chain->n <= whole->n &&
	       !memcmp(whole->pcs, chain->pcs,
		       chain->n * sizeof(chain->pcs[0]));
}

/* The process of RAW with its mappings learnt in another order. */
static void
shuffle(struct sample_process *to, const struct raw *raw, uint64_t *generation)
{
	const struct maps *from = raw->process->maps;
	size_t i, count = maps_count(from);

	if (*generation == maps_generation(from) &&
	    to->pid == raw->process->pid)
		return;
	*generation = maps_generation(from);
	to->pid = raw->process->pid;
	maps_clear(to->maps);
	for (i = count; i-- > 0;)
		if (i % 3)
			maps_add(to->maps, maps_at(from, i));
	for (i = 0; i < count; i += 3)
		maps_add(to->maps, maps_at(from, i));
	for (i = 0; i < count; i++)
		maps_set_module(to->maps, maps_at(from, i)->start,
				maps_at(from, i)->module);
}

/* What all ways share. */
struct trial {
	struct samples *samples;
	struct local_rows *rows;
	enum unwind_mode mode;
	size_t most_shown;
	struct chain whole, other;
};

static bool
try_way(struct trial *c, const struct way *way)
{
	struct sample_process shuffled = { .maps = maps_new() };
	struct engine_config base = { .mode = c->mode, .rows = c->rows };
	struct engine_config config = {
		.mode = c->mode,
		.rows = local_rows_new(&way->rows),
		.limit = way->limit,
		.has_no_cache = way->has_no_cache,
	};
	void *whole = engine_ours.open(c->samples, &base);
	void *other = engine_ours.open(c->samples, &config);
	struct chain *chain = &c->other;
	uint64_t same = 0, count = 0, generation = 0;
	struct raw raw;
	char where[400];

	samples_rewind(c->samples);
	while (samples_next(c->samples, &raw)) {
		struct sample_memory memory = { c->samples, &raw, SIZE_MAX };

		engine_ours.walk(whole, &raw, &c->whole);
		if (way->is_shuffled) {
			shuffle(&shuffled, &raw, &generation);
			raw.process = &shuffled;
		}
		engine_ours.walk(other, &raw, chain);
		count++;
		if (is_same_way(way, &c->whole, chain))
			same++;
		else if (count - same <= c->most_shown)
			printf("  %s: frame %zu of %zu and %zu, behind %s\n",
			       way->name, chain_common(&c->whole, chain, NULL),
			       c->whole.n, chain->n,
			       audit_where(&memory, c->whole.pcs[chain_common(
					&c->whole, chain, NULL) - 1],
					where, sizeof(where)));
	}
	engine_ours.close(whole);
	engine_ours.close(other);
	local_rows_free(config.rows);
	maps_free(shuffled.maps);
	printf("same-%s %llu of %llu\n", way->name, (unsigned long long)same,
	       (unsigned long long)count);
	return same == count;
}

bool
ways_try(struct samples *samples, struct local_rows *rows,
	 enum unwind_mode mode, size_t most_shown)
{
	struct trial *trial = xcalloc(1, sizeof(*trial));
	bool ok = true;
	size_t i;

	trial->samples = samples;
	trial->rows = rows;
	trial->mode = mode;
	trial->most_shown = most_shown;
	for (i = 0; i < ARRAY_LEN(ways); i++)
		ok &= try_way(trial, &ways[i]);
	free(trial);
	return ok;
}
