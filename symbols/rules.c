/* SPDX-License-Identifier: MIT */
/*
 * rules.c - compact rules to full ones, and back where they fit.
 *
 * The odd compact rules are recognised by comparing with what they would be
 * in full, so that each is written down once.
 */
#include "symbols/rules.h"

#include <string.h>

#include "core/base.h"

/*
 * Offsets of registers in what the kernel pushes for a signal, from the rsp
 * that the handler returns to: struct ucontext, then the registers in the
 * order of struct sigcontext (asm/sigcontext.h).
 */
static const uint8_t in_signal_frame[X86_COUNT] = {
	[X86_R8] = 40,	 [X86_R9] = 48,	  [X86_R10] = 56,  [X86_R11] = 64,
	[X86_R12] = 72,	 [X86_R13] = 80,  [X86_R14] = 88,  [X86_R15] = 96,
	[X86_RDI] = 104, [X86_RSI] = 112, [X86_RBP] = 120, [X86_RBX] = 128,
	[X86_RDX] = 136, [X86_RAX] = 144, [X86_RCX] = 152, [X86_RSP] = 160,
	[X86_RIP] = 168,
};

static const bool is_callee_saved[X86_COUNT] = {
	[X86_RBX] = true, [X86_RBP] = true, [X86_R12] = true,
	[X86_R13] = true, [X86_R14] = true, [X86_R15] = true,
};

void
rules_begin(struct full_rule *full)
{
	memset(full, 0, sizeof(*full));
	full->cfa.how = COLUMN_UNDEFINED;
	for (size_t i = 0; i < X86_COUNT; i++)
		if (!is_callee_saved[i])
			full->r[i].how = COLUMN_UNDEFINED;
	full->r[X86_RSP].how = COLUMN_IS_CFA;
	full->r[X86_RIP] = (struct column){ .how = COLUMN_AT_CFA, .value = -8 };
}

/* Append a program of N ops, and make COLUMN what it says. */
static void
use_program(struct column *column, enum column_how how,
	    struct op ops[RULES_OPS_MAX], size_t *nops,
	    const struct op *program, size_t n)
{
	*column = (struct column){ .how = (uint8_t)how, .ops = (uint16_t)n,
				   .value = (int32_t)*nops };
	memcpy(ops + *nops, program, n * sizeof(*program));
	*nops += n;
}

static void
lengthen_plt(const struct rule *rule, struct full_rule *full,
	     struct op ops[RULES_OPS_MAX], size_t *nops)
{
	const struct op program[] = {
		{ .code = OP_REG, .reg = X86_RSP, .value = 8 },
		{ .code = OP_REG, .reg = X86_RIP },
		{ .code = OP_CONST, .value = 15 },
		{ .code = OP_AND },
		{ .code = OP_CONST, .value = rule->cfa },
		{ .code = OP_GE },
		{ .code = OP_CONST, .value = 3 },
		{ .code = OP_SHL },
		{ .code = OP_ADD },
	};

	use_program(&full->cfa, COLUMN_IS_CODE, ops, nops, program,
		    ARRAY_LEN(program));
}

/* The sum is left out where there is nothing to add, as compilers do. */
static void
lengthen_deref(uint8_t reg, int32_t cfa, struct full_rule *full,
	       struct op ops[RULES_OPS_MAX], size_t *nops)
{
	const struct op program[] = {
		{ .code = OP_REG, .reg = reg, .value = (int16_t)cfa },
		{ .code = OP_DEREF, .reg = 8 },
		{ .code = OP_ADD_CONST, .value = cfa / 65536 },
	};

	use_program(&full->cfa, COLUMN_IS_CODE, ops, nops, program,
		    cfa / 65536 ? 3 : 2);
}

static void
lengthen_signal(struct full_rule *full, struct op ops[RULES_OPS_MAX],
		size_t *nops)
{
	lengthen_deref(X86_RSP, in_signal_frame[X86_RSP], full, ops, nops);
	for (size_t i = 0; i < X86_COUNT; i++) {
		const struct op program = {
			.code = OP_REG, .reg = X86_RSP,
			.value = in_signal_frame[i],
		};

		use_program(&full->r[i], COLUMN_AT_CODE, ops, nops, &program,
			    1);
	}
	full->is_signal = 1;
}

void
rules_lengthen(const struct rule *rule, struct full_rule *full,
	       struct op ops[RULES_OPS_MAX], size_t *nops)
{
	rules_begin(full);
	*nops = 0;
	switch (rule->kind) {
	case RULE_FP:
		full->is_usual_fp = 1;
		return;
	case RULE_END:
		full->cfa = (struct column){ .how = COLUMN_REG,
					     .reg = X86_RSP, .value = 8 };
		full->r[X86_RIP] = (struct column){ .how = COLUMN_UNDEFINED };
		return;
	case RULE_SIGNAL:
		lengthen_signal(full, ops, nops);
		return;
	case RULE_SP:
	case RULE_BP:
	case RULE_REG:
		full->cfa.how = COLUMN_REG;
		full->cfa.value = rule->cfa;
		full->cfa.reg = rule->kind == RULE_SP	? X86_RSP
				: rule->kind == RULE_BP ? X86_RBP
							: rule->reg;
		break;
	case RULE_PLT:
		lengthen_plt(rule, full, ops, nops);
		break;
	case RULE_DEREF:
		lengthen_deref(rule->reg, rule->cfa, full, ops, nops);
		break;
	default:
		return;
	}
	if (rule->rbp)
		full->r[X86_RBP] = (struct column){ .how = COLUMN_AT_CFA,
						    .value = 8 * rule->rbp };
}

