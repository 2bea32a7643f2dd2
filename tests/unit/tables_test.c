/* SPDX-License-Identifier: MIT */
#include "app/tables.h"

#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "app/supervisor.h"
#include "app/wire.h"

#define WAIT_MS 10000
#define KILLED SIGKILL			/* as waitpid() has it */
#define CRASHED SIGSEGV

/* The thread; the test is the process at the other end, and supervisor. */
struct ends {
	struct row_store *store;
	struct tables *tables;
	int wake, other, control;
	struct wire_request request;	/* the last */
	struct writer out;
	uint8_t in[WIRE_MAX];
};

#define NOWHERE 1000

/* Modules before that are our own program. */
static bool
find_origin(void *ctx, module_id module, struct open_mapping *out)
{
	(void)ctx;
	out->pid = getpid();
	out->kind = MODULE_PROGRAM;
	return module < NOWHERE &&
	       readlink("/proc/self/exe", out->path, sizeof(out->path)) > 0;
}

static int
set_up(void **state)
{
	struct ends *e = calloc(1, sizeof(*e));
	int talk[2], control[2];
	struct tables_config config = { .pid = getpid() };
	struct error err;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, talk) < 0 ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET, 0, control) < 0)
		return -1;
	e->wake = eventfd(0, EFD_NONBLOCK);
	e->store = row_store_new(e->wake);
	e->other = talk[1];
	e->control = control[1];
	config.sock = talk[0];
	config.control = control[0];
	config.rows = e->store;
	config.origin = find_origin;
	e->tables = tables_start(&config, &err);
	*state = e;
	return e->tables ? 0 : -1;
}

static int
tear_down(void **state)
{
	struct ends *e = *state;

	tables_free(e->tables);
	row_store_free(e->store);
	writer_free(&e->out);
	close(e->wake);
	close(e->control);
	if (e->other >= 0)
		close(e->other);
	free(e);
	return 0;
}

static enum rows_state
find(struct ends *e, module_id module, uint32_t page)
{
	struct rows rows;

	return row_store_find(e->store, module,
			      (uint64_t)page << ROWS_PAGE_LOG, false, &rows);
}

/* Until it is not asked for any more. */
static enum rows_state
await(struct ends *e, module_id module, uint32_t page)
{
	for (int i = 0; i < WAIT_MS && find(e, module, page) == ROWS_ASKED;
	     i++)
		poll(NULL, 0, 1);
	return find(e, module, page);
}

/* The next request must be one of TYPE for MODULE. */
static void
expect(struct ends *e, enum wire_type type, module_id module)
{
	struct pollfd ready = { e->other, POLLIN, 0 };
	size_t len;
	int fd;

	assert_int_equal(poll(&ready, 1, WAIT_MS), 1);
	assert_int_equal(wire_receive(e->other, e->in, &len, &fd), WIRE_GOT);
	assert_true(wire_get_request(e->in, len, &e->request));
	assert_int_equal(e->request.type, type);
	assert_int_equal(e->request.module, module);
	assert_int_equal(fd >= 0, type == WIRE_OPEN || type == WIRE_DEBUG);
	if (fd >= 0)
		close(fd);
}

static void
answer(struct ends *e, struct wire_answer *what)
{
	e->out.len = 0;
	what->id = e->request.id;
	wire_put_answer(&e->out, what);
	assert_true(wire_send(e->other, &e->out, -1, NULL));
}

static void
open_it(struct ends *e, module_id module, const char *build_id)
{
	struct wire_answer what = { .type = WIRE_OPENED, .ok = true };

	expect(e, WIRE_OPEN, module);
	strcpy(what.hint.build_id, build_id);
	answer(e, &what);
}

/* A file whose debug file would have that name. */
static void
open_linked(struct ends *e, module_id module, const char *debuglink)
{
	struct wire_answer what = { .type = WIRE_OPENED, .ok = true };

	expect(e, WIRE_OPEN, module);
	strcpy(what.hint.debuglink, debuglink);
	answer(e, &what);
}

/* A table of two pages from 0 on, each with one row. */
static void
send_table_of(struct ends *e, bool lacks_rules)
{
	const struct rows_header header = {
		.magic = ROWS_MAGIC, .pages = 2, .rows = 2, .rules = 1,
	};
	const struct rule rule = { .kind = RULE_SP, .cfa = 8 };
	struct wire_answer what = {
		.type = WIRE_ROWS_ARE, .ok = true, .lacks_rules = lacks_rules,
	};
	struct writer table = { 0 };

	writer_bytes(&table, &header, sizeof(header));
	for (uint32_t i = 0; i <= 2 * ROWS_PARTS; i++)
		writer_u32(&table, (i + ROWS_PARTS - 1) / ROWS_PARTS);
	for (uint32_t i = 0; i < 2; i++)
		writer_u32(&table, 0);
	writer_bytes(&table, &rule, sizeof(rule));
	what.table = reader_of(table.bytes, table.len);
	answer(e, &what);
	writer_free(&table);
}

