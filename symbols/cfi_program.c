/* SPDX-License-Identifier: MIT */
/*
 * cfi_program.c - call frame instructions.
 */
#include "symbols/cfi_program.h"

#include <dwarf.h>
#include <string.h>

#include "symbols/cfi_bytes.h"
#include "symbols/rules.h"

#define OPERAND 0x3f		/* of an instruction that has it inside */
#define LOC_MAX UINT64_MAX

/*
 * A CIE is run again for every FDE that the cache has lost it for. None is
 * longer than some tens of bytes.
 */
#define CIE_INSTRUCTIONS_MAX 4096

/* A column that no table has, for registers that nobody keeps. */
static struct column *
column_of(struct cfi_run *run, uint64_t reg, struct column *nobody)
{
	return reg < X86_COUNT ? &run->row.r[reg] : nobody;
}

static void
set(struct cfi_run *run, uint64_t reg, enum column_how how, int64_t value)
{
	struct column nobody, *column = column_of(run, reg, &nobody);

	*column = (struct column){ .how = (uint8_t)how,
				   .value = (int32_t)value };
	if (value < INT32_MIN || value > INT32_MAX)
		*column = (struct column){ .how = COLUMN_UNSAID };
}

/* An offset in units of the CIE; what does not fit is no offset of a stack. */
static int64_t
factored(const struct cfi_run *run, int64_t offset)
{
	int64_t product;

	if (__builtin_mul_overflow(offset, run->cie->data_factor, &product))
		return INT64_MAX;
	return product;
}

static int64_t
read_factored(struct cfi_run *run)
{
	uint64_t offset = cfi_uleb(&run->r);

	return offset <= INT64_MAX ? factored(run, (int64_t)offset)
				   : INT64_MAX;
}

static int64_t
read_factored_signed(struct cfi_run *run)
{
	return factored(run, cfi_sleb(&run->r));
}

static int64_t
read_factored_negative(struct cfi_run *run)
{
	int64_t offset = read_factored(run);

	return offset == INT64_MIN ? INT64_MAX : -offset;
}

static void
set_cfa(struct cfi_run *run, uint64_t reg, int64_t offset)
{
	if (reg >= X86_COUNT || offset < INT32_MIN || offset > INT32_MAX)
		run->row.cfa = (struct column){ .how = COLUMN_UNSAID };
	else
		run->row.cfa = (struct column){ .how = COLUMN_REG,
						.reg = (uint8_t)reg,
						.value = (int32_t)offset };
}

/* Half a CFA: the other half must be there and be no expression. */
static void
set_cfa_offset(struct cfi_run *run, int64_t offset)
{
	if (run->row.cfa.how != COLUMN_REG)
		run->is_bad = true;
	else
		set_cfa(run, run->row.cfa.reg, offset);
}

static void
set_cfa_register(struct cfi_run *run, uint64_t reg)
{
	if (run->row.cfa.how != COLUMN_REG)
		run->is_bad = true;
	else
		set_cfa(run, reg, run->row.cfa.value);
}

static int64_t
read_offset(struct cfi_run *run)
{
	uint64_t offset = cfi_uleb(&run->r);

	return offset <= INT32_MAX ? (int64_t)offset : INT64_MAX;
}

static void
set_register(struct cfi_run *run, uint64_t reg, uint64_t other)
{
	struct column nobody, *column = column_of(run, reg, &nobody);

	if (other < X86_COUNT)
		*column = (struct column){ .how = COLUMN_REG,
					   .reg = (uint8_t)other };
	else
		*column = (struct column){ .how = COLUMN_UNSAID };
}

/* The stack pointer of a rule that says nothing is the CFA, not rsp. */
static void
set_same(struct cfi_run *run, uint64_t reg)
{
	if (reg == X86_RSP || reg == X86_RIP)
		set_register(run, reg, reg);
	else
		set(run, reg, COLUMN_SAME, 0);
}

static void
set_expression(struct cfi_run *run, struct column *column,
	       enum column_how how)
{
	uint64_t len = cfi_uleb(&run->r);
	struct reader part = cfi_part(&run->r, len);
	size_t at = (size_t)(part.at - run->cie->section->bytes);

	if (len > UINT16_MAX || at > INT32_MAX)
		*column = (struct column){ .how = COLUMN_UNSAID };
	else
		*column = (struct column){ .how = (uint8_t)how,
					   .ops = (uint16_t)len,
					   .value = (int32_t)at };
}

