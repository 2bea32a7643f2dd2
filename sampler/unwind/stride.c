/* SPDX-License-Identifier: MIT */
/*
 * stride.c - plain frames, with a rule kept for each address.
 *
 * Eight bytes an address, so that all of a program's usual ones lie in the
 * processor's first cache:
 *
 *	63         29 28    27 26        13 12         0
 *	| tag        | kind  | CFA / 8     | rbp slot   |
 *
 * An address times an odd number, modulo 2^47, is another one for each: its
 * upper bits are the place, and the lower 35 the tag, so that place and tag
 * are the address.
 */
#include "sampler/unwind/stride.h"

#include <stdlib.h>
#include <string.h>

#include "core/base.h"

#define ADDRESS_BITS 47		/* of user space */
#define LOG 12
#define TAG_BITS (ADDRESS_BITS - LOG)
#define HASH 0x5bd1e995a7b3u
#define KIND_BITS 2
#define CFA_BITS 14
#define SLOT_BITS 13
#define MASK(bits) (((uint64_t)1 << (bits)) - 1)

enum { KIND_NONE, KIND_SP, KIND_BP, KIND_END };

struct stride {
	uint64_t kept[1 << LOG];
	bool is_empty;
};

struct stride *
stride_new(void)
{
	return xcalloc(1, sizeof(struct stride));
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

static inline uint64_t
hash(uint64_t rip)
{
	return rip * HASH & MASK(ADDRESS_BITS);
}

static uint64_t
pack(const struct rule *rule)
{
	uint64_t kind = rule->kind == RULE_SP  ? KIND_SP :
			rule->kind == RULE_BP && rule->reg != RULE_LEAVES ?
						 KIND_BP :
			rule->kind == RULE_END ? KIND_END : KIND_NONE;
	int32_t cfa = kind == KIND_END ? 0 : rule->cfa;
	int32_t rbp = kind == KIND_END ? 0 : rule->rbp;

	if (cfa < 0 || cfa % 8 || (uint64_t)cfa / 8 > MASK(CFA_BITS) ||
	    rbp < -(1 << (SLOT_BITS - 1)) || rbp >= 1 << (SLOT_BITS - 1))
		return 0;
	return (kind << CFA_BITS | (uint64_t)cfa / 8) << SLOT_BITS |
	       ((uint64_t)(int64_t)rbp & MASK(SLOT_BITS));
}

void
stride_keep(struct stride *stride, uint64_t rip, const struct rule *rule)
{
	uint64_t packed = pack(rule), h = hash(rip);

	if (!packed || rip >> ADDRESS_BITS)
		return;
	stride->kept[h >> TAG_BITS] =
		(h & MASK(TAG_BITS)) << (64 - TAG_BITS) | packed;
	stride->is_empty = false;
}

static inline uint64_t
load(const struct memory *memory, uint64_t at)
{
	uint64_t word;

	memcpy(&word, (const uint8_t *)memory->window + at, sizeof(word));
	return word;
}

/* HOT: for each frame but the leaf. */
size_t
stride_walk(const struct stride *stride, const struct walk *walk,
	    struct state *state, uint64_t *pcs, uint64_t *sps, size_t room,
	    bool *is_root)
{
	const struct memory *memory = walk->memory;
	uint64_t base = memory->window_addr, *r = state->regs.r;
	uint64_t rip = r[X86_RIP], rsp = r[X86_RSP], rbp = r[X86_RBP];
	bool has_rbp = state->known & REG_BIT(X86_RBP);
	size_t n = 0;

	*is_root = false;
	while (n < room && !(rip >> ADDRESS_BITS)) {
		uint64_t h = hash(rip), kept = stride->kept[h >> TAG_BITS];
		uint64_t kind = kept >> (CFA_BITS + SLOT_BITS) &
				MASK(KIND_BITS);
		bool by_rbp = kind == KIND_BP;
		int64_t slot = (int64_t)(kept << (64 - SLOT_BITS)) >>
			       (64 - SLOT_BITS);
		uint64_t cfa = (by_rbp ? rbp : rsp) +
			       (kept >> SLOT_BITS & MASK(CFA_BITS)) * 8;
		/* Whether it is saved is as good as random: no branch. */
		uint64_t saved = cfa - base + (uint64_t)(slot - !slot) * 8;

		if ((kept >> (64 - TAG_BITS)) != (h & MASK(TAG_BITS)) ||
		    kind == KIND_NONE)
			break;
		if (kind != KIND_END &&
		    ((by_rbp && !has_rbp) || cfa <= rsp ||
		     cfa - base - 8 >= walk->words || saved >= walk->words))
			break;
		pcs[n] = rip - 1;
		if (sps)
			sps[n] = rsp;
		n++;
		if (kind == KIND_END) {
			*is_root = true;
			break;
		}
		rip = load(memory, cfa - base - 8);
		rsp = cfa;
		saved = load(memory, saved);
		rbp = slot ? saved : rbp;
		has_rbp |= slot != 0;
	}
	if (!n)
		return 0;
	r[X86_RIP] = rip;
	r[X86_RSP] = rsp;
	r[X86_RBP] = rbp;
	state->known = has_rbp ? REGS_COMPACT :
		       REGS_COMPACT & ~REG_BIT(X86_RBP);
	return n;
}
