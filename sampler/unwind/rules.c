/* SPDX-License-Identifier: MIT */
/*
 * rules.c - which rule holds at an address.
 */
#include "sampler/unwind/rules.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"

#define PAGE_LOG 12
#define PLACES_LOG 8
#define RULES_LOG 12
#define TABLES_LOG 6
#define NO_PAGE UINT64_MAX
/* Of a key: the module; whether the pc is exact; the offset in the file. */
#define MODULE_BIT 33
#define EXACT_BIT 32

/* What lies at a page of addresses. */
struct place {
	uint64_t page;
	uint64_t bias;			/* address minus offset in the file */
	uint64_t module;		/* at its place in a key; 0: none yet */
	const struct mapping *mapping;	/* NULL: nothing that is executed */
};

struct kept_rule {
	uint64_t key;			/* 0: none */
	struct rule rule;
};

/* A table for a page of code, open. */
struct kept_table {
	module_id module;		/* 0: none */
	struct rows rows;
};

struct rules {
	const struct row_source *source;
	bool is_cache_used;
	uint64_t generation;
	struct place unkept;		/* of a page not of one mapping */
	struct place places[1 << PLACES_LOG];
	struct kept_rule rules[1 << RULES_LOG];
	struct kept_table tables[1 << TABLES_LOG];
};

static void
forget_places(struct rules *rules)
{
	size_t i;

	for (i = 0; i < ARRAY_LEN(rules->places); i++)
		rules->places[i].page = NO_PAGE;
}

struct rules *
rules_new(const struct row_source *source)
{
	struct rules *rules = xcalloc(1, sizeof(*rules));

	rules->source = source;
	rules->is_cache_used = true;
	forget_places(rules);
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
	forget_places(rules);
}

static uint64_t
module_key(const struct mapping *mapping)
{
	/* A module beyond half of the numbers is not kept. */
	return mapping->module >> (64 - MODULE_BIT) ? 0 :
	       (uint64_t)mapping->module << MODULE_BIT;
}

static struct place *
fill_place(struct rules *rules, struct place *place, const struct walk *walk,
	   uint64_t addr)
{
	const struct mapping *mapping = maps_find(walk->maps, addr);
	uint64_t start = addr >> PAGE_LOG << PAGE_LOG;

	if (!mapping || start < mapping->start ||
	    mapping->end - start < (1u << PAGE_LOG))
		place = &rules->unkept;
	*place = (struct place){ .page = addr >> PAGE_LOG };
	if (mapping && mapping->is_executable) {
		place->mapping = mapping;
		place->bias = mapping->start - mapping->file_offset;
		place->module = module_key(mapping);
	}
	return place;
}

static inline struct place *
find_place(struct rules *rules, const struct walk *walk, uint64_t addr)
{
	uint64_t page = addr >> PAGE_LOG;
	size_t i = (page ^ page >> PLACES_LOG) & ((1 << PLACES_LOG) - 1);
	struct place *place = &rules->places[i];

	return place->page == page ? place :
	       fill_place(rules, place, walk, addr);
}

static inline struct kept_rule *
kept_at(struct rules *rules, uint64_t key)
{
	return &rules->rules[key * 0x9e3779b97f4a7c15u >> (64 - RULES_LOG)];
}

/* --- tables */

static struct kept_table *
table_slot(struct rules *rules, module_id module, uint64_t offset,
	   bool is_full)
{
	uint64_t page = offset >> ROWS_PAGE_LOG;
	uint64_t i = (page ^ (uint64_t)module * 37) * 2 + is_full;

	return &rules->tables[i & ((1 << TABLES_LOG) - 1)];
}

/*
 * The table for OFFSET in PLACE, and what the place's module is if that was
 * not known before.
 */
static enum rows_state
find_table(struct rules *rules, struct place *place, uint64_t offset,
	   bool is_full, struct rows *rows)
{
	module_id module = place->mapping->module;
	struct kept_table *kept = table_slot(rules, module, offset, is_full);
	enum rows_state state;

	if (module && kept->module == module && rows_has(&kept->rows, offset) &&
	    !kept->rows.header->is_full == !is_full) {
		*rows = kept->rows;
		return ROWS_HERE;
	}
	state = rules->source->find(rules->source->ctx, place->mapping,
				    offset, is_full, rows);
	place->module = module_key(place->mapping);
	module = place->mapping->module;
	if (state == ROWS_HERE && module && rows_has(rows, offset)) {
		kept = table_slot(rules, module, offset, is_full);
		*kept = (struct kept_table){ module, *rows };
	}
	return state;
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
static enum rules_answer
find_in_table(struct rules *rules, struct walk *walk, uint64_t rip,
	      struct rule *rule, bool *is_planted)
{
	const struct rule *found;
	struct place *place;
	struct rows rows;
	enum rows_state state;
	uint64_t offset, key;

	*is_planted = !walk->is_leaf && code_at(walk, rip).is_planted;
	walk->pc = rip - !(walk->is_leaf || *is_planted);
	place = find_place(rules, walk, walk->pc);
	if (!place->mapping)
		return RULES_NO_CODE;
	offset = walk->pc - place->bias;
	state = find_table(rules, place, offset, false, &rows);
	*rule = (struct rule){ .kind = RULE_NONE };
	if (state == ROWS_ASKED)
		return walk->may_wait ? RULES_WAIT : RULES_HERE;
	found = state == ROWS_HERE ? rows_rule(&rows, offset) : NULL;
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
	if (!place->mapping)
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
	struct rows rows;
	uint64_t offset;

	*full = (struct full){ .instead = RULE_NONE };
	if (!place->mapping)
		return RULES_NO_CODE;
	offset = walk->pc - place->bias;
	state = find_table(rules, place, offset, !rule, &rows);
	if (state == ROWS_ASKED && walk->may_wait)
		return RULES_WAIT;
	if (state == ROWS_MISSING)
		full->instead = RULE_FP;
	if (state != ROWS_HERE)
		return RULES_HERE;
	full->ops = rows.ops;
	full->rule = rule ? rows_full(&rows, (uint32_t)rule->cfa) :
		     rows_full_at(&rows, offset);
	if (!full->rule || full->rule->cfa.how != COLUMN_UNDEFINED)
		return RULES_HERE;
	if (full->rule->is_usual_fp)
		full->instead = RULE_FP;
	full->rule = NULL;
	return RULES_HERE;
}
