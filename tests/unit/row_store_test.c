/* SPDX-License-Identifier: MIT */
#include "app/row_store.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/reader.h"

#define MODULE 7
#define ALL_SEALS (F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW)

struct store {
	struct row_store *store;
	int wake;
	struct writer table;
};

static int
set_up(void **state)
{
	struct store *s = calloc(1, sizeof(*s));

	s->wake = eventfd(0, EFD_NONBLOCK);
	s->store = row_store_new(s->wake);
	*state = s;
	return 0;
}

static int
tear_down(void **state)
{
	struct store *s = *state;

	row_store_free(s->store);
	writer_free(&s->table);
	close(s->wake);
	free(s);
	return 0;
}

/* PAGES pages from FIRST on, each with one row. */
static void
make_table(struct store *s, uint32_t first, uint32_t pages)
{
	const struct rows_header header = {
		.magic = ROWS_MAGIC, .first = first, .pages = pages,
		.rows = pages, .rules = 1,
	};
	const struct rule rule = { .kind = RULE_SP, .cfa = 8 };

	s->table.len = 0;
	writer_bytes(&s->table, &header, sizeof(header));
	for (uint32_t i = 0; i <= pages * ROWS_PARTS; i++)
		writer_u32(&s->table, (i + ROWS_PARTS - 1) / ROWS_PARTS);
	for (uint32_t i = 0; i < pages; i++)
		writer_u32(&s->table, 0);
	writer_bytes(&s->table, &rule, sizeof(rule));
}

static enum rows_state
find(struct store *s, uint32_t page)
{
	struct rows rows;

	return row_store_find(s->store, MODULE, (uint64_t)page << ROWS_PAGE_LOG,
			  false, &rows);
}

static bool
is_rung(int event)
{
	struct pollfd ready = { .fd = event, .events = POLLIN };

	return poll(&ready, 1, 0) == 1;
}

static void
what_is_not_here_is_wished_for_once(void **state)
{
	struct store *s = *state;
	struct row_wish wish;

	assert_false(is_rung(row_store_fd(s->store)));
	assert_int_equal(find(s, 3), ROWS_ASKED);
	assert_int_equal(find(s, 3), ROWS_ASKED);
	assert_true(is_rung(row_store_fd(s->store)));
	assert_true(row_store_next(s->store, &wish));
	assert_int_equal(wish.module, MODULE);
	assert_int_equal(wish.page, 3);
	assert_false(wish.is_full || wish.is_whole);
	assert_false(row_store_next(s->store, &wish));
	assert_false(is_rung(row_store_fd(s->store)));
}

static void
a_page_that_came_is_here_and_rings(void **state)
{
	struct store *s = *state;
	struct row_wish wish = { .module = MODULE, .page = 3 };
	uint64_t version = row_store_version(s->store);
	struct rows rows;

	make_table(s, 3, 1);
	assert_true(row_store_put(s->store, &wish, s->table.bytes, s->table.len));
	assert_true(row_store_version(s->store) > version);
	assert_true(is_rung(s->wake));
	assert_int_equal(row_store_find(s->store, MODULE, 0x31234, false, &rows),
			 ROWS_HERE);
	assert_int_equal(rows_rule(&rows, 0x31234)->kind, RULE_SP);
	assert_int_equal(row_store_find(s->store, MODULE, 0x31234, true, &rows),
			 ROWS_ASKED);
	assert_int_equal(find(s, 4), ROWS_ASKED);
}

static void
beside_a_whole_module_nothing_comes(void **state)
{
	struct store *s = *state;
	struct row_wish wish = { .module = MODULE, .is_whole = true };

	assert_int_equal(find(s, 9), ROWS_ASKED);
	make_table(s, 3, 2);
	assert_true(row_store_put(s->store, &wish, s->table.bytes, s->table.len));
	assert_int_equal(find(s, 3), ROWS_HERE);
	assert_int_equal(find(s, 4), ROWS_HERE);
	assert_int_equal(find(s, 9), ROWS_MISSING);
}

