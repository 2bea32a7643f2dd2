/* SPDX-License-Identifier: MIT */
/*
 * stride.c - plain frames, with a rule kept for each address.
 *
 * Eight bytes an address, so that all of a program's usual ones lie in the
 * processor's caches, and as many as it has turned out to need: the fewer
 * lines they lie in, the sooner they are there. What the next load waits for
 * takes the least work:
 *
 *	63  61 60        54 53       16 15          0
 *	| kind | depth of   | tag      | CFA minus   |
 *	|      | rbp's slot |          | rsp or rbp  |
 *
 * An address times an odd number, modulo 2^48, is another one for each: its
 * upper bits are the place, and those below the tag, so that place and tag
 * are the address. A place has room for two.
 */
#include "sampler/unwind/stride.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"
#include "sampler/unwind/again.h"
#include "sampler/unwind/rules.h"

#define ADDRESS_BITS 47		/* of user space */
#define KEY_BITS (ADDRESS_BITS + 1)
#define EXACT ((uint64_t)1 << ADDRESS_BITS)	/* no call is there */
#define PAIRS_LOG_MIN 10
#define PAIRS_LOG_MAX 15
#define CFA_BITS 16
#define TAG_BITS (KEY_BITS - PAIRS_LOG_MIN)
#define DEPTH_AT (CFA_BITS + TAG_BITS)
#define KIND_AT 61
#define DEPTH_BITS (KIND_AT - DEPTH_AT)
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
	unsigned log;			/* of how many pairs there are */
	size_t lost;			/* what others took the place of */
	uint64_t (*kept)[2];		/* the newer one first */
	struct again again;
};

struct stride *
stride_new(bool keeps_rules)
{
	struct stride *stride = xcalloc(1, sizeof(*stride));

	stride->keeps_rules = keeps_rules;
	stride->is_empty = true;
	stride->log = PAIRS_LOG_MIN;
	stride->kept = xcalloc((size_t)1 << stride->log,
			       sizeof(*stride->kept));
	return stride;
}

void
stride_free(struct stride *stride)
{
	if (!stride)
		return;
	free(stride->kept);
	free(stride);
}

void
stride_forget(struct stride *stride)
{
	if (!stride->is_empty)
		memset(stride->kept, 0,
		       sizeof(*stride->kept) << stride->log);
	again_forget(&stride->again);
	stride->is_empty = true;
	stride->lost = 0;
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

static inline uint64_t *
pair_of(const struct stride *stride, uint64_t h)
{
	return stride->kept[h >> (64 - stride->log)];
}

static void
put(struct stride *stride, uint64_t h, uint64_t packed)
{
	uint64_t *pair = pair_of(stride, h);

	if (!is_tagged(pair[0], h)) {
		stride->lost += pair[1] != 0;
		pair[1] = pair[0];
	}
	pair[0] = (h & TAG) | packed;
}

/* Twice the room. */
static void
widen(struct stride *stride)
{
	unsigned log = stride->log;
	uint64_t (*old)[2] = stride->kept;
	size_t i;

	stride->kept = xcalloc((size_t)2 << log, sizeof(*stride->kept));
	stride->log++;
	for (i = 0; i < (size_t)2 << log; i++) {
		uint64_t kept = old[i / 2][1 - i % 2];
		uint64_t h = (uint64_t)(i / 2) << (64 - log) | (kept & TAG);

		if (kept)
			put(stride, h, kept & ~TAG);
	}
	free(old);
	stride->lost = 0;
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
	uint64_t packed;
	struct plain plain = plain_of(rule);

	if (!fits(&plain) || pc >> ADDRESS_BITS)
		return;
	packed = plain.kind << KIND_AT | plain.depth << DEPTH_AT | plain.cfa;
	if (!stride->keeps_rules)
		packed = (uint64_t)KIND_TABLE << KIND_AT;
	if (stride->lost >> (stride->log - 2) &&
	    stride->log < PAIRS_LOG_MAX)
		widen(stride);
	put(stride, hash(key_of(pc, is_exact)), packed);
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
	uint64_t h = hash(key), kept;
	const uint64_t *pair = pair_of(stride, h);

	kept = is_tagged(pair[0], h) ? pair[0] : pair[1];
	return is_tagged(kept, h) ? kept : 0;
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
	uint64_t slot = cfa - plain->depth * 8, saved;

	if ((by_rbp && !at->has_rbp) || cfa - 8 >= at->words ||
	    slot >= at->words || slot < at->rsp)
		return false;
	/* Whether rbp is saved is as good as random: no branch on it. */
	saved = load(at, slot) - base;
	at->rbp = plain->depth == NOT_SAVED ? at->rbp : saved;
	at->has_rbp |= plain->depth != NOT_SAVED;
	at->rip = load(at, cfa - 8);
	at->rsp = cfa;
	return true;
}

/* Is AT at a frame of the last walk whose callers are the same, N at most? */
static inline bool
is_again(const struct at *at, uint64_t base, struct again_join *join, size_t n)
{
	return at->rsp + base >= join->rsp && at->has_rbp &&
	       again_is_joined(join, at->rip - 1, at->rsp + base,
			       at->rbp + base) &&
	       join->count <= n;
}

/* The rest of a walk is the last one's; returns how many frames that is. */
static size_t
copy_joined(const struct again_join *join, uint64_t *pcs, uint64_t *sps)
{
	size_t i = join->count, n = 0;

	for (; i-- > 0; n++) {
		pcs[n] = join->frames[i].pc;
		if (sps)
			sps[n] = join->frames[i].rsp;
	}
	return n;
}

static inline void
go_to(struct state *state, const struct at *at, uint64_t base)
{
	state->regs.r[X86_RIP] = at->rip;
	state->regs.r[X86_RSP] = at->rsp + base;
	state->regs.r[X86_RBP] = at->rbp + base;
	state->known = at->has_rbp ? REGS_COMPACT :
		       REGS_COMPACT & ~REG_BIT(X86_RBP);
}

/* HOT: for each frame. */
size_t
stride_walk(struct stride *stride, struct rules *rules,
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
	struct again_join join = again_check(&stride->again, walk);
	struct again_frame fresh[AGAIN_FRAMES];
	bool at_root = false, is_joined = false;
	size_t n = 0, from = walk->is_leaf;	/* that is no caller */

	while (n < room && !at_root && !is_joined) {
		uint64_t rsp = at.rsp + base;

		if (!look_up(stride, rules, pc, key, &plain))
			break;
		fresh[n % AGAIN_FRAMES] = (struct again_frame){
			pc, rsp, at.rbp + base, plain.depth,
		};
		at_root = plain.kind == KIND_END;
		if (!at_root && !go_up(&at, &plain, base))
			break;
		pcs[n] = pc;
		if (sps)
			sps[n] = rsp;
		n++;
		pc = key = at.rip - 1;
		is_joined = !at_root && is_again(&at, base, &join, room - n);
	}
	*is_root = at_root || is_joined;
	if (n)
		go_to(state, &at, base);
	if (!*is_root || !stride->keeps_rules)
		return n;
	join.count = is_joined ? join.count : 0;
	again_keep(&join, fresh, from, n);
	return n + copy_joined(&join, pcs + n, sps ? sps + n : NULL);
}
