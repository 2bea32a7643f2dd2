/* SPDX-License-Identifier: MIT */
/* What is read beyond the copy of a stack: this process is the target. */
#include "sampler/space.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/two_pages.h"

/* Code: frames of 16 bytes in its first page of a table, then the first
   function. Each multiple of 16 follows a call. */
#define CALL_LEN 16
#define ROOT (ROWS_PAGE + 0x50)
#define LEAF 0x18
#define COPIED 4		/* words of the stack */

struct bench {
	struct space *space;
	struct sink sink;
	struct writer table;
	uint8_t *code;
	uint64_t stack[64];	/* as it is now */
	struct frame frames[16];	/* of the last sample */
	size_t depth;
	enum unwind_end end;
};

static module_id
on_module(void *ctx, pid_t pid, const struct mapping *mapping)
{
	(void)ctx, (void)pid;
	return mapping ? (module_id)mapping->inode : 99;
}

static void
on_sample(void *ctx, const struct sample *sample)
{
	struct bench *b = ctx;

	assert_in_range(sample->depth, 1, 16);
	b->depth = sample->depth;
	b->end = sample->end;
	memcpy(b->frames, sample->frames,
	       sample->depth * sizeof(*b->frames));
}

static enum rows_state
on_rows(void *ctx, module_id module, uint64_t offset, bool is_full,
	struct rows *out)
{
	struct bench *b = ctx;

	(void)module, (void)offset;
	if (is_full)
		return ROWS_MISSING;
	assert_true(rows_open(b->table.bytes, b->table.len, out));
	return ROWS_HERE;
}

static uint64_t
on_version(void *ctx)
{
	(void)ctx;
	return 1;
}

static int
set_up(void **state)
{
	struct bench *b = calloc(1, sizeof(*b));
	struct mapping mapping = {
		.inode = 1, .path = "/bin/program", .is_executable = true,
		.kind = MODULE_LIBRARY,
	};
	size_t i, len = 2 * ROWS_PAGE;

	b->sink = (struct sink){
		.ctx = b, .module = on_module, .sample = on_sample,
		.rows = on_rows, .rows_version = on_version,
	};
	write_two_pages(&b->table, 16);
	b->code = mmap(NULL, len, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(b->code, MAP_FAILED);
	for (i = CALL_LEN; i < len; i += CALL_LEN)
		b->code[i - 5] = 0xe8;
	b->space = space_new(getpid(), NULL, UNWIND_AUTO, &b->sink, NULL);
	mapping.start = (uintptr_t)b->code;
	mapping.end = mapping.start + len;
	maps_add(space_maps(b->space), &mapping);
	*state = b;
	return 0;
}

static int
tear_down(void **state)
{
	struct bench *b = *state;

	space_free(b->space);
	munmap(b->code, 2 * ROWS_PAGE);
	writer_free(&b->table);
	free(b);
	return 0;
}

/* Four frames, each called at OFFSETS of the code, as they are now. */
static void
put_stack(struct bench *b, const uint64_t offsets[4])
{
	size_t i;

	for (i = 0; i < 4; i++)
		b->stack[2 * i + 1] = (uintptr_t)b->code + offsets[i];
}

static const uint64_t usual[4] = { 0x100, 0x200, 0x300, ROOT & ~0xfull };

/* A sample at LEAF with so many words of a copy that has usual callers. */
static void
take_sample_at(struct bench *b, uint64_t leaf, size_t words)
{
	const uint64_t copy[COPIED] = {
		0, (uintptr_t)b->code + usual[0],
		0, (uintptr_t)b->code + usual[1],
	};
	struct raw_sample raw = {
		.time_ns = 5, .tid = 7, .weight = 1, .has_regs = true,
		.stack = copy, .stack_len = words * sizeof(*copy),
	};

	raw.regs.r[X86_RIP] = (uintptr_t)b->code + leaf;
	raw.regs.r[X86_RSP] = (uintptr_t)b->stack;
	space_sample(b->space, &raw);
}

/* With the two inner ones of them. */
static void
take_sample(struct bench *b)
{
	take_sample_at(b, LEAF, COPIED);
}

static void
assert_whole(const struct bench *b, enum unwind_end end)
{
	size_t i;

	assert_int_equal(b->end, end);
	assert_int_equal(b->depth, 5);
	assert_int_equal(b->frames[0].offset, LEAF);
	for (i = 0; i < 4; i++)
		assert_int_equal(b->frames[i + 1].offset, usual[i] - 1);
}

static void
assert_cut(const struct bench *b)
{
	size_t reach;

	assert_int_equal(b->end, UNWIND_CUT);
	assert_int_equal(b->depth, 4);
	assert_int_equal(b->frames[2].offset, usual[1] - 1);
	assert_int_equal(b->frames[3].kind, FRAME_NOTE);
	assert_int_equal(b->frames[3].offset, NOTE_CUT);
	assert_true(space_was_short(b->space, &reach));
}

static void
callers_are_those_of_a_call_that_still_lasts(void **state)
{
	struct bench *b = *state;

	put_stack(b, usual);
	take_sample(b);
	assert_whole(b, UNWIND_COMPLETE);
	/* The leaf's call has ended since, and other things have come. */
	put_stack(b, (uint64_t[]){ 0x400, 0x200, 0x300, usual[3] });
	take_sample(b);
	assert_whole(b, UNWIND_COMPLETE);
}

static void
callers_of_a_call_that_has_ended_are_another_time_s(void **state)
{
	struct bench *b = *state;

	put_stack(b, (uint64_t[]){ 0x100, 0x400, 0x300, usual[3] });
	take_sample(b);
	assert_cut(b);
	put_stack(b, (uint64_t[]){ 0x100, 0x400, 0x500, usual[3] });
	take_sample(b);
	assert_cut(b);
}

static void
the_last_whole_stack_tells_what_has_gone(void **state)
{
	struct bench *b = *state;
	const uint64_t other[4] = { 0x100, 0x400, 0x500, usual[3] };

	put_stack(b, other);
	take_sample(b);
	assert_cut(b);
	put_stack(b, usual);
	take_sample(b);
	assert_whole(b, UNWIND_COMPLETE);
	put_stack(b, other);
	take_sample(b);
	assert_whole(b, UNWIND_STITCHED);
}

/* mov $15, %rax; syscall: from either on, and while the kernel is at it. */
static void
what_a_signal_has_interrupted_did_not_call(void **state)
{
	static const uint64_t places[] = { 0, 7, 9 };
	struct bench *b = *state;
	size_t i;

	memcpy(b->code + 0x10, "\x48\xc7\xc0\x0f\0\0\0\x0f\x05", 9);
	put_stack(b, (uint64_t[]){ 0x108, 0x200, 0x300, usual[3] });
	for (i = 0; i < 3; i++) {
		take_sample_at(b, 0x10 + places[i], 1);
		assert_int_equal(b->end, UNWIND_COMPLETE);
		assert_int_equal(b->depth, 5);
		assert_int_equal(b->frames[1].offset, 0x108);
	}
	take_sample_at(b, 0x28, 1);
	assert_int_equal(b->end, UNWIND_CUT);
	assert_int_equal(b->depth, 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(callers_are_those_of_a_call_that_still_lasts),
		TEST(callers_of_a_call_that_has_ended_are_another_time_s),
		TEST(the_last_whole_stack_tells_what_has_gone),
		TEST(what_a_signal_has_interrupted_did_not_call),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
