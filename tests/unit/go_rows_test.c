/* SPDX-License-Identifier: MIT */
/*
 * go_rows_test.c - rules of Go code, in a hand-made program.
 */
#include "symbols/go_rows.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/go_switch.h"
#include "symbols/symbols.h"
#include "tests/unit/built.h"
#include "tests/unit/go_program.h"

struct table {
	struct writer image;
	struct rows rows;
	uint64_t base;		/* where the code begins, in the file */
};

static void
make(struct table *table, uint64_t from, uint64_t to)
{
	char source[sizeof(go_program) + 256];
	struct error err;
	struct elf *elf;
	struct pclntab *tab;
	struct go_rows *go;
	struct rows_writer *w;
	uint64_t start, end, offset;

	snprintf(source, sizeof(source),
		 ".set VERSION, 18\n.set HAS_TEXT, 1\n.macro place\n"
		 ".section .gopclntab,\"a\"\n.endm\n%s", go_program);
	write_file("go.s", source);
	run("gcc -nostdlib -static -o go go.s");
	assert_true(elf_open(open_file("go"), &elf, &err));
	assert_true(pclntab_open(elf, &tab, &err));
	go = go_rows_new(tab, elf);
	go_rows_span(go, &start, &end);
	assert_int_equal(end - start, 0x34);
	assert_true(elf_offset_of(elf, start, &offset));
	table->base = offset - 0x10;
	w = rows_writer_new((uint32_t)(offset >> ROWS_PAGE_LOG), 1, false);
	go_rows_say(go, start - 0x10 + from, start - 0x10 + to, w);
	table->image = (struct writer){ 0 };
	rows_writer_finish(w, &table->image);
	assert_true(rows_open(table->image.bytes, table->image.len,
			      &table->rows));
	go_rows_free(go);
	pclntab_free(tab);
	elf_free(elf);
}

static void
expect(const struct table *table, uint64_t at, enum rule_kind kind,
       int32_t cfa, int rbp)
{
	const struct rule *rule = rows_rule(&table->rows, table->base + at);

	assert_non_null(rule);
	assert_int_equal(rule->kind, kind);
	assert_int_equal(rule->cfa, cfa);
	assert_int_equal(rule->rbp, rbp);
}

static void
each_instruction_of_a_frame_has_its_rule(void **state)
{
	struct table table;

	(void)state;
	make(&table, 0, 0x100);
	expect(&table, 0x0f, RULE_NONE, 0, 0);
	expect(&table, 0x10, RULE_SP, 8, 0);	/* a leaf without a frame */
	expect(&table, 0x13, RULE_SP, 8, 0);
	expect(&table, 0x20, RULE_SP, 8, 0);
	expect(&table, 0x24, RULE_SP, 32, 0);	/* rbp is not saved yet */
	expect(&table, 0x28, RULE_SP, 32, 0);
	expect(&table, 0x29, RULE_SP, 32, -2);
	expect(&table, 0x38, RULE_SP, 32, -2);
	expect(&table, 0x39, RULE_SP, 8, 0);	/* at the return */
	expect(&table, 0x40, RULE_END, 0, 0);
	expect(&table, 0x44, RULE_NONE, 0, 0);
	writer_free(&table.image);
}

static void
a_part_of_the_code_has_the_same_rules(void **state)
{
	struct table table;

	(void)state;
	make(&table, 0x30, 0x31);
	expect(&table, 0x10, RULE_NONE, 0, 0);
	expect(&table, 0x2f, RULE_SP, 32, -2);
	expect(&table, 0x30, RULE_SP, 32, -2);
	writer_free(&table.image);
}

/* Code beside it that has an entry. */
static const char c_code[] =
	".text\n"
	"c: .cfi_startproc\n .cfi_def_cfa %rsp, 48\n nop\n .cfi_endproc\n";

static void
the_table_of_a_module_has_go_code_and_the_rest(void **state)
{
	char source[sizeof(go_program) + sizeof(c_code) + 256];
	struct symbols *symbols = symbols_new();
	struct table table = { .image = { 0 } };
	struct debug_hint hint;
	struct error err;

	(void)state;
	make(&table, 0, 1);
	writer_free(&table.image);
	snprintf(source, sizeof(source),
		 ".set VERSION, 18\n.set HAS_TEXT, 1\n.macro place\n"
		 ".section .gopclntab,\"a\"\n.endm\n%s%s", go_program,
		 c_code);
	write_file("both.s", source);
	run("gcc -nostdlib -static -o both both.s");
	assert_true(symbols_open(symbols, 1, MODULE_PROGRAM,
				 open_file("both"), &hint, &err));
	assert_true(symbols_rows(symbols, 1, 0, 0, false, &table.image));
	assert_true(rows_open(table.image.bytes, table.image.len,
			      &table.rows));
	expect(&table, 0x0f, RULE_NONE, 0, 0);
	expect(&table, 0x10, RULE_SP, 8, 0);
	expect(&table, 0x29, RULE_SP, 32, -2);
	expect(&table, 0x40, RULE_END, 0, 0);
	expect(&table, 0x44, RULE_NONE, 0, 0);
	expect(&table, 0x46, RULE_SP, 48, 0);
	writer_free(&table.image);
	symbols_free(symbols);
}

/* What systemstack does around its call, in Go 1.19. */
static const uint8_t systemstack[] = {
	0x48, 0x8b, 0x5a, 0x38,			/* mov 0x38(%rdx), %rbx */
	0x48, 0x89, 0xdc,			/* mov %rbx, %rsp */
	0x48, 0x89, 0xfa, 0x48, 0x8b, 0x3f,
	0xff, 0xd7,				/* call *%rdi */
	0x64, 0x48, 0x8b, 0x04, 0x25, 0xf8, 0xff, 0xff, 0xff,
	0x48, 0x8b, 0x58, 0x30,			/* mov 0x30(%rax), %rbx */
	0x48, 0x8b, 0x83, 0xc0, 0, 0, 0,	/* mov 0xc0(%rbx), %rax */
	0x64, 0x48, 0x89, 0x04, 0x25, 0xf8, 0xff, 0xff, 0xff,
	0x48, 0x8b, 0x60, 0x38,			/* mov 0x38(%rax), %rsp */
	0xc3,
};

