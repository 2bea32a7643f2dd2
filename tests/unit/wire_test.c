/* SPDX-License-Identifier: MIT */
#include "app/wire.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

static void
a_request_arrives_as_it_was_sent(void **state)
{
	struct wire_request in = {
		.type = WIRE_RESOLVE, .id = 7, .module = 3,
		.kind = MODULE_LIBRARY, .count = 2,
		.offsets = { 0x1000, UINT64_MAX },
	}, out;
	struct writer w = { 0 };

	(void)state;
	wire_put_request(&w, &in);
	assert_true(wire_get_request(w.bytes, w.len, &out));
	assert_int_equal(out.id, 7);
	assert_int_equal(out.module, 3);
	assert_int_equal(out.count, 2);
	assert_true(out.offsets[1] == UINT64_MAX);
	for (size_t len = 0; len < w.len; len++)
		assert_false(wire_get_request(w.bytes, len, &out));
	writer_free(&w);
}

static void
a_table_of_rules_arrives_whole(void **state)
{
	struct wire_request ask = {
		.type = WIRE_ROWS, .id = 8, .module = 3, .is_full = true,
		.page = 70,
	}, asked;
	struct wire_answer in = {
		.type = WIRE_ROWS_ARE, .id = 8, .ok = true,
		.lacks_rules = true, .table = reader_of("12345678", 8),
	}, out;
	struct writer w = { 0 };

	(void)state;
	wire_put_request(&w, &ask);
	assert_true(wire_get_request(w.bytes, w.len, &asked));
	assert_true(asked.is_full && !asked.is_whole);
	assert_int_equal(asked.page, 70);
	w.len = 0;
	wire_put_answer(&w, &in);
	assert_true(wire_get_answer(w.bytes, w.len, &out));
	assert_true(out.ok && out.lacks_rules);
	assert_int_equal(reader_left(&out.table), 8);
	assert_memory_equal(out.table.at, "12345678", 8);
	writer_free(&w);
}

static void
the_choice_of_counts_arrives(void **state)
{
	struct wire_request in = {
		.type = WIRE_LOAD, .id = 4, .read = { "inuse_space" },
	}, out;
	struct writer w = { 0 };

	(void)state;
	wire_put_request(&w, &in);
	assert_true(wire_get_request(w.bytes, w.len, &out));
	assert_string_equal(out.read.type, "inuse_space");
	for (size_t len = 0; len < w.len; len++)
		assert_false(wire_get_request(w.bytes, len, &out));
	writer_free(&w);
}

static void
names_arrive_with_their_offsets(void **state)
{
	struct wire_answer in = {
		.type = WIRE_NAMES, .id = 9, .ok = true, .is_last = true,
	}, out;
	struct symbol symbol = { .start = 0x10, .name = "inflate" };
	struct writer w = { 0 };
	uint64_t offset;

	(void)state;
	wire_put_answer(&w, &in);
	wire_put_name(&w, 0x12, &symbol);
	symbol.name = "";
	wire_put_name(&w, 0x99, &symbol);
	assert_true(wire_get_answer(w.bytes, w.len, &out));
	assert_true(out.is_last);
	assert_true(wire_next_name(&out, &offset, &symbol));
	assert_true(offset == 0x12 && symbol.start == 0x10);
	assert_string_equal(symbol.name, "inflate");
	assert_true(wire_next_name(&out, &offset, &symbol));
	assert_string_equal(symbol.name, "");
	assert_false(wire_next_name(&out, &offset, &symbol));
	writer_free(&w);
}

static void
a_name_without_its_end_is_no_name(void **state)
{
	struct wire_answer in = { .type = WIRE_NAMES, .ok = true }, out;
	struct symbol symbol = { .start = 1, .name = "abcdef" };
	struct writer w = { 0 };
	uint64_t offset;

	(void)state;
	wire_put_answer(&w, &in);
	wire_put_name(&w, 2, &symbol);
	assert_true(wire_get_answer(w.bytes, w.len - 1, &out));
	assert_false(wire_next_name(&out, &offset, &symbol));
	assert_false(wire_next_name(&out, &offset, &symbol));
	writer_free(&w);
}