static void
what_will_not_come_is_missing(void **state)
{
	struct store *s = *state;
	struct row_wish wish = { .module = MODULE, .page = 3 };

	assert_int_equal(find(s, 3), ROWS_ASKED);
	row_store_deny(s->store, &wish);
	assert_int_equal(find(s, 3), ROWS_MISSING);
	assert_int_equal(find(s, 4), ROWS_ASKED);
	wish.is_whole = true;
	row_store_deny(s->store, &wish);
	assert_int_equal(find(s, 4), ROWS_MISSING);
	assert_int_equal(find(s, 5), ROWS_MISSING);
}

static void
another_table_than_was_asked_for_is_refused(void **state)
{
	struct store *s = *state;
	struct row_wish wish = { .module = MODULE, .page = 3 };

	make_table(s, 4, 1);
	assert_false(row_store_put(s->store, &wish, s->table.bytes, s->table.len));
	make_table(s, 3, 2);
	assert_false(row_store_put(s->store, &wish, s->table.bytes, s->table.len));
	make_table(s, 3, 1);
	assert_false(row_store_put(s->store, &wish, s->table.bytes,
			       s->table.len - 8));
	wish.is_full = true;
	assert_false(row_store_put(s->store, &wish, s->table.bytes, s->table.len));
	assert_int_equal(find(s, 3), ROWS_ASKED);
}

static int
memory_with(struct store *s, int seals)
{
	int fd = memfd_create("table", MFD_ALLOW_SEALING);

	assert_int_equal(write(fd, s->table.bytes, s->table.len),
			 s->table.len);
	assert_return_code(fcntl(fd, F_ADD_SEALS, seals), 0);
	return fd;
}

static void
memory_that_can_change_is_refused(void **state)
{
	struct store *s = *state;
	struct row_wish wish = { .module = MODULE, .is_whole = true };
	int seals[] = { F_SEAL_WRITE | F_SEAL_SHRINK,
			F_SEAL_WRITE | F_SEAL_GROW,
			F_SEAL_SHRINK | F_SEAL_GROW };
	int fd;

	make_table(s, 3, 100);
	for (int i = 0; i < 3; i++) {
		fd = memory_with(s, seals[i]);
		assert_false(row_store_map(s->store, &wish, fd));
		close(fd);
	}
	fd = open("/dev/null", O_RDONLY);
	assert_false(row_store_map(s->store, &wish, fd));
	close(fd);
	fd = memory_with(s, ALL_SEALS);
	assert_true(row_store_map(s->store, &wish, fd));
	close(fd);
	assert_int_equal(find(s, 102), ROWS_HERE);
}

static void
a_module_may_share_the_tables_of_another(void **state)
{
	struct store *s = *state;
	struct row_wish wish = { .module = MODULE + 1, .page = 3 };
	uint64_t version;

	assert_int_equal(find(s, 3), ROWS_ASKED);
	version = row_store_version(s->store);
	row_store_share(s->store, MODULE, MODULE + 1);
	assert_true(row_store_version(s->store) > version);
	assert_true(row_store_next(s->store, &wish));
	assert_int_equal(wish.module, MODULE + 1);
	make_table(s, 3, 1);
	assert_true(row_store_put(s->store, &wish, s->table.bytes,
				  s->table.len));
	assert_int_equal(find(s, 3), ROWS_HERE);
	assert_int_equal(find(s, 4), ROWS_ASKED);
	assert_true(row_store_next(s->store, &wish));
	assert_int_equal(wish.module, MODULE + 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define STORE_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
		STORE_TEST(what_is_not_here_is_wished_for_once),
		STORE_TEST(a_page_that_came_is_here_and_rings),
		STORE_TEST(beside_a_whole_module_nothing_comes),
		STORE_TEST(what_will_not_come_is_missing),
		STORE_TEST(another_table_than_was_asked_for_is_refused),
		STORE_TEST(memory_that_can_change_is_refused),
		STORE_TEST(a_module_may_share_the_tables_of_another),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
