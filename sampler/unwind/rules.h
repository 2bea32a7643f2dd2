/* SPDX-License-Identifier: MIT */
/*
 * rules.h - which rule holds at an address. Inside of unwind/.
 *
 *	address --mapping--> module, offset in its file --cache--> rule
 *	                                     `--table of the module--^
 *
 * Each arrow is a cache that is hit for nine frames of ten. Mappings are kept
 * by page of the address until they change. Rules are kept by module and
 * offset, so they outlive every change of the mappings, an exec included.
 */
#ifndef SAMPLER_UNWIND_RULES_H
#define SAMPLER_UNWIND_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/rows.h"
#include "sampler/unwind/step.h"
#include "sampler/unwind/unwind.h"

enum rules_answer {
	RULES_HERE,
	RULES_NO_CODE,		/* nothing that is executed lies there */
	RULES_WAIT,		/* a table that is not here yet says it */
};

struct rules;

/* SOURCE is borrowed. */
struct rules *rules_new(const struct row_source *source);
void rules_free(struct rules *rules);

/* Keep no rule from now on, for tests and benchmarks; or do again. */
void rules_use_cache(struct rules *rules, bool is_used);

/* MAPS may have changed: forget where things were. */
void rules_check_maps(struct rules *rules, const struct maps *maps);

/*
 * The rule for a frame that goes on at RIP. Sets the walk's pc: RIP itself in
 * a leaf and where RIP was planted (see step.h), which *IS_PLANTED tells;
 * else the byte before, which is inside of the call.
 *
 * RULE is one that can be used as it is: numbers in it are sound. It is
 * RULE_FP for code without a table, RULE_NONE where a table is missed and the
 * walk may not wait.
 */
enum rules_answer rules_find(struct rules *rules, struct walk *walk,
			     uint64_t rip, struct rule *rule,
			     bool *is_planted);

/*
 * The rule at PC, inside of a call, if its table was found before; NULL where
 * more is to be done (rules_find() does it). It may be unsound.
 */
const struct rule *rules_look(struct rules *rules, uint64_t pc);

/* A full rule and the programs it has its numbers from; both borrowed. */
struct full {
	const struct full_rule *rule;	/* or NULL, and then: */
	enum rule_kind instead;		/* RULE_FP or RULE_NONE */
	const struct op *ops;
	const struct rows *rows;	/* they are of; until the next find */
	uint64_t bias;		/* address minus offset in its file */
};

/*
 * What RULE, a RULE_FULL that was found at the walk's pc, leads to; without
 * RULE, what the module's full table says of that pc.
 */
enum rules_answer rules_find_full(struct rules *rules,
				  const struct walk *walk,
				  const struct rule *rule, struct full *full);

#endif
