/* SPDX-License-Identifier: MIT */
/*
 * cfi_check.c - do our unwind rules say what libdw says?
 *
 *	cfi-check FILE		every row of its tables, first and last byte
 *	cfi-check FILE N	random addresses until libdw knows N, or has
 *				been asked for TRIES times as many
 *
 * A rule of ours and the same of libdw are both computed on registers and
 * memory of random content: CFA, return address and every register must come
 * out equal, from the compact table (CFA, rip, rbp) and from the full one.
 * Where libdw has no rule ours must be a hole, padding, or a stub that its
 * bytes prove. Ours is a hole, too, behind mov x(%reg),%rsp in a row that says
 * that the CFA is as far from rsp as before.
 *
 * Prints one line: addresses, how many of them libdw knows, rows, differences.
 * Exit status 1 if there is a difference, 77 if the file has no rules at all.
 */
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/rows.h"
#include "symbols/elf.h"
#include "symbols/rules.h"
#include "symbols/symbols.h"
#include "tests/oracle/value.h"

#define SHOWN 10
#define TRIES 4		/* a segment has data beside its code */

struct checker {
	struct elf *elf;
	Dwarf_CFI *eh, *debug;
	struct writer compact_image, full_image;
	struct rows compact, full;
	struct regs regs;
	uint64_t seed;
	uint64_t addresses, known, wrong;
};

static uint64_t
next_random(struct checker *c)
{
	return value_mix(c->seed += UINT64_C(0x9e3779b97f4a7c15));
}

static bool
is_equal(struct value a, struct value b)
{
	return a.how == b.how && a.number == b.number;
}

/*
 * Of registers that no rule names, libdw 0.188 believes that rax is kept and
 * rbx lost: its table of the ABI's registers means rbx where it says 0, which
 * is rax.
 */
static bool
is_slip(int reg, struct value ours, struct value libdw)
{
	return (reg == X86_RAX && ours.how == LOST && libdw.how == KEPT) ||
	       (reg == X86_RBX && ours.how == KEPT && libdw.how == LOST);
}

static void
complain(struct checker *c, uint64_t vaddr, const char *what,
	 struct value ours, struct value libdw)
{
	if (c->wrong++ >= SHOWN)
		return;
	printf("%#" PRIx64 ": %s: ours %d %#" PRIx64 ", libdw %d %#" PRIx64
	       "\n", vaddr, what, ours.how, ours.number, libdw.how,
	       libdw.number);
}

/* Compare one full rule with the frame; of a compact one what it has. */
static void
compare(struct checker *c, uint64_t vaddr, Dwarf_Frame *frame,
	const struct full_rule *full, const struct op *ops, bool is_compact)
{
	static const char *const names[X86_COUNT] = {
		"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8",
		"r9", "r10", "r11", "r12", "r13", "r14", "r15", "rip",
	};
	struct value ours, libdw = { .how = COMPUTED };
	uint64_t cfa = 0;

	value_of_libdw(&c->regs, frame, X86_RIP, 0, &ours);
	if (ours.how == LOST) {
		ours = value_of_ours(&c->regs, &full->r[X86_RIP], ops, &cfa);
		if (ours.how != LOST)
			complain(c, vaddr, "not the end", ours,
				 (struct value){ LOST, 0 });
		return;
	}
	if (!cfa_of_libdw(&c->regs, frame, &libdw.number))
		libdw.how = LOST;
	ours = value_of_ours(&c->regs, &full->cfa, ops, NULL);
	if (!is_equal(ours, libdw)) {
		complain(c, vaddr, is_compact ? "compact CFA" : "CFA", ours,
			 libdw);
		return;
	}
	cfa = ours.number;
	for (int i = 0; i < X86_COUNT; i++) {
		if (is_compact && i != X86_RIP && i != X86_RBP && i != X86_RSP)
			continue;
		if (!value_of_libdw(&c->regs, frame, i, cfa, &libdw))
			continue;
		ours = value_of_ours(&c->regs, &full->r[i], ops, &cfa);
		if (!is_equal(ours, libdw) && !is_slip(i, ours, libdw))
			complain(c, vaddr, names[i], ours, libdw);
	}
}