static void
send_table(struct ends *e)
{
	send_table_of(e, false);
}

/* Another process instead of this one, which ended with STATUS. */
static void
replace(struct ends *e, int status)
{
	struct control message = {
		.type = CONTROL_SYMBOLS, .value = status, .pid = getpid(),
	};
	int pair[2];

	close(e->other);
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0);
	assert_true(control_send(e->control, &message, pair[0]));
	close(pair[0]);
	e->other = pair[1];
}

/* Nothing is asked, for as long as it takes elsewhere ten times over. */
static void
expect_silence(struct ends *e)
{
	struct pollfd ready = { e->other, POLLIN, 0 };

	assert_int_equal(poll(&ready, 1, 300), 0);
}

static void
a_wish_becomes_a_table(void **state)
{
	struct ends *e = *state;

	assert_int_equal(find(e, 1, 0), ROWS_ASKED);
	open_it(e, 1, "");
	expect(e, WIRE_ROWS, 1);
	assert_true(e->request.is_whole);
	send_table(e);
	assert_int_equal(await(e, 1, 0), ROWS_HERE);
	assert_int_equal(find(e, 1, 1), ROWS_HERE);
	assert_int_equal(find(e, 1, 2), ROWS_MISSING);
	expect_silence(e);
}

static void
what_cannot_be_opened_is_missing(void **state)
{
	struct ends *e = *state;
	struct wire_answer what = { .type = WIRE_OPENED };

	assert_int_equal(find(e, NOWHERE, 0), ROWS_ASKED);
	assert_int_equal(await(e, NOWHERE, 0), ROWS_MISSING);
	assert_int_equal(find(e, 1, 0), ROWS_ASKED);
	expect(e, WIRE_OPEN, 1);
	answer(e, &what);
	assert_int_equal(await(e, 1, 0), ROWS_MISSING);
}

static void
the_next_process_is_asked_what_the_last_did_not_answer(void **state)
{
	struct ends *e = *state;

	assert_int_equal(find(e, 1, 0), ROWS_ASKED);
	expect(e, WIRE_OPEN, 1);
	replace(e, KILLED);
	open_it(e, 1, "");
	expect(e, WIRE_ROWS, 1);
	replace(e, KILLED);
	open_it(e, 1, "");
	expect(e, WIRE_ROWS, 1);
	send_table(e);
	assert_int_equal(await(e, 1, 0), ROWS_HERE);
	assert_int_equal(tables_set_aside(e->tables), 0);
	assert_int_equal(tables_pid(e->tables), getpid());
}

static void
a_module_that_crashes_its_reader_twice_is_set_aside(void **state)
{
	struct ends *e = *state;

	assert_int_equal(find(e, 1, 0), ROWS_ASKED);
	open_it(e, 1, "");
	expect(e, WIRE_ROWS, 1);
	replace(e, CRASHED);
	expect(e, WIRE_OPEN, 1);
	replace(e, CRASHED);
	assert_int_equal(await(e, 1, 0), ROWS_MISSING);
	assert_int_equal(tables_set_aside(e->tables), 1);
	assert_int_equal(find(e, 2, 0), ROWS_ASKED);
	open_it(e, 2, "");
}

/* What does not answer what was asked comes from an enemy. */
static void
a_wrong_answer_ends_the_talk(void **state)
{
	struct ends *e = *state;
	struct wire_answer what = { .type = WIRE_NAMES, .is_last = true };
	struct pollfd ready = { .events = POLLIN };

	assert_int_equal(find(e, 1, 0), ROWS_ASKED);
	expect(e, WIRE_OPEN, 1);
	answer(e, &what);
	ready.fd = e->other;
	assert_int_equal(poll(&ready, 1, WAIT_MS), 1);
	assert_true(ready.revents & POLLHUP);
	assert_int_equal(find(e, 1, 0), ROWS_ASKED);
	replace(e, 0);
	open_it(e, 1, "");
}

static void
copies_of_one_file_share_its_tables(void **state)
{
	struct ends *e = *state;

	assert_int_equal(find(e, 1, 0), ROWS_ASKED);
	open_it(e, 1, "abcd");
	expect(e, WIRE_ROWS, 1);
	send_table(e);
	assert_int_equal(await(e, 1, 0), ROWS_HERE);
	assert_int_equal(find(e, 2, 1), ROWS_ASKED);
	open_it(e, 2, "abcd");
	assert_int_equal(await(e, 2, 1), ROWS_HERE);
	expect_silence(e);
	assert_int_equal(find(e, 3, 1), ROWS_ASKED);
	open_it(e, 3, "abce");
	expect(e, WIRE_ROWS, 3);
}

/* Beside our program there is one file at least, itself. */
#define BESIDE "tables_test"

/* Module 1 lacks rules; the debug file beside it is asked for more. */
static void
ask_for_what_a_file_lacks(struct ends *e)
{
	assert_int_equal(find(e, 1, 0), ROWS_ASKED);
	open_linked(e, 1, BESIDE);
	expect(e, WIRE_ROWS, 1);
	send_table_of(e, true);
	expect(e, WIRE_DEBUG, 1);
}