/* In what it calls before: mov %rbp, 0x68(%r14) */
static const uint8_t gosave[] = { 0x49, 0x89, 0x6e, 0x68, 0xc3 };

static struct go_func func = { .name = "runtime.systemstack",
			       .start = 0x1000, .end = 0x1100 };

static void
the_layout_of_records_is_in_the_code_that_uses_them(void **state)
{
	struct go_code code = { .func = &func, .bytes = systemstack,
				.len = sizeof(systemstack) };
	struct go_func saving = { .name = "gosave_systemstack_switch" };
	struct go_code save = { .func = &saving, .bytes = gosave,
				.len = sizeof(gosave) };
	struct go_layout layout = { 0 };
	struct go_stretch all[GO_STRETCHES];

	(void)state;
	go_switch_layout(&code, &layout);
	assert_true(layout.has_offsets);
	/* Without the frame pointer nothing in records could be checked. */
	assert_int_equal(go_switch_stretches(&code, &layout, all), 1);
	assert_int_equal(all[0].full.leaves, LEAVE_TO_CALL);
	assert_int_equal(all[0].nops, 1);
	go_switch_layout(&save, &layout);
	assert_int_equal(layout.g_bp, 0x68);
	assert_int_equal(layout.g_m, 0x30);
	assert_int_equal(layout.m_curg, 0xc0);
	assert_int_equal(layout.g_sp, 0x38);
	assert_int_equal(go_switch_stretches(&code, &layout, all), 1);
	assert_int_equal(all[0].from, 7);
	assert_int_equal(all[0].to, sizeof(systemstack) - 1);
	assert_true(all[0].is_full);
	assert_int_equal(all[0].full.cfa.how, COLUMN_IS_CODE);
	assert_true(all[0].full.cfa.ops > 1);
	assert_true(all[0].full.cfa.ops <= ROWS_OPS_MAX);
	assert_int_equal(all[0].full.leaves, LEAVE_TO_CALL);
}

static void
code_that_looks_otherwise_gets_no_rule(void **state)
{
	uint8_t bytes[sizeof(systemstack)];
	struct go_code code = { .func = &func, .bytes = bytes };
	struct go_layout layout = { .g_bp = 0x68 };
	struct go_stretch all[GO_STRETCHES];

	(void)state;
	memcpy(bytes, systemstack, sizeof(bytes));
	for (code.len = 0; code.len < 47; code.len++) {
		go_switch_layout(&code, &layout);
		assert_false(layout.has_offsets);
		assert_int_equal(go_switch_stretches(&code, &layout, all), 0);
	}
}

/* Around the two calls of asmcgocall, in Go 1.19. */
static const uint8_t asmcgocall[] = {
	0x48, 0x8b, 0x66, 0x38,			/* mov 0x38(%rsi), %rsp */
	0x90, 0x90,
	0xff, 0xd0,				/* call *%rax */
	0x48, 0x8b, 0x7c, 0x24, 0x30,		/* mov 0x30(%rsp), %rdi */
	0x48, 0x8b, 0x77, 0x08,			/* mov 8(%rdi), %rsi */
	0x48, 0x2b, 0x74, 0x24, 0x28,		/* sub 0x28(%rsp), %rsi */
	0x48, 0x89, 0xf4,			/* mov %rsi, %rsp */
	0xc3,
	0x48, 0x83, 0xec, 0x40,			/* sub $0x40, %rsp */
	0xff, 0xd0,				/* call *%rax */
	0x48, 0x8b, 0x74, 0x24, 0x28,		/* mov 0x28(%rsp), %rsi */
	0x48, 0x89, 0xf4,			/* mov %rsi, %rsp */
	0xc3,
};

static void
a_call_of_c_leads_back_to_the_goroutine(void **state)
{
	struct go_func own = { .name = "runtime.asmcgocall" };
	struct go_code code = { .func = &own, .bytes = asmcgocall,
				.len = sizeof(asmcgocall) };
	struct go_layout layout = { 0 };
	struct go_stretch all[GO_STRETCHES];

	(void)state;
	assert_int_equal(go_switch_stretches(&code, &layout, all), 4);
	assert_int_equal(all[0].rule.kind, RULE_REG);
	assert_int_equal(all[0].rule.reg, X86_RDX);
	assert_int_equal(all[1].from, 6);
	assert_int_equal(all[1].to, 25);
	assert_true(all[1].is_full);
	assert_int_equal(all[1].ops[0].value, 0x30);
	assert_int_equal(all[1].ops[2].value, 8);
	assert_int_equal(all[1].ops[4].value, 0x28);
	assert_int_equal(all[3].from, 30);
	assert_int_equal(all[3].rule.kind, RULE_DEREF);
	assert_int_equal(all[3].rule.cfa, 0x28 + (8 << 16));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_instruction_of_a_frame_has_its_rule),
		cmocka_unit_test(a_part_of_the_code_has_the_same_rules),
		cmocka_unit_test(
			the_table_of_a_module_has_go_code_and_the_rest),
		cmocka_unit_test(
			the_layout_of_records_is_in_the_code_that_uses_them),
		cmocka_unit_test(code_that_looks_otherwise_gets_no_rule),
		cmocka_unit_test(a_call_of_c_leads_back_to_the_goroutine),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