static Dwarf_Frame *
frame_at(struct checker *c, uint64_t vaddr)
{
	Dwarf_Frame *frame = NULL;

	if (c->eh && !dwarf_cfi_addrframe(c->eh, vaddr, &frame))
		return frame;
	if (c->debug && !dwarf_cfi_addrframe(c->debug, vaddr, &frame))
		return frame;
	return NULL;
}

/* What may stand where libdw knows nothing. */
static bool
may_be_hole(struct checker *c, uint64_t vaddr, const struct rule *rule)
{
	if (rule->kind == RULE_NONE || rule->kind == RULE_FP ||
	    rule->kind == RULE_SIGNAL || rule->kind == RULE_PLT)
		return true;
	for (uint64_t i = 1; i <= 15; i++) {
		Dwarf_Frame *frame = frame_at(c, vaddr - i);

		free(frame);
		if (frame)
			return true;
	}
	return rule->kind == RULE_SP && rule->cfa <= 24;	/* a stub */
}

/* Has FRAME's row loaded rsp before OFFSET, which VADDR is? */
static bool
has_left_stack(struct checker *c, Dwarf_Frame *frame, uint64_t offset,
	       uint64_t vaddr)
{
	Dwarf_Addr start = vaddr;
	uint8_t code[4096];
	size_t len;

	dwarf_frame_info(frame, &start, NULL, NULL);
	len = (size_t)(vaddr - start) + 2;
	if (len > sizeof(code) ||
	    !elf_read(c->elf, offset - (vaddr - start), code, len))
		return false;
	for (size_t i = 0; i + 3 <= len; i++)
		if (code[i] >> 2 == 0x48 >> 2 && code[i + 1] == 0x8b &&
		    (code[i + 2] & 0x38) == 0x20 && code[i + 2] < 0xc0)
			return true;
	return false;
}

static void
check(struct checker *c, uint64_t offset)
{
	struct op ops[RULES_OPS_MAX];
	struct full_rule lengthened;
	const struct full_rule *full;
	const struct rule *rule;
	Dwarf_Frame *frame;
	uint64_t vaddr;
	size_t nops;

	if (!elf_vaddr_of(c->elf, offset, &vaddr))
		return;
	c->addresses++;
	for (size_t i = 0; i < X86_COUNT; i++)
		c->regs.r[i] = next_random(c) & ~(uint64_t)7;
	c->regs.r[X86_RIP] = vaddr;
	rule = rows_rule(&c->compact, offset);
	full = rows_full_at(&c->full, offset);
	frame = frame_at(c, vaddr);
	/* That is data: tables have the code alone. */
	if (!frame && !rows_has(&c->compact, offset))
		return;
	if (!rule || !full) {
		complain(c, vaddr, "no rule", (struct value){ LOST, 0 },
			 (struct value){ LOST, 0 });
	} else if (!frame) {
		if (!may_be_hole(c, vaddr, rule))
			complain(c, vaddr, "a rule from nowhere",
				 (struct value){ LOST, rule->kind },
				 (struct value){ LOST, 0 });
	} else if (rule->kind != RULE_NONE ||
		   !has_left_stack(c, frame, offset, vaddr)) {
		c->known++;
		compare(c, vaddr, frame, full, c->full.ops, false);
		if (rule->kind == RULE_FULL)
			full = rows_full(&c->compact, (uint64_t)rule->cfa);
		else
			rules_lengthen(rule, &lengthened, ops, &nops);
		if (rule->kind == RULE_FULL && full)
			compare(c, vaddr, frame, full, c->compact.ops, true);
		else
			compare(c, vaddr, frame, &lengthened, ops, true);
	}
	free(frame);
}