static void
texts_longer_than_their_room_fail_the_record(void **state)
{
	struct wire_answer out;
	struct writer w = { 0 };

	(void)state;
	writer_u32(&w, WIRE_OPENED);
	writer_u32(&w, 1);
	writer_u8(&w, 1);
	for (int i = 0; i < 300; i++)
		writer_u8(&w, 'x');
	writer_u8(&w, 0);
	writer_cstr(&w, "");
	writer_cstr(&w, "");
	writer_u8(&w, 0);
	assert_false(wire_get_answer(w.bytes, w.len, &out));
	writer_free(&w);
}

static void
places_arrive_with_their_offsets(void **state)
{
	struct wire_answer in = { .type = WIRE_PLACED, .ok = true }, out;
	struct symbol_place places[] = { { "f", "a.c", 3 }, { "g", "", 0 } };
	struct symbol_place got[WIRE_DEPTH_MAX];
	struct writer w = { 0 };
	uint64_t offset;
	size_t n;

	(void)state;
	wire_put_answer(&w, &in);
	wire_put_places(&w, 77, places, 2);
	wire_put_places(&w, 78, places, 1);
	assert_true(wire_get_answer(w.bytes, w.len, &out));
	assert_true(wire_next_places(&out, &offset, got, &n));
	assert_int_equal(offset, 77);
	assert_int_equal(n, 2);
	assert_string_equal(got[0].file, "a.c");
	assert_int_equal(got[0].line, 3);
	assert_string_equal(got[1].name, "g");
	assert_true(wire_next_places(&out, &offset, got, &n));
	assert_int_equal(offset, 78);
	assert_int_equal(n, 1);
	assert_false(wire_next_places(&out, &offset, got, &n));
	writer_free(&w);
}

/* The names of templates can be longer than a record. */
static void
places_that_are_too_much_lose_the_innermost(void **state)
{
	struct wire_answer in = { .type = WIRE_PLACED, .ok = true }, out;
	struct symbol_place places[300], got[WIRE_DEPTH_MAX];
	char name[WIRE_PLACE_MAX * 2];
	struct writer w = { 0 };
	uint64_t offset;
	size_t n;

	(void)state;
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	for (size_t i = 0; i < ARRAY_LEN(places); i++)
		places[i] = (struct symbol_place){ name, "a.c", 1 };
	wire_put_answer(&w, &in);
	wire_put_places(&w, 77, places, ARRAY_LEN(places));
	assert_in_range(w.len, 1, WIRE_MAX / 2);
	assert_true(wire_get_answer(w.bytes, w.len, &out));
	assert_true(wire_next_places(&out, &offset, got, &n));
	assert_in_range(n, 5, 8);
	assert_int_equal(strlen(got[n - 1].name), WIRE_PLACE_MAX);
	w.len--;
	assert_true(wire_get_answer(w.bytes, w.len, &out));
	assert_false(wire_next_places(&out, &offset, got, &n));
	writer_free(&w);
}

static void
every_answer_survives_the_way(void **state)
{
	static const enum wire_type types[] = {
		WIRE_OPENED, WIRE_LOADED,
	};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct wire_answer in = {
			.type = types[i], .id = 5, .ok = false,
			.text = "why",
			.hint = { .build_id = "abcd", .debuglink = "x.debug",
				  .is_wanted = true },
			.report = { .lines = 3, .note = "odd" },
		}, out;
		struct writer w = { 0 };

		wire_put_answer(&w, &in);
		assert_true(wire_get_answer(w.bytes, w.len, &out));
		assert_int_equal(out.type, types[i]);
		assert_string_equal(out.text, "why");
		if (types[i] == WIRE_OPENED)
			assert_string_equal(out.hint.debuglink, "x.debug");
		if (types[i] == WIRE_LOADED)
			assert_string_equal(out.report.note, "odd");
		writer_u8(&w, 0);
		assert_false(wire_get_answer(w.bytes, w.len, &out));
		writer_free(&w);
	}
}

static void
answers_of_the_wrong_side_are_refused(void **state)
{
	struct wire_request request = { .type = WIRE_PLACES }, asked;
	struct wire_answer answer;
	struct writer w = { 0 };

	(void)state;
	wire_put_request(&w, &request);
	assert_false(wire_get_answer(w.bytes, w.len, &answer));
	w.bytes[0] = WIRE_NAMES;
	assert_false(wire_get_request(w.bytes, w.len, &asked));
	writer_free(&w);
}

