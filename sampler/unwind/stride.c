/* SPDX-License-Identifier: MIT */
/*
 * stride.c - plain frames, with a rule kept for each address.
 *
 * Eight bytes an address, so that all of a program's usual ones lie in the
 * processor's caches. What the next load waits for takes the least work:
 *
 *	63  61 60        51 50       16 15          0
 *	| kind | depth of   | tag      | CFA minus   |
 *	|      | rbp's slot |          | rsp or rbp  |
 *
 * An address times an odd number, modulo 2^48, is another one for each: its
 * upper bits are the place, and the lower 35 the tag, so that place and tag
 * are the address. A place has room for two.
 */
#include "sampler/unwind/stride.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "sampler/unwind/rules.h"

#define ADDRESS_BITS 47		/* of user space */
#define KEY_BITS (ADDRESS_BITS + 1)
#define EXACT ((uint64_t)1 << ADDRESS_BITS)	/* no call is there */
#define PAIRS_LOG 13
#define CFA_BITS 16
#define TAG_BITS (KEY_BITS - PAIRS_LOG)
#define DEPTH_BITS 10
#define DEPTH_AT (CFA_BITS + TAG_BITS)
#define KIND_AT (DEPTH_AT + DEPTH_BITS)
#define MASK(bits) (((uint64_t)1 << (bits)) - 1)
#define TAG (MASK(TAG_BITS) << CFA_BITS)
#define HASH ((uint64_t)0x5bd1e995a7b3 << (64 - KEY_BITS))
/* In words below the CFA; there the return address is, so rbp cannot be. */
#define NOT_SAVED 1

_Static_assert(64 - KEY_BITS == CFA_BITS, "a hash has its tag in its place");

/* As of a rule; other rules are not kept. */
enum {
	KIND_NONE = 0,
	KIND_TABLE = 1,		/* not kept: ask the module's table */
	KIND_END = RULE_END,
	KIND_SP = RULE_SP,
	KIND_BP = RULE_BP,
};

_Static_assert(KIND_TABLE < KIND_END && KIND_END < KIND_SP &&
	       KIND_SP < KIND_BP && KIND_BP < 1 << (64 - KIND_AT), "kinds");

struct stride {
	bool keeps_rules, is_empty;
	uint64_t kept[1 << PAIRS_LOG][2];	/* the newer one first */
};

struct stride *
stride_new(bool keeps_rules)
{
	struct stride *stride = xcalloc(1, sizeof(*stride));

	stride->keeps_rules = keeps_rules;
	stride->is_empty = true;
	return stride;
}

void
stride_free(struct stride *stride)
{
	free(stride);
}

void
stride_forget(struct stride *stride)
{
	if (!stride->is_empty)
		memset(stride->kept, 0, sizeof(stride->kept));
	stride->is_empty = true;
}

/* PC is inside of a frame's code: of a call's, unless it IS_EXACT. */
static inline uint64_t
key_of(uint64_t pc, bool is_exact)
{
	return is_exact ? pc | EXACT : pc;
}

/* The place in the upper bits, the tag in those below. */
static inline uint64_t
hash(uint64_t key)
{
	return key * HASH;
}

static inline bool
is_tagged(uint64_t kept, uint64_t h)
{
	return !((kept ^ h) & TAG);
}

/* A rule, as far as it is needed; KIND_NONE: it says more (RULE_LEAVES). */
struct plain {
	uint64_t kind, cfa, depth;
};

static inline struct plain
plain_of(const struct rule *rule)
{
	return (struct plain){
		.kind = rule->kind == RULE_BP && rule->reg ? KIND_NONE :
							     rule->kind,
		.cfa = (uint64_t)(int64_t)rule->cfa,
		.depth = rule->rbp ? -(uint64_t)(int64_t)rule->rbp : NOT_SAVED,
	};
}

/* Can it be kept? */
static inline bool
fits(const struct plain *plain)
{
	return plain->kind >= KIND_END && plain->kind <= KIND_BP &&
	       plain->cfa <= MASK(CFA_BITS) &&
	       plain->depth - 1 < MASK(DEPTH_BITS);
}

