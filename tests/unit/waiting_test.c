/* SPDX-License-Identifier: MIT */
#include "sampler/waiting.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/two_pages.h"

/*
 * A program of two pages: a leaf without a frame in the first, and the
 * outermost function, which called it, in the second.
 */
#define CODE 0x100000ull
#define CALLER (CODE + ROWS_PAGE + 0x50)
#define STACK 0x700000ull

struct bench {
	struct waiting waiting;
	struct space *space;
	struct sink sink;
	struct writer table;
	enum rows_state state;
	uint64_t version;
	uint64_t stack[8];
	size_t samples, late;
	struct sample last;
	struct frame frames[4];		/* of the last */
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

	b->samples++;
	b->late += sample->is_late;
	b->last = *sample;
	assert_in_range(sample->depth, 1, 4);
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
	if (b->state == ROWS_HERE)
		assert_true(rows_open(b->table.bytes, b->table.len, out));
	return b->state;
}

static uint64_t
on_version(void *ctx)
{
	return ((struct bench *)ctx)->version;
}

/* What lies at the program's place is file number INODE now. */
static void
map_file(struct bench *b, uint64_t inode)
{
	struct mapping mapping = {
		.start = CODE, .end = CODE + 2 * ROWS_PAGE, .inode = inode,
		.path = "/bin/program", .is_executable = true,
		.kind = MODULE_LIBRARY,
	};

	maps_add(space_maps(b->space), &mapping);
}

static int
set_up(void **state)
{
	struct bench *b = calloc(1, sizeof(*b));

	b->sink = (struct sink){
		.ctx = b, .module = on_module, .sample = on_sample,
		.rows = on_rows, .rows_version = on_version,
	};
	b->state = ROWS_ASKED;
	write_two_pages(&b->table, 8);
	b->space = space_new(getpid(), NULL, UNWIND_AUTO, &b->sink,
			     &b->waiting);
	map_file(b, 1);
	*state = b;
	return 0;
}

static int
tear_down(void **state)
{
	struct bench *b = *state;

	b->state = ROWS_MISSING;
	b->version++;
	space_free(b->space);
	waiting_finish(&b->waiting, &b->sink);
	writer_free(&b->table);
	free(b);
	return 0;
}

static void
take_sample(struct bench *b, const void *stack, size_t len)
{
	struct raw_sample raw = {
		.time_ns = 5, .tid = 7, .weight = 1, .has_regs = true,
		.stack = stack, .stack_len = len,
	};

	raw.regs.r[X86_RIP] = CODE + 0x10;
	raw.regs.r[X86_RSP] = STACK;
	space_sample(b->space, &raw);
}

static void
take(struct bench *b)
{
	b->stack[0] = CALLER;
	take_sample(b, b->stack, sizeof(b->stack));
	memset(b->stack, 0, sizeof(b->stack));	/* it must have a copy */
}

static void
tables_come(struct bench *b)
{
	b->state = ROWS_HERE;
	b->version++;
	waiting_turn(&b->waiting, &b->sink);
}

static void
assert_whole(const struct bench *b, module_id module)
{
	assert_int_equal(b->last.end, UNWIND_COMPLETE);
	assert_int_equal(b->last.depth, 2);
	assert_int_equal(b->frames[0].offset, 0x10);
	assert_int_equal(b->frames[1].offset, CALLER - 1 - CODE);
	assert_int_equal(b->frames[0].module, module);
	assert_int_equal(b->frames[1].module, module);
	assert_false(b->last.is_late);
}

static void
a_sample_waits_for_its_table(void **state)
{
	struct bench *b = *state;

	take(b);
	waiting_turn(&b->waiting, &b->sink);
	assert_int_equal(b->samples, 0);
	tables_come(b);
	assert_int_equal(b->samples, 1);
	assert_whole(b, 1);
	assert_int_equal(b->last.time_ns, 5);
	assert_int_equal(b->last.tid, 7);
	assert_int_equal(b->waiting.bytes, 0);
}

static void
once_tables_are_here_nothing_waits(void **state)
{
	struct bench *b = *state;

	b->state = ROWS_HERE;
	take(b);
	assert_int_equal(b->samples, 1);
	assert_whole(b, 1);
}

static void
a_sample_keeps_the_mappings_of_its_time(void **state)
{
	struct bench *b = *state;

	take(b);
	map_file(b, 2);
	take(b);
	map_file(b, 3);
	tables_come(b);
	assert_int_equal(b->samples, 2);
	assert_whole(b, 2);
	take(b);
	assert_whole(b, 3);
}

static void
a_sample_outlives_its_program(void **state)
{
	struct bench *b = *state;

	take(b);
	space_reset(b->space);
	tables_come(b);
	assert_int_equal(b->samples, 1);
	assert_whole(b, 1);
}

static void
a_sample_outlives_its_process(void **state)
{
	struct bench *b = *state;

	take(b);
	space_free(b->space);
	b->space = NULL;
	tables_come(b);
	assert_int_equal(b->samples, 1);
	assert_whole(b, 1);
}

static void
a_table_that_will_not_come_is_not_waited_for(void **state)
{
	struct bench *b = *state;

	take(b);
	b->state = ROWS_MISSING;
	b->version++;
	waiting_turn(&b->waiting, &b->sink);
	assert_int_equal(b->samples, 1);
}

static void
what_has_no_room_goes_at_once_and_counts_as_late(void **state)
{
	struct bench *b = *state;
	size_t len = 1 << 20, taken = 0;
	uint64_t *stack = calloc(1, len);

	/* However long the machine takes to copy them. */
	b->waiting.patience_ns = 600000000000;
	while (b->samples == 0 && taken++ < 100)
		take_sample(b, stack, len);
	assert_in_range(taken, 30, 33);
	assert_int_equal(b->late, 1);
	assert_in_range(b->waiting.bytes, WAITING_MAX - 2 * len, WAITING_MAX);
	tables_come(b);
	assert_int_equal(b->samples, taken);
	assert_int_equal(b->late, 1);
	free(stack);
}

static void
nobody_waits_for_ever(void **state)
{
	struct bench *b = *state;

	take(b);
	waiting_finish(&b->waiting, &b->sink);
	assert_int_equal(b->samples, 1);
	assert_int_equal(b->late, 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define BENCH_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
		BENCH_TEST(a_sample_waits_for_its_table),
		BENCH_TEST(once_tables_are_here_nothing_waits),
		BENCH_TEST(a_sample_keeps_the_mappings_of_its_time),
		BENCH_TEST(a_sample_outlives_its_program),
		BENCH_TEST(a_sample_outlives_its_process),
		BENCH_TEST(a_table_that_will_not_come_is_not_waited_for),
		BENCH_TEST(what_has_no_room_goes_at_once_and_counts_as_late),
		BENCH_TEST(nobody_waits_for_ever),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