static void
a_descriptor_comes_along(void **state)
{
	struct writer w = { 0 };
	uint8_t bytes[WIRE_MAX];
	int pair[2], ends[2], fd;
	size_t len;
	char byte;

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0);
	assert_int_equal(pipe(ends), 0);
	writer_u32(&w, 77);
	assert_true(wire_send(pair[0], &w, ends[0], NULL));
	assert_int_equal(wire_receive(pair[1], bytes, &len, &fd), WIRE_GOT);
	assert_int_equal(len, 4);
	assert_true(fd >= 0 && fd != ends[0]);
	assert_int_equal(write(ends[1], "x", 1), 1);
	assert_int_equal(read(fd, &byte, 1), 1);
	close(fd);

	assert_true(wire_send(pair[0], &w, -1, NULL));
	assert_int_equal(wire_receive(pair[1], bytes, &len, &fd), WIRE_GOT);
	assert_int_equal(fd, -1);
	close(pair[0]);
	assert_int_equal(wire_receive(pair[1], bytes, &len, &fd),
			 WIRE_CLOSED);
	close(pair[1]);
	close(ends[0]);
	close(ends[1]);
	writer_free(&w);
}

/* Several descriptors in one record are closed, not kept. */
static void
more_descriptors_than_one_end_the_talk(void **state)
{
	union {
		char bytes[CMSG_SPACE(3 * sizeof(int))];
		struct cmsghdr header;
	} room = { { 0 } };
	char byte = 1;
	struct iovec part = { &byte, 1 };
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1,
		.msg_control = room.bytes, .msg_controllen = sizeof(room),
	};
	int fds[3] = { 0, 1, 2 }, pair[2], fd, before, after;
	uint8_t bytes[WIRE_MAX];
	size_t len;

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0);
	room.header.cmsg_level = SOL_SOCKET;
	room.header.cmsg_type = SCM_RIGHTS;
	room.header.cmsg_len = CMSG_LEN(sizeof(fds));
	memcpy(CMSG_DATA(&room.header), fds, sizeof(fds));
	before = dup(0);
	close(before);
	assert_int_equal(sendmsg(pair[0], &message, 0), 1);
	assert_int_equal(wire_receive(pair[1], bytes, &len, &fd),
			 WIRE_CLOSED);
	assert_int_equal(fd, -1);
	after = dup(0);
	assert_int_equal(after, before);
	close(after);
	close(pair[0]);
	close(pair[1]);
}

static void
an_explanation_arrives_as_the_bytes_it_is(void **state)
{
	static const char lines[] = "name      f\nrule      none\n";
	struct wire_answer in = {
		.type = WIRE_EXPLAINED, .id = 5, .ok = true,
		.lines = reader_of(lines, strlen(lines)),
	}, out;
	struct writer w = { 0 };

	(void)state;
	wire_put_answer(&w, &in);
	assert_true(wire_get_answer(w.bytes, w.len, &out));
	assert_int_equal(out.id, 5);
	assert_int_equal(reader_left(&out.lines), strlen(lines));
	assert_memory_equal(out.lines.at, lines, strlen(lines));
	writer_free(&w);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_request_arrives_as_it_was_sent),
		cmocka_unit_test(a_table_of_rules_arrives_whole),
		cmocka_unit_test(the_choice_of_counts_arrives),
		cmocka_unit_test(names_arrive_with_their_offsets),
		cmocka_unit_test(an_explanation_arrives_as_the_bytes_it_is),
		cmocka_unit_test(a_name_without_its_end_is_no_name),
		cmocka_unit_test(texts_longer_than_their_room_fail_the_record),
		cmocka_unit_test(places_arrive_with_their_offsets),
		cmocka_unit_test(places_that_are_too_much_lose_the_innermost),
		cmocka_unit_test(every_answer_survives_the_way),
		cmocka_unit_test(answers_of_the_wrong_side_are_refused),
		cmocka_unit_test(a_descriptor_comes_along),
		cmocka_unit_test(more_descriptors_than_one_end_the_talk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