static bool
has_same_program(const struct column *a, const struct op *a_ops,
		 const struct column *b, const struct op *b_ops)
{
	return a->how == b->how && a->ops == b->ops &&
	       !memcmp(a_ops + a->value, b_ops + b->value,
		       a->ops * sizeof(*a_ops));
}

/* Is it RULE, as far as a compact walk can tell? */
static bool
is_like(const struct full_rule *full, const struct op *ops,
	const struct rule *rule)
{
	struct op own_ops[RULES_OPS_MAX];
	struct full_rule own;
	size_t n;

	rules_lengthen(rule, &own, own_ops, &n);
	if (!has_same_program(&full->cfa, ops, &own.cfa, own_ops))
		return false;
	return !own.is_signal ||
	       (has_same_program(&full->r[X86_RIP], ops, &own.r[X86_RIP],
				 own_ops) &&
		has_same_program(&full->r[X86_RBP], ops, &own.r[X86_RBP],
				 own_ops));
}

/* The CFA is a program: which of the well-known ones? */
static bool
shorten_program(const struct full_rule *full, const struct op *ops,
		struct rule *rule)
{
	const struct op *program = ops + full->cfa.value;
	size_t n = full->cfa.ops;

	if (n == 9) {
		rule->kind = RULE_PLT;
		rule->cfa = program[4].value;
		return is_like(full, ops, rule);
	}
	if ((n != 2 && n != 3) || program[0].value < INT16_MIN ||
	    program[0].value > INT16_MAX)
		return false;
	rule->kind = RULE_DEREF;
	rule->reg = program[0].reg;
	rule->cfa = (uint16_t)program[0].value;
	if (n == 3 && program[2].value > 0 && program[2].value <= INT16_MAX)
		rule->cfa += program[2].value * 65536;
	return is_like(full, ops, rule);
}

/* How far below the CFA rbp is, in words; 0: it is not saved. */
static bool
shorten_rbp(const struct column *rbp, int16_t *words)
{
	*words = 0;
	if (rbp->how == COLUMN_SAME)
		return true;
	*words = (int16_t)(rbp->value / 8);
	return rbp->how == COLUMN_AT_CFA && *words &&
	       8 * (int32_t)*words == rbp->value;
}

/*
 * The eight bytes in one piece: who reads them next reads them so, and waits
 * for a processor that has to put them together.
 */
static void
put_rule(struct rule *rule, uint8_t kind, uint8_t reg, int16_t rbp,
	 int32_t cfa)
{
	const uint64_t bytes = kind | (uint64_t)reg << 8 |
			       (uint64_t)(uint16_t)rbp << 16 |
			       (uint64_t)(uint32_t)cfa << 32;

	memcpy(rule, &bytes, sizeof(*rule));
}

/*
 * What a handler is told is in rax and rdx, so only who leaves for one has a
 * place to keep them for its caller.
 */
static bool
leaves(const struct full_rule *full)
{
	return full->r[X86_RAX].how == COLUMN_AT_CFA &&
	       full->r[X86_RDX].how == COLUMN_AT_CFA;
}

static bool
shorten_call(const struct full_rule *full, const struct op *ops,
	     struct rule *rule)
{
	const struct column *cfa = &full->cfa;
	int16_t rbp;

	if (!shorten_rbp(&full->r[X86_RBP], &rbp))
		return false;
	if (cfa->how == COLUMN_REG && cfa->reg == X86_RSP) {
		put_rule(rule, RULE_SP, 0, rbp, cfa->value);
		return true;
	}
	if (cfa->how == COLUMN_REG && cfa->reg == X86_RBP) {
		put_rule(rule, RULE_BP, leaves(full) ? RULE_LEAVES : 0, rbp,
			 cfa->value);
		return true;
	}
	if (cfa->how == COLUMN_REG) {
		put_rule(rule, RULE_REG, cfa->reg, rbp, cfa->value);
		return true;
	}
	*rule = (struct rule){ .rbp = rbp };
	return cfa->how == COLUMN_IS_CODE && shorten_program(full, ops, rule);
}

/* Return address and stack pointer as every compact rule has them. */
static bool
is_usual_call(const struct full_rule *full)
{
	static const struct column at_cfa = { .how = COLUMN_AT_CFA,
					      .value = -8 };
	static const struct column is_cfa = { .how = COLUMN_IS_CFA };

	return !memcmp(&full->r[X86_RIP], &at_cfa, sizeof(at_cfa)) &&
	       (!memcmp(&full->r[X86_RSP], &is_cfa, sizeof(is_cfa)) ||
		full->r[X86_RSP].how == COLUMN_SAME);
}

/* Rules that say more, or less, than where the caller's registers are. */
static bool
shorten_odd(const struct full_rule *full, const struct op *ops,
	    struct rule *rule)
{
	if (full->cfa.how == COLUMN_UNDEFINED) {
		if (full->is_usual_fp)
			rule->kind = RULE_FP;
		return true;
	}
	if (full->r[X86_RIP].how == COLUMN_UNDEFINED) {
		rule->kind = RULE_END;
		return true;
	}
	rule->kind = RULE_SIGNAL;
	return full->is_signal && is_like(full, ops, rule);
}

bool
rules_shorten(const struct full_rule *full, const struct op *ops,
	      struct rule *rule)
{
	if (full->cfa.how != COLUMN_UNDEFINED && !full->is_signal &&
	    is_usual_call(full))
		return shorten_call(full, ops, rule);
	*rule = (struct rule){ .kind = RULE_NONE };
	return shorten_odd(full, ops, rule);
}
