/* SPDX-License-Identifier: MIT */
/*
 * explain_test.c - of a file made for it: which source won, and by which rule.
 */
#include "symbols/explain.h"

#include <string.h>

#include "symbols/explain_symbols.h"
#include "tests/unit/built.h"

#define MODULE 3

/* Everything lies 16 bytes apart, from "first" on. */
static const char source[] =
	".text\n.globl first, one, __one, bare, tail\n.weak weak\n"
	".type first, @function\n.type one, @function\n"
	".type __one, @function\n.type weak, @function\n"
	".type tail, @function\n"
	".p2align 4\nfirst: .cfi_startproc\n nop\n .p2align 4\n.cfi_endproc\n"
	".size first, .-first\n"
	"one: __one: weak: .cfi_startproc\n push %rbp\n"
	" .cfi_def_cfa_offset 16\n .cfi_offset %rbp, -16\n nop\n"
	"inner: nop\n .p2align 4\n .cfi_endproc\n"
	".size one, .-one\n.size __one, .-one\n.size weak, .-one\n"
	" .cfi_startproc\n nop\n .p2align 4\n .cfi_endproc\n"
	"bare: nop\n .p2align 4\n"
	"tail: ret\n .size tail, 1\n";

static uint64_t
address_of_first(void)
{
	unsigned long address = 0;
	FILE *in = popen("nm x.so | sed -n 's/ T first//p'", "r");

	if (fscanf(in, "%lx", &address) != 1)
		fail_msg("no number");
	pclose(in);
	return address;
}

/* What is said of the address 16 * SLOT + MORE behind "first". */
static void
expect(unsigned slot, unsigned more, const char *const *lines)
{
	struct symbols *symbols = symbols_new();
	struct debug_hint hint;
	struct writer out = { 0 };
	struct error err;

	write_file("x.s", source);
	run("cc -shared -nostdlib -o x.so x.s");
	assert_true(symbols_open(symbols, MODULE, MODULE_LIBRARY,
				 open_file("x.so"), &hint, &err));
	explain_code(symbols, MODULE, address_of_first() + 16 * slot + more,
		     true, &out);
	writer_u8(&out, 0);
	for (; *lines; lines++)
		if (!strstr((const char *)out.bytes, *lines))
			fail_msg("no \"%s\" in\n%s", *lines,
				 (const char *)out.bytes);
	writer_free(&out);
	symbols_free(symbols);
}
#define EXPECT(slot, more, ...)						\
	expect(slot, more, (const char *const[]){ __VA_ARGS__, NULL })

static void
one_symbol_is_the_only_one(void **state)
{
	(void)state;
	EXPECT(0, 0, "global function first\n",
	       "name      first: the only symbol that covers it\n",
	       "entry     .eh_frame ",
	       "rule      CFA = rsp + 8, return address at CFA-8\n",
	       "from      .eh_frame\n");
}

static void
aliases_are_all_shown_with_the_rule_that_chose(void **state)
{
	(void)state;
	EXPECT(1, 1, "global function one\n", "global function __one\n",
	       "weak function weak\n", "name      one: ",
	       "rule      CFA = rsp + 16, rbp at CFA-16, return address at "
	       "CFA-8\n",
	       "in full   CFA = rsp + 16, rbp at CFA-16, return address at "
	       "CFA-8; unchanged: rbx r12 r13 r14 r15\n");
	EXPECT(1, 3, "local label inner (no size)\n", "name      one: ");
}

static void
a_gap_is_named_by_its_entry_or_not_at_all(void **state)
{
	(void)state;
	EXPECT(2, 0, "name      none: no symbol covers it and no neighbour is "
	       "stretched; the unwind entry from ");
}

static void
a_label_reaches_to_the_next_symbol(void **state)
{
	(void)state;
	EXPECT(3, 0, "name      bare: the only symbol that covers it, which "
	       "has no size", "entry     none in .eh_frame\n");
}

static void
what_is_in_no_segment_is_said_to_be(void **state)
{
	(void)state;
	EXPECT(0, 0x7000000, "is in no segment of it");
}

static void
a_line_is_clean_whatever_it_quotes(void **state)
{
	struct writer text = { 0 };

	(void)state;
	explain_line(&text, "trouble", "section %s is cut", "\003\033[2J\n.x");
	assert_int_equal(text.bytes[text.len - 1], '\n');
	for (size_t i = 0; i + 1 < text.len; i++)
		assert_true(text.bytes[i] >= ' ' && text.bytes[i] != 0x7f);
	assert_true(text.len > strlen("trouble   section  is cut"));
	writer_free(&text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define IN_FOLDER(test)							\
	cmocka_unit_test_setup_teardown(test, enter_folder, leave_folder)
		IN_FOLDER(one_symbol_is_the_only_one),
		IN_FOLDER(aliases_are_all_shown_with_the_rule_that_chose),
		IN_FOLDER(a_gap_is_named_by_its_entry_or_not_at_all),
		IN_FOLDER(a_label_reaches_to_the_next_symbol),
		IN_FOLDER(what_is_in_no_segment_is_said_to_be),
		cmocka_unit_test(a_line_is_clean_whatever_it_quotes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
