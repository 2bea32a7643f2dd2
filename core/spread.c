/* SPDX-License-Identifier: MIT */
/*
 * spread.c - blocks, what they tell, and a lookup of names.
 */
#include "core/spread.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "core/blocks.h"
#include "core/inflation.h"
#include "core/lookup.h"

#define SECOND UINT64_C(1000000000)

struct spread {
	struct blocks *blocks;
	struct inflation inflation;
	struct lookup lookup;	/* of its rows, by name */
};

static uint32_t
hash_name(const char *name)
{
	return hash_bytes(name, strlen(name));
}

static bool
is_called(const void *owner, uint32_t id, const void *key)
{
	const struct spread *spread = owner;

	return strcmp(spread->blocks->rows[id].name, key) == 0;
}

static struct spread *
make(struct blocks *blocks)
{
	struct spread *spread;

	if (!blocks)
		return NULL;
	spread = xcalloc(1, sizeof(*spread));
	spread->blocks = blocks;
	inflation_init(&spread->inflation, blocks);
	for (size_t i = 0; i < blocks->nrows; i++) {
		const char *name = blocks->rows[i].name;

		if (lookup_find(&spread->lookup, hash_name(name), is_called,
				spread, name) == LOOKUP_NONE)
			lookup_add(&spread->lookup, hash_name(name),
				   (uint32_t)i);
	}
	return spread;
}

struct spread *
spread_of(const struct profile *profile, struct names *names, enum kind kind,
	  uint64_t from_ns, uint64_t to_ns)
{
	uint64_t last = profile_last_ns(profile);

	if (!last)
		return make(blocks_read(profile));
	if (to_ns > last)
		to_ns = last + 1;
	if (to_ns > SPREAD_SECONDS * SECOND &&
	    from_ns < to_ns - SPREAD_SECONDS * SECOND)
		from_ns = to_ns - SPREAD_SECONDS * SECOND;
	return make(blocks_between(profile, names, kind, from_ns, to_ns));
}

void
spread_free(struct spread *spread)
{
	if (!spread)
		return;
	inflation_fini(&spread->inflation);
	lookup_fini(&spread->lookup);
	blocks_free(spread->blocks);
	free(spread);
}

double
spread_inflation(const struct spread *spread, const char *name)
{
	uint32_t id;

	if (!spread)
		return 1;
	if (!spread->inflation.blocks)
		return INFLATION_ASSUMED;
	id = lookup_find(&spread->lookup, hash_name(name), is_called, spread,
			 name);
	return id == LOOKUP_NONE ? spread->inflation.typical :
				   spread->inflation.total[id];
}