void
stride_keep(struct stride *stride, uint64_t pc, bool is_exact,
	    const struct rule *rule)
{
	uint64_t h = hash(key_of(pc, is_exact)), packed, *pair;
	struct plain plain = plain_of(rule);

	if (!fits(&plain) || pc >> ADDRESS_BITS)
		return;
	packed = plain.kind << KIND_AT | plain.depth << DEPTH_AT | plain.cfa;
	if (!stride->keeps_rules)
		packed = (uint64_t)KIND_TABLE << KIND_AT;
	pair = stride->kept[h >> (64 - PAIRS_LOG)];
	if (!is_tagged(pair[0], h))
		pair[1] = pair[0];
	pair[0] = (h & TAG) | packed;
	stride->is_empty = false;
}

/* --- the walk */

static inline bool
ask_table(struct rules *rules, uint64_t pc, struct plain *plain)
{
	const struct rule *rule = rules_look(rules, pc);

	if (!rule)
		return false;
	*plain = plain_of(rule);
	return fits(plain);
}

/* What is kept, or 0. */
static inline uint64_t
find(const struct stride *stride, uint64_t key)
{
	uint64_t h = hash(key);
	const uint64_t *pair = stride->kept[h >> (64 - PAIRS_LOG)];

	if (is_tagged(pair[0], h))
		return pair[0];
	return is_tagged(pair[1], h) ? pair[1] : 0;
}

/* By which rule a frame at PC goes on; if that is not known PLAIN is junk. */
static inline bool
look_up(const struct stride *stride, struct rules *rules, uint64_t pc,
	uint64_t key, struct plain *plain)
{
	uint64_t kept = find(stride, key);

	*plain = (struct plain){
		.kind = kept >> KIND_AT,
		.cfa = kept & MASK(CFA_BITS),
		.depth = kept >> DEPTH_AT & MASK(DEPTH_BITS),
	};
	if (plain->kind >= KIND_END)
		return !(pc >> ADDRESS_BITS);
	return plain->kind == KIND_TABLE && !(pc >> ADDRESS_BITS) &&
	       ask_table(rules, pc, plain);
}

/* The window, and where in it; rsp and rbp are counted from its beginning. */
struct at {
	const uint8_t *window;
	uint64_t words;
	uint64_t rip, rsp, rbp;
	bool has_rbp;
};

static inline uint64_t
load(const struct at *at, uint64_t offset)
{
	uint64_t word;

	memcpy(&word, at->window + offset, sizeof(word));
	return word;
}

/* To the caller by PLAIN, unless false. */
static inline bool
go_up(struct at *at, const struct plain *plain, uint64_t base)
{
	bool by_rbp = plain->kind == KIND_BP;
	uint64_t cfa = (by_rbp ? at->rbp : at->rsp) + plain->cfa;
	uint64_t slot = cfa - plain->depth * 8;

	if ((by_rbp && !at->has_rbp) || cfa - 8 >= at->words ||
	    slot >= at->words || slot < at->rsp)
		return false;
	if (plain->depth != NOT_SAVED) {
		at->rbp = load(at, slot) - base;
		at->has_rbp = true;
	}
	at->rip = load(at, cfa - 8);
	at->rsp = cfa;
	return true;
}

/* HOT: for each frame. */
size_t
stride_walk(const struct stride *stride, struct rules *rules,
	    const struct walk *walk, struct state *state, uint64_t *pcs,
	    uint64_t *sps, size_t room, bool *is_root)
{
	uint64_t base = walk->memory->window_addr, *r = state->regs.r;
	uint64_t pc = r[X86_RIP] - !walk->is_leaf;
	uint64_t key = key_of(pc, walk->is_leaf);
	struct plain plain;
	struct at at = {
		walk->memory->window, walk->words,
		r[X86_RIP], r[X86_RSP] - base, r[X86_RBP] - base,
		state->known & REG_BIT(X86_RBP),
	};
	bool at_root = false;
	size_t n = 0;

	while (n < room && !at_root) {
		uint64_t rsp = at.rsp;

		if (!look_up(stride, rules, pc, key, &plain))
			break;
		if (plain.kind == KIND_END)
			at_root = true;
		else if (!go_up(&at, &plain, base))
			break;
		pcs[n] = pc;
		if (sps)
			sps[n] = rsp + base;
		n++;
		pc = key = at.rip - 1;
	}
	*is_root = at_root;
	if (!n)
		return 0;
	r[X86_RIP] = at.rip;
	r[X86_RSP] = at.rsp + base;
	r[X86_RBP] = at.rbp + base;
	state->known = at.has_rbp ? REGS_COMPACT :
		       REGS_COMPACT & ~REG_BIT(X86_RBP);
	return n;
}
