/* SPDX-License-Identifier: MIT */
/*
 * code.c - what the bytes of code around an address say.
 *
 * A word of the stack is believed to be a return address only if a call
 * instruction ends there. Asked again and again for the same few addresses,
 * so the answers are kept until the mappings change.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "sampler/unwind/step.h"

#define CALL_MAX 7		/* bytes of the longest call without prefix */
#define FACTS_LOG 12
#define FLOWS_LOG 10
#define CALLERS_LOG 8

struct kept_facts {
	uint64_t addr;		/* 0: none */
	uint32_t generation;	/* of the mappings then, its lower half */
	struct code_facts facts;
};

struct kept_flow {
	uint64_t addr;		/* 0: none */
	uint32_t generation;
	bool is_found;
	struct rule rule;
};

struct kept_caller {
	uint64_t outer, pc;	/* 0: none */
	uint64_t ra;
	uint32_t generation;
	bool is_one;		/* no other one was seen */
};

struct code {
	uint32_t generation;
	struct kept_caller callers[1 << CALLERS_LOG];
	struct kept_flow flows[1 << FLOWS_LOG];
	struct kept_facts kept[1 << FACTS_LOG];
};

struct code *
code_new(void)
{
	return xcalloc(1, sizeof(struct code));
}

void
code_free(struct code *code)
{
	free(code);
}

void
code_check_maps(struct code *code, const struct maps *maps)
{
	code->generation = (uint32_t)maps_generation(maps);
}

struct walk
walk_of(const struct maps *maps, const struct memory *memory)
{
	size_t len = memory->window ? memory->window_len : 0;

	return (struct walk){
		.maps = maps, .memory = memory,
		.words = len < sizeof(uint64_t) ? 0 :
			 len - sizeof(uint64_t) + 1,
	};
}

bool
walk_read_far(const struct walk *walk, uint64_t addr, uint64_t *word)
{
	return walk->memory->read(walk->memory->ctx, addr, word,
				  sizeof(*word));
}

bool
walk_is_code(const struct walk *walk, uint64_t addr)
{
	const struct mapping *mapping = maps_find(walk->maps, addr);

	return mapping && mapping->is_executable;
}

/*
 * Length of the call FF /2 whose ModRM byte is at CODE, with its SIB byte and
 * its displacement; 0 if it is another instruction.
 */
static unsigned
indirect_call_length(const uint8_t *code)
{
	unsigned mod = code[0] >> 6, base = code[0] & 7, len = 2;

	if (((code[0] >> 3) & 7) != 2)
		return 0;
	if (mod != 3 && base == 4) {
		base = code[1] & 7;
		len++;
	}
	if (mod == 1)
		len += 1;
	else if (mod == 2 || (mod == 0 && base == 5))
		len += 4;	/* without base: a table, or rip's */
	return len;
}

static bool
read_before(const struct walk *walk, uint64_t ra, uint8_t code[CALL_MAX])
{
	return ra > CALL_MAX && walk_is_code(walk, ra - 1) &&
	       walk->memory->read(walk->memory->ctx, ra - CALL_MAX, code,
				  CALL_MAX);
}

static bool
ends_with_call(const uint8_t code[CALL_MAX + 1])
{
	unsigned len;

	if (code[CALL_MAX - 5] == 0xe8)
		return true;
	for (len = 2; len <= CALL_MAX; len++)
		if (code[CALL_MAX - len] == 0xff &&
		    indirect_call_length(code + CALL_MAX - len + 1) == len)
			return true;
	return false;
}

static struct code_facts
look_at(const struct walk *walk, uint64_t addr)
{
	struct code_facts facts = { 0 };
	uint8_t code[CALL_MAX + 1] = { 0 };	/* one beyond, for SIB */

	if (read_before(walk, addr, code)) {
		facts.is_after_call = ends_with_call(code);
		facts.is_planted = !facts.is_after_call;
	}
	facts.is_signal_return = signal_is_return(walk, addr);
	return facts;
}

struct code_facts
code_at(const struct walk *walk, uint64_t addr)
{
	size_t i = (addr ^ addr >> FACTS_LOG) & ((1 << FACTS_LOG) - 1);
	struct code *code = walk->code;
	struct kept_facts *kept;

	if (!code)
		return look_at(walk, addr);
	kept = &code->kept[i];
	if (kept->addr != addr || kept->generation != code->generation)
		*kept = (struct kept_facts){ addr, code->generation,
					     look_at(walk, addr) };
	return kept->facts;
}

bool
code_rule(const struct walk *walk, uint64_t addr, struct rule *rule)
{
	size_t i = (addr ^ addr >> FLOWS_LOG) & ((1 << FLOWS_LOG) - 1);
	struct code *code = walk->code;
	struct kept_flow *kept;

	if (!code)
		return flow_find_rule(walk, addr, rule);
	kept = &code->flows[i];
	if (kept->addr != addr || kept->generation != code->generation) {
		*kept = (struct kept_flow){ addr, code->generation, false,
					    { 0 } };
		kept->is_found = flow_find_rule(walk, addr, &kept->rule);
	}
	*rule = kept->rule;
	return kept->is_found;
}

bool
code_called(const struct walk *walk, uint64_t ra, uint64_t *start)
{
	uint8_t code[CALL_MAX];
	int32_t distance;

	if (!read_before(walk, ra, code) || code[CALL_MAX - 5] != 0xe8)
		return false;
	memcpy(&distance, code + CALL_MAX - 4, sizeof(distance));
	*start = ra + (uint64_t)(int64_t)distance;
	return true;
}

static struct kept_caller *
caller_at(const struct walk *walk, uint64_t outer)
{
	uint64_t i = outer ^ outer >> CALLERS_LOG ^ walk->pc;

	return &walk->code->callers[i & ((1 << CALLERS_LOG) - 1)];
}

static bool
is_of(const struct kept_caller *kept, const struct walk *walk, uint64_t outer)
{
	return kept->outer == outer && kept->pc == walk->pc &&
	       kept->generation == walk->code->generation;
}

void
code_keep_caller(const struct walk *walk, uint64_t outer, uint64_t ra,
		 uint64_t near)
{
	struct kept_caller *kept;

	if (!walk->code)
		return;
	kept = caller_at(walk, outer);
	if (!is_of(kept, walk, outer))
		*kept = (struct kept_caller){
			.outer = outer, .pc = walk->pc, .ra = ra,
			.generation = walk->code->generation, .is_one = true,
		};
	if (ra - kept->ra + near > 2 * near)
		kept->is_one = false;
}

bool
code_kept_caller(const struct walk *walk, uint64_t outer, uint64_t *ra)
{
	const struct kept_caller *kept;

	if (!walk->code)
		return false;
	kept = caller_at(walk, outer);
	if (!is_of(kept, walk, outer) || !kept->is_one)
		return false;
	*ra = kept->ra;
	return true;
}
