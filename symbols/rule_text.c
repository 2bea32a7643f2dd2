/* SPDX-License-Identifier: MIT */
/*
 * rule_text.c - unwind rules as a person reads them.
 */
#include "symbols/rule_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base.h"

struct text {
	char *out;
	size_t size, used;
};

static const char *const registers[X86_COUNT] = {
	[X86_RAX] = "rax", [X86_RDX] = "rdx", [X86_RCX] = "rcx",
	[X86_RBX] = "rbx", [X86_RSI] = "rsi", [X86_RDI] = "rdi",
	[X86_RBP] = "rbp", [X86_RSP] = "rsp", [X86_R8] = "r8",
	[X86_R9] = "r9", [X86_R10] = "r10", [X86_R11] = "r11",
	[X86_R12] = "r12", [X86_R13] = "r13", [X86_R14] = "r14",
	[X86_R15] = "r15", [X86_RIP] = "return address",
};

static const char *const op_names[OP_CODES] = {
	[OP_DUP] = "dup", [OP_DROP] = "drop", [OP_SWAP] = "swap",
	[OP_OVER] = "over", [OP_ROT] = "rot", [OP_ADD] = "add",
	[OP_SUB] = "sub", [OP_MUL] = "mul", [OP_AND] = "and", [OP_OR] = "or",
	[OP_XOR] = "xor", [OP_SHL] = "shl", [OP_SHR] = "shr",
	[OP_SHRA] = "shra", [OP_NEG] = "neg", [OP_NOT] = "not",
	[OP_ABS] = "abs", [OP_EQ] = "eq", [OP_NE] = "ne", [OP_LT] = "lt",
	[OP_LE] = "le", [OP_GT] = "gt", [OP_GE] = "ge",
};

__attribute__((format(printf, 2, 3))) static void
put(struct text *text, const char *format, ...)
{
	size_t room = text->size - text->used;
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(text->out + text->used, room, format, args);
	va_end(args);
	if (len > 0)
		text->used += (size_t)len < room ? (size_t)len : room - 1;
}

static const char *
register_name(unsigned number)
{
	return number < X86_COUNT ? registers[number] : "?";
}

/* "rsp + 8", "rbp - 16", "rsp". */
static void
put_sum(struct text *text, unsigned reg, int64_t value)
{
	const char *name = reg == X86_RIP ? "rip" : register_name(reg);

	if (value)
		put(text, "%s %c %lld", name, value < 0 ? '-' : '+',
		    (long long)(value < 0 ? -value : value));
	else
		put(text, "%s", name);
}

static void
put_saved(struct text *text, const struct rule *rule)
{
	if (rule->rbp)
		put(text, ", rbp at CFA%+d", 8 * rule->rbp);
	put(text, ", return address at CFA-8");
}

/* The CFA of RULE, which says it in a sum or in a word of memory. */
static void
put_cfa(struct text *text, const struct rule *rule)
{
	unsigned reg = rule->kind == RULE_SP   ? X86_RSP
		       : rule->kind == RULE_BP ? X86_RBP
					       : rule->reg;

	put(text, "CFA = ");
	if (rule->kind != RULE_DEREF) {
		put_sum(text, reg, rule->cfa);
		return;
	}
	put(text, "*(");
	put_sum(text, reg, (int16_t)(rule->cfa & 0xffff));
	put(text, ")");
	if (rule->cfa >> 16)
		put(text, " %+d", rule->cfa >> 16);
}