static void
restore(struct cfi_run *run, uint64_t reg)
{
	struct column nobody;

	if (reg < X86_COUNT)
		*column_of(run, reg, &nobody) = run->cie->first_row.r[reg];
	run->is_bad |= !run->cie->has_row;	/* a CIE cannot restore */
}

static void
remember(struct cfi_run *run)
{
	if (run->depth == CFI_DEPTH)
		run->is_bad = true;
	else
		run->remembered[run->depth++] = run->row;
}

static void
recall(struct cfi_run *run)
{
	if (!run->depth)
		run->is_bad = true;
	else
		run->row = run->remembered[--run->depth];
}

/* Rows go forward only. */
static void
set_loc(struct cfi_run *run)
{
	uint64_t loc = cfi_pointer(run->cie->section, &run->r,
				   run->cie->encoding);

	if (loc < run->to)
		run->is_bad = true;
	else
		run->to = loc;
}

static void
advance(struct cfi_run *run, uint64_t delta)
{
	uint64_t step;

	if (__builtin_mul_overflow(delta, run->cie->code_factor, &step) ||
	    __builtin_add_overflow(run->to, step, &run->to))
		run->to = LOC_MAX;
}

/* Instructions about where a register is. False: CODE is none of them. */
static bool
run_register(struct cfi_run *run, uint8_t code)
{
	struct column nobody;
	uint64_t reg;

	switch (code) {
	case DW_CFA_offset_extended:
		reg = cfi_uleb(&run->r);
		set(run, reg, COLUMN_AT_CFA, read_factored(run));
		return true;
	case DW_CFA_offset_extended_sf:
		reg = cfi_uleb(&run->r);
		set(run, reg, COLUMN_AT_CFA, read_factored_signed(run));
		return true;
	case DW_CFA_GNU_negative_offset_extended:
		reg = cfi_uleb(&run->r);
		set(run, reg, COLUMN_AT_CFA, read_factored_negative(run));
		return true;
	case DW_CFA_val_offset:
		reg = cfi_uleb(&run->r);
		set(run, reg, COLUMN_IS_CFA, read_factored(run));
		return true;
	case DW_CFA_val_offset_sf:
		reg = cfi_uleb(&run->r);
		set(run, reg, COLUMN_IS_CFA, read_factored_signed(run));
		return true;
	case DW_CFA_restore_extended:
		restore(run, cfi_uleb(&run->r));
		return true;
	case DW_CFA_undefined:
		set(run, cfi_uleb(&run->r), COLUMN_UNDEFINED, 0);
		return true;
	case DW_CFA_same_value:
		set_same(run, cfi_uleb(&run->r));
		return true;
	case DW_CFA_register:
		reg = cfi_uleb(&run->r);
		set_register(run, reg, cfi_uleb(&run->r));
		return true;
	case DW_CFA_expression:
		reg = cfi_uleb(&run->r);
		set_expression(run, column_of(run, reg, &nobody),
			       COLUMN_AT_CODE);
		return true;
	case DW_CFA_val_expression:
		reg = cfi_uleb(&run->r);
		set_expression(run, column_of(run, reg, &nobody),
			       COLUMN_IS_CODE);
		return true;
	}
	return false;
}

/* Instructions about the CFA, and those that move rows as a whole. */
static bool
run_frame(struct cfi_run *run, uint8_t code)
{
	uint64_t reg;

	switch (code) {
	case DW_CFA_def_cfa:
		reg = cfi_uleb(&run->r);
		set_cfa(run, reg, read_offset(run));
		return true;
	case DW_CFA_def_cfa_sf:
		reg = cfi_uleb(&run->r);
		set_cfa(run, reg, read_factored_signed(run));
		return true;
	case DW_CFA_def_cfa_register:
		set_cfa_register(run, cfi_uleb(&run->r));
		return true;
	case DW_CFA_def_cfa_offset_sf:
		set_cfa_offset(run, read_factored_signed(run));
		return true;
	case DW_CFA_def_cfa_offset:
		set_cfa_offset(run, read_offset(run));
		return true;
	case DW_CFA_def_cfa_expression:
		set_expression(run, &run->row.cfa, COLUMN_IS_CODE);
		return true;
	case DW_CFA_remember_state:
		remember(run);
		return true;
	case DW_CFA_restore_state:
		recall(run);
		return true;
	case DW_CFA_GNU_args_size:
		cfi_uleb(&run->r);
		return true;
	case DW_CFA_nop:
		return true;
	}
	return false;
}