static void
rules_that_a_file_lacks_are_sought_in_its_debug_file(void **state)
{
	struct ends *e = *state;
	struct wire_answer found = { .type = WIRE_OPENED, .ok = true };

	ask_for_what_a_file_lacks(e);
	assert_int_equal(find(e, 1, 0), ROWS_ASKED);
	answer(e, &found);
	expect(e, WIRE_ROWS, 1);
	send_table_of(e, true);
	assert_int_equal(await(e, 1, 0), ROWS_HERE);
	expect_silence(e);
}

static void
where_no_debug_file_fits_a_table_is_what_it_is(void **state)
{
	struct ends *e = *state;
	struct wire_answer refused = { .type = WIRE_OPENED };

	ask_for_what_a_file_lacks(e);
	answer(e, &refused);
	expect(e, WIRE_ROWS, 1);
	send_table_of(e, true);
	assert_int_equal(await(e, 1, 0), ROWS_HERE);
	assert_int_equal(find(e, 2, 0), ROWS_ASKED);
	open_linked(e, 2, "not here.debug");
	expect(e, WIRE_ROWS, 2);
	send_table_of(e, true);
	expect(e, WIRE_ROWS, 2);
	send_table_of(e, true);
	assert_int_equal(await(e, 2, 0), ROWS_HERE);
	assert_int_equal(find(e, 3, 0), ROWS_ASKED);
	open_linked(e, 3, "");
	expect(e, WIRE_ROWS, 3);
	send_table_of(e, true);
	assert_int_equal(await(e, 3, 0), ROWS_HERE);
}

static void
the_next_process_gets_the_debug_file_too(void **state)
{
	struct ends *e = *state;
	struct wire_answer found = { .type = WIRE_OPENED, .ok = true };

	ask_for_what_a_file_lacks(e);
	replace(e, KILLED);
	open_linked(e, 1, BESIDE);
	expect(e, WIRE_ROWS, 1);
	send_table_of(e, true);
	expect(e, WIRE_DEBUG, 1);
	answer(e, &found);
	expect(e, WIRE_ROWS, 1);
	send_table(e);
	assert_int_equal(await(e, 1, 0), ROWS_HERE);
}

static void
a_debug_file_that_crashes_its_reader_is_done_without(void **state)
{
	struct ends *e = *state;

	ask_for_what_a_file_lacks(e);
	replace(e, CRASHED);
	open_linked(e, 1, BESIDE);
	expect(e, WIRE_ROWS, 1);
	send_table_of(e, true);
	assert_int_equal(await(e, 1, 0), ROWS_HERE);
	assert_int_equal(tables_set_aside(e->tables), 0);
	expect_silence(e);
}

static void
the_module_not_asked_for_longest_makes_room(void **state)
{
	struct ends *e = *state;
	struct wire_answer what = { .type = WIRE_OPENED, .ok = true };

	for (module_id id = 1; id <= WIRE_MODULES; id++) {
		assert_int_equal(find(e, id, 0), ROWS_ASKED);
		open_it(e, id, "");
		expect(e, WIRE_ROWS, id);
		send_table(e);
		assert_int_equal(await(e, id, 0), ROWS_HERE);
	}
	assert_int_equal(find(e, WIRE_MODULES + 1, 0), ROWS_ASKED);
	expect(e, WIRE_CLOSE, 1);
	answer(e, &what);
	open_it(e, WIRE_MODULES + 1, "");
	expect(e, WIRE_ROWS, WIRE_MODULES + 1);
	assert_int_equal(find(e, 1, 0), ROWS_HERE);
}

static void
what_is_not_here_at_the_end_is_missing(void **state)
{
	struct ends *e = *state;

	assert_int_equal(find(e, 1, 0), ROWS_ASKED);
	tables_free(e->tables);
	e->tables = NULL;
	assert_int_equal(find(e, 1, 0), ROWS_MISSING);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define TABLES_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
		TABLES_TEST(a_wish_becomes_a_table),
		TABLES_TEST(what_cannot_be_opened_is_missing),
		TABLES_TEST(
			the_next_process_is_asked_what_the_last_did_not_answer),
		TABLES_TEST(a_module_that_crashes_its_reader_twice_is_set_aside),
		TABLES_TEST(a_wrong_answer_ends_the_talk),
		TABLES_TEST(copies_of_one_file_share_its_tables),
		TABLES_TEST(
			rules_that_a_file_lacks_are_sought_in_its_debug_file),
		TABLES_TEST(where_no_debug_file_fits_a_table_is_what_it_is),
		TABLES_TEST(the_next_process_gets_the_debug_file_too),
		TABLES_TEST(
			a_debug_file_that_crashes_its_reader_is_done_without),
		TABLES_TEST(the_module_not_asked_for_longest_makes_room),
		TABLES_TEST(what_is_not_here_at_the_end_is_missing),
	};

	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
