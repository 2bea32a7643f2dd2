/* SPDX-License-Identifier: MIT */
/*
 * rows.h - the unwind rules of a module as a table.
 *
 * Says for each byte of code how to get from the registers there to the
 * caller's. The tables process makes it of .eh_frame and what else there is
 * (symbols/cfi.h); the walk uses it (sampler/unwind/). In between it is plain
 * bytes: a record, or sealed memory.
 *
 *	page of code (64 KiB of the file) -> sixteen parts -> rows
 *	row (4 bytes)   -> number of a rule, in force up to the next row
 *	rule (8 bytes)  -> CFA and saved rbp, where that is simple: 99.5 % are
 *	full rule       -> every register, where it is not
 *	op (8 bytes)    -> what a full rule computes
 *
 * Code is found by its offset in the file, as everywhere in a profile
 * (core/maps.h), so a table knows nothing of addresses and is good for every
 * process that runs the file.
 *
 * A table is one of two kinds. In a compact one rows lead to rules, and few of
 * these to a full rule; its walk knows of the caller rip, rsp and rbp. In a
 * full one each row leads to a full rule; its walk knows every register that
 * is kept, and is needed where a rule is based on another one.
 *
 * The names are those of DWARF 5, 6.4: the CFA is the caller's rsp.
 *
 * An image is, little-endian, without gaps:
 *
 *	header		struct rows_header
 *	starts		u32[pages * 16 + 1]: number of each part's first row; where
 *			it begins without one, that of the part before goes on
 *	rows		u32[rows]: offset in the page << 16 | number of rule
 *	rules		struct rule[rules]; none in a full table
 *	fulls		struct full_rule[fulls]
 *	ops		struct op[ops]
 *	sites		struct rows_site[sites]
 */
#ifndef CORE_ROWS_H
#define CORE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/memory.h"

#define ROWS_PAGE_LOG 16
#define ROWS_PAGE ((uint64_t)1 << ROWS_PAGE_LOG)
#define ROWS_PART_LOG 12
#define ROWS_PARTS (1u << (ROWS_PAGE_LOG - ROWS_PART_LOG))
#define ROWS_PAGES_MAX (1u << 16)	/* 4 GiB of code */
#define ROWS_RULES_MAX 65536u
#define ROWS_OPS_MAX 32u		/* of one program */
#define ROWS_MAGIC 0x32776f72u		/* "row2" */

enum rule_kind {
	RULE_NONE,	/* a hole: nothing is known of this code */
	RULE_FP,	/* no rules for a long way: frame pointers are usual */
	RULE_END,	/* the outermost frame: there is no caller */
	RULE_SP,	/* CFA = rsp + cfa */
	RULE_BP,	/* CFA = rbp + cfa */
	RULE_REG,	/* CFA = register REG + cfa */
	RULE_PLT,	/* CFA = rsp + 8 + (rip % 16 >= cfa ? 8 : 0) */
	RULE_DEREF,	/* CFA = *(REG + cfa % 65536, signed) + cfa / 65536 */
	RULE_SIGNAL,	/* the kernel's frame of a signal, at rsp */
	RULE_FULL,	/* full rule number cfa */
	RULE_KINDS
};

/*
 * The return address lies at CFA - 8, but for RULE_END, _SIGNAL and _FULL.
 * What a leaf has taken off the stack already is below its rsp: that register
 * is as it was.
 */
struct rule {
	uint8_t kind;
	uint8_t reg;		/* X86_*; RULE_REG and RULE_DEREF. RULE_BP:
				   RULE_LEAVES or 0. RULE_SP: X86_RBP if all
				   of this code keeps frame pointers, then the
				   outermost frame has a rule that says so */
	int16_t rbp;		/* saved at CFA + 8 * rbp; 0: not saved */
	int32_t cfa;
};

/*
 * The function may leave its callers for the handler of an exception. Then it
 * puts what the handler's frame had where it keeps what its caller had, the
 * return address last, while the stack is still its caller's.
 */
#define RULE_LEAVES 1

static inline bool
rule_keeps_frames(const struct rule *rule)
{
	return rule->kind == RULE_SP && rule->reg == X86_RBP;
}

/* Is rbp this frame's by now? Else it is still, or again, the caller's. */
static inline bool
rule_has_frame(const struct rule *rule)
{
	return rule_keeps_frames(rule) && rule->rbp == -2;
}