/* Each row of the full table, which has all that the compact one has. */
static void
check_all(struct checker *c)
{
	const struct rows_header *h = c->full.header;

	for (uint32_t page = 0; page < h->pages; page++) {
		uint64_t base = (uint64_t)(h->first + page) << ROWS_PAGE_LOG;
		const uint32_t *starts = &c->full.starts[page * ROWS_PARTS];

		for (uint32_t i = starts[0]; i < starts[ROWS_PARTS]; i++) {
			uint64_t at = base + (c->full.rows[i] >> 16);

			check(c, at);
			if (i > starts[0] && at)
				check(c, at - 1);
		}
	}
}

static void
check_some(struct checker *c, uint64_t n)
{
	for (uint64_t i = 0; i < TRIES * n && c->known < n; i++) {
		const Elf64_Phdr *p;

		do
			p = &c->elf->segments[next_random(c) %
					      c->elf->nsegments];
		while (p->p_type != PT_LOAD || !(p->p_flags & PF_X) ||
		       !p->p_filesz);
		check(c, p->p_offset + next_random(c) % p->p_filesz);
	}
}

static bool
is_sorted(const struct rows *rows)
{
	for (uint32_t page = 0; page < rows->header->pages; page++) {
		const uint32_t *starts = &rows->starts[page * ROWS_PARTS];

		for (uint32_t i = starts[0]; i + 1 < starts[ROWS_PARTS]; i++)
			if (rows->rows[i] >> 16 >= rows->rows[i + 1] >> 16)
				return false;
	}
	return true;
}

static bool
build(struct checker *c, const char *file)
{
	struct symbols *symbols = symbols_new();
	struct debug_hint hint;
	struct error err;
	bool ok;

	ok = symbols_open(symbols, 1, MODULE_LIBRARY,
			  open(file, O_RDONLY | O_CLOEXEC), &hint, &err) &&
	     symbols_rows(symbols, 1, 0, 0, false, &c->compact_image) &&
	     symbols_rows(symbols, 1, 0, 0, true, &c->full_image) &&
	     rows_open(c->compact_image.bytes, c->compact_image.len,
		       &c->compact) &&
	     rows_open(c->full_image.bytes, c->full_image.len, &c->full);
	symbols_free(symbols);
	return ok;
}

int
main(int argc, char **argv)
{
	struct checker c = { .seed = 1 };
	struct error err;
	Dwarf *dwarf;
	Elf *elf;
	int fd;

	if (argc < 2)
		return 2;
	elf_version(EV_CURRENT);
	fd = open(argv[1], O_RDONLY | O_CLOEXEC);
	if (fd < 0 || !elf_open(dup(fd), &c.elf, &err) || !build(&c, argv[1]))
		return 77;
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	c.eh = dwarf_getcfi_elf(elf);
	dwarf = elf_find(c.elf, ".debug_frame")
			? dwarf_begin_elf(elf, DWARF_C_READ, NULL)
			: NULL;
	c.debug = dwarf ? dwarf_getcfi(dwarf) : NULL;
	if (!is_sorted(&c.compact) || !is_sorted(&c.full)) {
		printf("%s: rows are not sorted\n", argv[1]);
		c.wrong++;
	}
	if (argc > 2)
		check_some(&c, strtoull(argv[2], NULL, 10));
	else
		check_all(&c);
	printf("%s: %" PRIu64 " addresses, libdw knows %" PRIu64
	       ", %u rows, %u rules, %" PRIu64 " wrong\n", argv[1],
	       c.addresses, c.known, c.compact.header->rows,
	       c.compact.header->rules, c.wrong);
	dwarf_cfi_end(c.eh);
	dwarf_end(dwarf);
	elf_end(elf);
	elf_free(c.elf);
	close(fd);
	writer_free(&c.compact_image);
	writer_free(&c.full_image);
	return c.wrong != 0;
}
