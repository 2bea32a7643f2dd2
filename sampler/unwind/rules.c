/* SPDX-License-Identifier: MIT */
/*
 * rules.c - which rule holds at an address.
 */
#include "sampler/unwind/rules.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"

#define PLACES_LOG 9
#define PLACE_LOG 15		/* bytes of addresses that share an entry */
#define RULES_LOG 13
#define TABLES_LOG 9
/* Of a key: the module; whether the pc is exact; the offset in the file. */
#define MODULE_BIT 33
#define EXACT_BIT 32
/* 2^64 / golden ratio, odd: its multiples are far apart. */
#define HASH 0x9e3779b97f4a7c15u

/* Executable memory of one mapping. */
struct place {
	uint64_t start, size;		/* of addresses; 0: none */
	uint64_t bias;			/* address minus offset in the file */
	uint64_t module;		/* at its place in a key; 0: none yet */
	struct rows rows;		/* for some of it; no header: none yet */
};

struct kept_rule {
	uint64_t key;			/* 0: none */
	struct rule rule;
};

/* A table for a page of code, open. */
struct kept_table {
	module_id module;		/* 0: none */
	bool is_full;
	struct rows rows;
};

struct rules {
	const struct row_source *source;
	bool is_cache_used;
	uint64_t generation;
	const struct place *last;	/* by rules_look(); has a table */
	struct place places[1 << PLACES_LOG];
	struct kept_rule rules[1 << RULES_LOG];
	struct kept_table tables[1 << TABLES_LOG];
};

struct rules *
rules_new(const struct row_source *source)
{
	struct rules *rules = xcalloc(1, sizeof(*rules));

	rules->source = source;
	rules->is_cache_used = true;
	rules->last = &rules->places[0];
	return rules;
}

void
rules_free(struct rules *rules)
{
	free(rules);
}

void
rules_use_cache(struct rules *rules, bool is_used)
{
	rules->is_cache_used = is_used;
	memset(rules->rules, 0, sizeof(rules->rules));
}

void
rules_check_maps(struct rules *rules, const struct maps *maps)
{
	if (rules->generation == maps_generation(maps))
		return;
	rules->generation = maps_generation(maps);
	memset(rules->places, 0, sizeof(rules->places));
}

static uint64_t
module_key(const struct mapping *mapping)
{
	/* A module beyond half of the numbers is not kept. */
	return mapping->module >> (64 - MODULE_BIT) ? 0 :
	       (uint64_t)mapping->module << MODULE_BIT;
}

/* A place for ADDR if that is code, or NULL. */
static __attribute__((noinline)) struct place *
fill_place(struct place *place, const struct walk *walk, uint64_t addr)
{
	const struct mapping *mapping = maps_find(walk->maps, addr);

	if (!mapping || !mapping->is_executable)
		return NULL;
	*place = (struct place){
		.start = mapping->start,
		.size = mapping->end - mapping->start,
		.bias = mapping->start - mapping->file_offset,
		.module = module_key(mapping),
	};
	return place;
}

static inline size_t
place_slot(uint64_t addr)
{
	uint64_t i = addr >> PLACE_LOG;

	return (i ^ i >> PLACES_LOG) & ((1 << PLACES_LOG) - 1);
}

static inline struct place *
find_place(struct rules *rules, const struct walk *walk, uint64_t addr)
{
	struct place *place = &rules->places[place_slot(addr)];

	return addr - place->start < place->size ? place :
	       fill_place(place, walk, addr);
}

static inline struct kept_rule *
kept_at(struct rules *rules, uint64_t key)
{
	return &rules->rules[key * HASH >> (64 - RULES_LOG)];
}

/* --- tables */

static struct kept_table *
table_slot(struct rules *rules, module_id module, uint64_t offset,
	   bool is_full)
{
	uint64_t key = (offset >> ROWS_PAGE_LOG) * 2 + is_full;

	key ^= (uint64_t)module << MODULE_BIT;
	return &rules->tables[key * HASH >> (64 - TABLES_LOG)];
}

/*
 * The table for the code at PLACE, where the walk's pc is, valid until the
 * next one is sought; and what its module is, if that was not known before.
 */