static bool
run_advance(struct cfi_run *run, uint8_t code)
{
	switch (code) {
	case DW_CFA_advance_loc1:
		advance(run, cfi_u8(&run->r));
		return true;
	case DW_CFA_advance_loc2:
		advance(run, cfi_u16(&run->r));
		return true;
	case DW_CFA_advance_loc4:
		advance(run, cfi_u32(&run->r));
		return true;
	case DW_CFA_MIPS_advance_loc8:
		advance(run, cfi_u64(&run->r));
		return true;
	case DW_CFA_set_loc:
		set_loc(run);
		return true;
	}
	return false;
}

/*
 * What is not one of the few that make up nearly all; apart, so that those
 * are short.
 */
static __attribute__((noinline)) void
run_rare(struct cfi_run *run, uint8_t code)
{
	if (!run_frame(run, code) && !run_advance(run, code) &&
	    !run_register(run, code))
		run->is_bad = true;
}

static void
run_one(struct cfi_run *run)
{
	uint8_t code = cfi_u8(&run->r);

	switch (code & ~OPERAND) {
	case DW_CFA_advance_loc:
		advance(run, code & OPERAND);
		return;
	case DW_CFA_offset:
		set(run, code & OPERAND, COLUMN_AT_CFA, read_factored(run));
		break;
	case DW_CFA_restore:
		restore(run, code & OPERAND);
		return;
	default:
		run_rare(run, code);
	}
	run->is_bad |= run->r.failed;
}

/*
 * HOT: two or three instructions make a row, and a module has a million. The
 * few that make up nearly all, with an operand of one byte; false: not one of
 * these, and nothing is done.
 */
static inline bool
run_usual(struct cfi_run *run)
{
	const uint8_t *at = run->r.at;
	uint8_t code, reg;

	if (run->r.end - at < 2 || !run->cie->is_usual)
		return false;
	code = at[0];
	reg = code & OPERAND;
	run->r.at = at + 2;
	if ((code & ~OPERAND) == DW_CFA_advance_loc && run->to <= run->end) {
		run->to += reg;
		run->r.at = at + 1;
	} else if (code == DW_CFA_def_cfa_offset && at[1] < 0x80 &&
		   run->row.cfa.how == COLUMN_REG) {
		run->row.cfa.value = at[1];
	} else if ((code & ~OPERAND) == DW_CFA_offset && at[1] < 0x80 &&
		   reg < X86_COUNT) {
		run->row.r[reg] = (struct column){
			.how = COLUMN_AT_CFA,
			.value = at[1] * (int32_t)run->cie->data_factor,
		};
	} else if (code == DW_CFA_advance_loc1 && run->to <= run->end) {
		run->to += at[1];
	} else {
		run->r.at = at;
		return false;
	}
	return true;
}

/* Fill the first row of CIE, on which all its FDEs begin. */
static void
run_cie(struct cfi_run *run, struct cfi_cie *cie)
{
	run->cie = cie;
	run->r = cie->instructions;
	rules_begin(&run->row);
	run->row.r[X86_RIP] = (struct column){ .how = COLUMN_UNSAID };
	run->row.is_signal = cie->is_signal;
	if (reader_left(&run->r) > CIE_INSTRUCTIONS_MAX)
		run->is_bad = true;
	while (run->r.at != run->r.end && !run->is_bad)
		run_one(run);
	if (run->is_bad)
		return;
	cie->first_row = run->row;
	cie->has_row = true;
}

void
cfi_run_begin(struct cfi_run *run, const struct cfi_fde *fde)
{
	run->is_bad = false;
	run->depth = 0;
	run->from = run->to = 0;
	if (!fde->cie->has_row)
		run_cie(run, fde->cie);
	run->cie = fde->cie;
	run->row = fde->cie->first_row;
	run->r = fde->instructions;
	run->from = run->to = fde->start;
	run->end = run->is_bad ? fde->start : fde->start + fde->len;
}

bool
cfi_run_next(struct cfi_run *run)
{
	uint64_t from = run->from = run->to;

	if (from >= run->end || run->is_bad)
		return false;
	while (run->to == from) {
		if (run_usual(run))
			continue;
		if (run->r.at == run->r.end) {
			run->to = run->end;
			return true;
		}
		run_one(run);
		if (run->is_bad)
			return false;
	}
	if (run->to > run->end)
		run->to = run->end;
	return true;
}