enum column_how {
	COLUMN_SAME,		/* not saved: as it is */
	COLUMN_UNDEFINED,	/* lost; as the return address: no caller */
	COLUMN_AT_CFA,		/* saved at CFA + VALUE */
	COLUMN_IS_CFA,		/* is CFA + VALUE */
	COLUMN_REG,		/* is in register REG, + VALUE */
	COLUMN_AT_CODE,		/* saved where the program VALUE says */
	COLUMN_IS_CODE,		/* is what the program VALUE says */
	COLUMN_HOWS
};

struct column {
	uint8_t how;
	uint8_t reg;		/* X86_* */
	uint16_t ops;		/* of the program; at most ROWS_OPS_MAX */
	int32_t value;		/* or the number of its first op */
};

/*
 * One of every register, by X86_*; that of rip is the return address, and
 * that of rsp the CFA unless it says otherwise. CFA itself is COLUMN_REG or
 * COLUMN_IS_CODE, or COLUMN_UNDEFINED where nothing is known (a hole).
 */
struct full_rule {
	struct column cfa;
	struct column r[X86_COUNT];
	uint32_t is_signal;	/* the caller was interrupted, did not call */
	uint32_t is_usual_fp;	/* of a hole: as RULE_FP, not RULE_NONE */
	uint32_t leaves;	/* enum rows_leave */
};

/*
 * Code that goes on with another stack, and leaves rbp as its caller had it,
 * in a program that keeps frame pointers. Where its caller is on the stack
 * that was left, which the rule says, may have changed since: what is known
 * of the time of the sample is better (sampler/unwind/trail.h).
 */
enum rows_leave {
	LEAVE_NOT,
	LEAVE_TO_CALL,		/* calls a function that its caller has given:
				   which caller that was, sites tell */
	LEAVE_TO_GROW,		/* the caller had no frame yet, and the
				   function that is called keeps rsp and
				   return address of the caller's caller */
};

/* A call of LEAVE_TO_CALL, as offsets of the file. */
struct rows_site {
	uint32_t from, to;	/* the function that is given to it */
	uint32_t caller;	/* the first byte of the one that calls, */
	uint32_t ret;		/* and where that goes on */
};

/*
 * A program works on a stack of 64-bit words, empty at first (with the CFA on
 * it for the program of a register), and leaves its result on top. No jumps.
 */
enum op_code {
	OP_CONST,	/* push VALUE */
	OP_REG,		/* push register REG + VALUE */
	OP_ADD_CONST,	/* top += VALUE */
	OP_DEREF,	/* top = the REG bytes (1, 2, 4, 8) there */
	OP_DUP, OP_DROP, OP_SWAP, OP_OVER, OP_ROT,
	OP_PICK,	/* push the word VALUE below the top */
	OP_ADD, OP_SUB, OP_MUL, OP_AND, OP_OR, OP_XOR,
	OP_SHL, OP_SHR, OP_SHRA,
	OP_NEG, OP_NOT, OP_ABS,
	OP_EQ, OP_NE, OP_LT, OP_LE, OP_GT, OP_GE,	/* signed */
	OP_CODES
};

struct op {
	uint8_t code;
	uint8_t reg;
	uint16_t unused;
	int32_t value;
};

struct rows_header {
	uint32_t magic;
	uint32_t is_full;
	uint32_t first;		/* page of the file, in ROWS_PAGE */
	uint32_t pages, rows, rules, fulls, ops, sites;
};

/* A table, open for lookup; a plain value that borrows the image. */
struct rows {
	const struct rows_header *header;
	const uint32_t *starts, *rows;
	const struct rule *rules;
	const struct full_rule *fulls;
	const struct op *ops;
	const struct rows_site *sites;
};

/*
 * Look into an image, which somebody else wrote, must be aligned to 8 bytes
 * and must not change. True if every number in its header and in STARTS fits
 * its length; those in rows, rules and columns are checked at each lookup.
 */
bool rows_open(const void *image, size_t len, struct rows *out);

/* Is OFFSET of the file on one of the pages? */
bool rows_has(const struct rows *rows, uint64_t offset);

/* The rule at OFFSET, or NULL where there is none or it is damaged. */
const struct rule *rows_rule(const struct rows *rows, uint64_t offset);

/* Full rule number INDEX, with programs inside of the image; or NULL. */
const struct full_rule *rows_full(const struct rows *rows, uint64_t index);

/* The same at OFFSET of a full table. */
const struct full_rule *rows_full_at(const struct rows *rows,
				     uint64_t offset);

#endif