static enum rows_state
find_table(struct rules *rules, const struct walk *walk, struct place *place,
	   bool is_full, const struct rows **rows)
{
	uint64_t offset = walk->pc - place->bias;
	module_id module = (module_id)(place->module >> MODULE_BIT);
	struct kept_table *kept = table_slot(rules, module, offset, is_full);
	struct kept_table found = { .is_full = is_full };
	const struct mapping *mapping;
	enum rows_state state;

	*rows = &place->rows;
	if (!is_full && place->rows.header && rows_has(&place->rows, offset))
		return ROWS_HERE;
	*rows = &kept->rows;
	if (module && kept->module == module && kept->is_full == is_full &&
	    rows_has(&kept->rows, offset)) {
		if (!is_full)
			place->rows = kept->rows;
		return ROWS_HERE;
	}
	mapping = maps_find(walk->maps, walk->pc);
	state = rules->source->find(rules->source->ctx, mapping, offset,
				    is_full, &found.rows);
	place->module = module_key(mapping);
	if (state != ROWS_HERE)
		return state;
	if (rows_has(&found.rows, offset))
		found.module = (module_id)(place->module >> MODULE_BIT);
	kept = table_slot(rules, found.module, offset, is_full);
	*kept = found;
	*rows = &kept->rows;
	if (!is_full && found.module)
		place->rows = found.rows;
	return ROWS_HERE;
}

const struct rule *
rules_look(struct rules *rules, uint64_t pc)
{
	const struct place *place = rules->last;

	if (pc - place->start >= place->size) {
		place = &rules->places[place_slot(pc)];
		if (pc - place->start >= place->size || !place->rows.header)
			return NULL;
		rules->last = place;
	}
	return rows_rule(&place->rows, pc - place->bias);
}

static bool
is_sound(const struct rule *rule)
{
	return rule->kind < RULE_KINDS && rule->reg < X86_COUNT;
}

/*
 * What is not kept: ask the module's table. Where RIP turns out to be planted
 * it is asked of RIP itself; these are few and never kept.
 */
static __attribute__((noinline)) enum rules_answer
find_in_table(struct rules *rules, struct walk *walk, uint64_t rip,
	      struct rule *rule, bool *is_planted)
{
	const struct rule *found;
	struct place *place;
	const struct rows *rows;
	enum rows_state state;
	uint64_t offset, key;

	*is_planted = !walk->is_leaf && code_at(walk, rip).is_planted;
	walk->pc = rip - !(walk->is_leaf || *is_planted);
	place = find_place(rules, walk, walk->pc);
	if (!place)
		return RULES_NO_CODE;
	offset = walk->pc - place->bias;
	state = find_table(rules, walk, place, false, &rows);
	*rule = (struct rule){ .kind = RULE_NONE };
	if (state == ROWS_ASKED)
		return walk->may_wait ? RULES_WAIT : RULES_HERE;
	found = state == ROWS_HERE ? rows_rule(rows, offset) : NULL;
	if (state == ROWS_MISSING)
		rule->kind = RULE_FP;
	else if (found && is_sound(found))
		*rule = *found;
	key = place->module | (uint64_t)walk->is_leaf << EXACT_BIT | offset;
	if (place->module && !(offset >> EXACT_BIT) && !*is_planted &&
	    rules->is_cache_used)
		*kept_at(rules, key) = (struct kept_rule){ key, *rule };
	return RULES_HERE;
}

/* HOT: for each frame. */
enum rules_answer
rules_find(struct rules *rules, struct walk *walk, uint64_t rip,
	   struct rule *rule, bool *is_planted)
{
	uint64_t pc = rip - !walk->is_leaf, offset, key;
	struct place *place = find_place(rules, walk, pc);
	const struct kept_rule *kept;

	walk->pc = pc;
	*is_planted = false;
	if (!place)
		return RULES_NO_CODE;
	offset = pc - place->bias;
	key = place->module | (uint64_t)walk->is_leaf << EXACT_BIT | offset;
	kept = kept_at(rules, key);
	if (kept->key == key && place->module && !(offset >> EXACT_BIT)) {
		*rule = kept->rule;
		return RULES_HERE;
	}
	return find_in_table(rules, walk, rip, rule, is_planted);
}

enum rules_answer
rules_find_full(struct rules *rules, const struct walk *walk,
		const struct rule *rule, struct full *full)
{
	struct place *place = find_place(rules, walk, walk->pc);
	enum rows_state state;
	const struct rows *rows;
	uint64_t offset;

	*full = (struct full){ .instead = RULE_NONE };
	if (!place)
		return RULES_NO_CODE;
	offset = walk->pc - place->bias;
	state = find_table(rules, walk, place, !rule, &rows);
	if (state == ROWS_ASKED && walk->may_wait)
		return RULES_WAIT;
	if (state == ROWS_MISSING)
		full->instead = RULE_FP;
	if (state != ROWS_HERE)
		return RULES_HERE;
	full->ops = rows->ops;
	full->rows = rows;
	full->bias = place->bias;
	full->rule = rule ? rows_full(rows, (uint32_t)rule->cfa) :
		     rows_full_at(rows, offset);
	if (!full->rule || full->rule->cfa.how != COLUMN_UNDEFINED)
		return RULES_HERE;
	if (full->rule->is_usual_fp)
		full->instead = RULE_FP;
	full->rule = NULL;
	return RULES_HERE;
}