char *
rule_text(const struct rule *rule, char *out, size_t size)
{
	struct text text = { out, size, 0 };

	switch (rule->kind) {
	case RULE_NONE:
		put(&text, "none: what is found is a guess");
		break;
	case RULE_FP:
		put(&text, "none, where frame pointers are usual: CFA = rbp + "
		    "16, rbp at CFA-16, return address at CFA-8");
		break;
	case RULE_END:
		put(&text, "the outermost frame: there is no caller");
		break;
	case RULE_PLT:
		put(&text, "CFA = rsp + 8, or rsp + 16 from byte %d of each "
		    "16 on, return address at CFA-8", rule->cfa);
		break;
	case RULE_SIGNAL:
		put(&text, "the kernel's frame of a signal, at rsp: every "
		    "register is in it");
		break;
	case RULE_FULL:
		put(&text, "too odd for a short form: see the full one");
		break;
	case RULE_SP:
	case RULE_BP:
	case RULE_REG:
	case RULE_DEREF:
		put_cfa(&text, rule);
		put_saved(&text, rule);
		break;
	default:
		put(&text, "damaged");
	}
	return out;
}

/* As it is carried out: "rsp + 160, deref 8". */
static void
put_program(struct text *text, const struct rows *rows,
	    const struct column *column)
{
	const struct op *op = rows->ops + column->value;

	put(text, "[");
	for (unsigned i = 0; i < column->ops; i++, op++) {
		put(text, "%s", i ? ", " : "");
		if (op->code == OP_CONST)
			put(text, "%d", op->value);
		else if (op->code == OP_REG)
			put_sum(text, op->reg, op->value);
		else if (op->code == OP_ADD_CONST)
			put(text, "add %d", op->value);
		else if (op->code == OP_DEREF)
			put(text, "deref %u", op->reg);
		else if (op->code == OP_PICK)
			put(text, "pick %d", op->value);
		else
			put(text, "%s", op->code < OP_CODES &&
					op_names[op->code] ?
					op_names[op->code] : "?");
	}
	put(text, "]");
}

/* ", rbx at CFA-24": where NAME comes from. */
static void
put_column(struct text *text, const struct rows *rows, const char *name,
	   const struct column *column)
{
	switch (column->how) {
	case COLUMN_AT_CFA:
		put(text, ", %s at CFA%+d", name, column->value);
		break;
	case COLUMN_IS_CFA:
		put(text, ", %s = CFA%+d", name, column->value);
		break;
	case COLUMN_REG:
		put(text, ", %s = ", name);
		put_sum(text, column->reg, column->value);
		break;
	case COLUMN_AT_CODE:
		put(text, ", %s at ", name);
		put_program(text, rows, column);
		break;
	case COLUMN_IS_CODE:
		put(text, ", %s = ", name);
		put_program(text, rows, column);
		break;
	default:
		put(text, ", %s damaged", name);
	}
}

static bool
is_plain(const struct full_rule *full, unsigned i)
{
	const struct column *column = &full->r[i];

	return column->how == COLUMN_SAME || column->how == COLUMN_UNDEFINED ||
	       (i == X86_RSP && column->how == COLUMN_IS_CFA &&
		column->value == 0);
}

static void
put_unchanged(struct text *text, const struct full_rule *full)
{
	const char *before = "; unchanged: ";

	for (unsigned i = 0; i < X86_RIP; i++)
		if (full->r[i].how == COLUMN_SAME) {
			put(text, "%s%s", before, registers[i]);
			before = " ";
		}
}

char *
rule_text_full(const struct rows *rows, const struct full_rule *full,
	       char *out, size_t size)
{
	struct text text = { out, size, 0 };

	if (full->cfa.how == COLUMN_UNDEFINED)
		return rule_text(&(struct rule){ .kind = full->is_usual_fp
						 ? RULE_FP : RULE_NONE },
				 out, size);
	put(&text, "CFA = ");
	if (full->cfa.how == COLUMN_REG)
		put_sum(&text, full->cfa.reg, full->cfa.value);
	else
		put_program(&text, rows, &full->cfa);
	for (unsigned i = 0; i < X86_COUNT; i++)
		if (!is_plain(full, i))
			put_column(&text, rows, registers[i], &full->r[i]);
	if (full->r[X86_RIP].how == COLUMN_UNDEFINED)
		put(&text, ", no return address: the outermost frame");
	put_unchanged(&text, full);
	if (full->is_signal)
		put(&text, "; the caller was interrupted by a signal");
	return out;
}
