/* SPDX-License-Identifier: MIT */
#include "app/client_private.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define SECOND 1000000000ull

/* A client that has asked for a file; the test is the other process. */
struct ends {
	struct opener *opener;
	struct client *client;
	int other;
};

static int
set_up(void **state)
{
	struct ends *ends = calloc(1, sizeof(*ends));
	int pair[2], nothing[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) < 0 ||
	    pipe(nothing) < 0)
		return -1;
	ends->opener = opener_new();
	ends->client = client_new(pair[0], ends->opener);
	ends->other = pair[1];
	close(nothing[1]);
	client_load(ends->client, nothing[0], &(struct read_options){ "" });
	client_turn(ends->client);
	*state = ends;
	return 0;
}

static int
tear_down(void **state)
{
	struct ends *ends = *state;

	client_free(ends->client);
	opener_free(ends->opener);
	close(ends->other);
	free(ends);
	return 0;
}

/* As the other process reads, which has the same descriptor. */
static void
how_far_a_file_was_read_is_known(void **state)
{
	struct ends *ends = *state;
	int fd = memfd_create("file", MFD_CLOEXEC);

	assert_int_equal(client_load_percent(ends->client), 0);
	assert_int_equal(ftruncate(fd, 1000), 0);
	client_load(ends->client, fd, &(struct read_options){ "" });
	assert_int_equal(client_load_percent(ends->client), 0);
	lseek(fd, 500, SEEK_SET);
	assert_in_range(client_load_percent(ends->client), 40, 50);
	lseek(fd, 1000, SEEK_SET);
	assert_int_equal(client_load_percent(ends->client), 100);
}

static void
a_process_that_works_is_waited_for(void **state)
{
	struct ends *ends = *state;

	for (uint64_t cpu = 1; cpu < 20; cpu++)
		assert_false(client_hangs(ends->client, cpu * SECOND));
}

static void
a_process_that_works_on_and_on_hangs_once(void **state)
{
	struct ends *ends = *state;

	assert_false(client_hangs(ends->client, 100 * SECOND));
	assert_false(client_hangs(ends->client, 120 * SECOND));
	assert_true(client_hangs(ends->client, 140 * SECOND));
	assert_false(client_hangs(ends->client, 200 * SECOND));
}

static void
a_file_whose_reader_was_ended_takes_too_long(void **state)
{
	struct ends *ends = *state;
	struct read_report report;
	struct profile *profile;
	struct error err;

	client_hangs(ends->client, SECOND);
	assert_true(client_hangs(ends->client, 100 * SECOND));
	client_reconnect(ends->client, -1, 9);
	assert_true(client_loaded(ends->client, &profile, &report, &err));
	assert_null(profile);
	assert_string_equal(err.text, "reading it takes too long");
	assert_false(client_hangs(ends->client, 1000 * SECOND));
}

/* Its exit status is 1 when it ran out of memory (core/base.h). */
static void
a_file_that_needs_too_much_memory_is_too_large(void **state)
{
	struct ends *ends = *state;
	struct read_report report;
	struct profile *profile;
	struct error err;

	client_reconnect(ends->client, -1, W_EXITCODE(1, 0));
	assert_true(client_loaded(ends->client, &profile, &report, &err));
	assert_null(profile);
	assert_int_equal(err.errnum, ENOMEM);
}

/* A module of PATH in PROFILE with a frame that waits for its name. */
static module_id
add_waiting(struct ends *ends, struct profile *profile, const char *path)
{
	struct module module = {
		.kind = MODULE_LIBRARY,
		.path = strings_add(profile_strings(profile), path,
				    strlen(path)),
	};
	struct frame frame = { .kind = FRAME_CODE, .offset = 0x1000 };

	frame.module = profile_module(profile, &module);
	frame_list_add(&client_module(ends->client, frame.module)->waiting,
		       profile_frame(profile, &frame));
	return frame.module;
}

static void
what_is_not_read_to_its_end_is_named(void **state)
{
	struct ends *ends = *state;
	struct profile *profile = profile_new();
	module_id second;
	char text[64];

	ends->client->request.type = 0;
	ends->client->profile = profile;
	assert_false(client_unfinished(ends->client, text, sizeof(text)));
	add_waiting(ends, profile, "/lib/first.so");
	assert_true(client_unfinished(ends->client, text, sizeof(text)));
	assert_string_equal(text, "first.so");
	second = add_waiting(ends, profile, "/lib/second.so");
	add_waiting(ends, profile, "/lib/third.so");
	ends->client->request.type = WIRE_RESOLVE;
	ends->client->request.module = second;
	client_unfinished(ends->client, text, sizeof(text));
	assert_string_equal(text, "second.so and 2 others");
	client_module(ends->client, second)->state = STATE_ASIDE;
	ends->client->request.type = 0;
	client_unfinished(ends->client, text, sizeof(text));
	assert_string_equal(text, "first.so and 1 other");
	ends->client->profile = NULL;
	profile_free(profile);
}

/* Of a module that brings none there are none to be waited for. */
static void
a_frame_lacks_its_name_while_one_may_come(void **state)
{
	struct ends *ends = *state;
	struct client *client = ends->client;
	struct profile *profile = profile_new();
	struct names *names = names_new(profile);
	struct symbol symbol = { .start = 0x1000, .name = "named" };
	module_id module;

	client->request.type = 0;
	client_watch(client, profile, names, NULL);
	client->next_frame = (frame_id)profile_frames(profile);
	assert_false(client_lacks_names(client));
	module = add_waiting(ends, profile, "/lib/first.so");
	assert_true(client_lacks_names(client));
	client->next_frame = (frame_id)profile_frames(profile);
	assert_true(client_lacks_names(client));
	client_module(client, module)->state = STATE_ASIDE;
	assert_false(client_lacks_names(client));
	client_module(client, module)->state = STATE_OPEN;
	assert_true(client_lacks_names(client));
	names_set(names, client->next_frame - 1, &symbol);
	assert_false(client_lacks_names(client));
	client_watch(client, NULL, NULL, NULL);
	names_free(names);
	profile_free(profile);
}

#define WITH_ENDS(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

/* What is asked next, without its file. */
static struct wire_request
next_request(int other)
{
	struct wire_request request;
	uint8_t bytes[WIRE_MAX];
	size_t len;
	int fd;

	assert_int_equal(wire_receive(other, bytes, &len, &fd), WIRE_GOT);
	if (fd >= 0)
		close(fd);
	assert_true(wire_get_request(bytes, len, &request));
	return request;
}

/* Which module is to be opened next. */
static uint32_t
module_asked(int other)
{
	struct wire_request request = next_request(other);

	assert_int_equal(request.type, WIRE_OPEN);
	return request.module;
}

static void
become_ready(struct client *client, module_id id, enum module_kind kind,
	     uint64_t size)
{
	struct known_module *known = client_module(client, id);

	known->state = STATE_READY;
	known->kind = kind;
	known->size = size;
	known->fd = memfd_create("file", MFD_CLOEXEC);
}

static void
a_large_map_of_a_jit_is_read_behind_names_of_files(void **state)
{
	struct opener *opener = opener_new();
	struct client *client;
	int pair[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0);
	client = client_new(pair[0], opener);
	become_ready(client, 0, MODULE_JIT, UINT64_C(200) << 20);
	become_ready(client, 1, MODULE_LIBRARY, 0);
	client_turn(client);
	assert_int_equal(module_asked(pair[1]), 1);
	client->modules[1].state = STATE_OPEN;
	client->request.type = 0;
	client_turn(client);
	assert_int_equal(module_asked(pair[1]), 0);
	client_free(client);
	opener_free(opener);
	close(pair[1]);
}

/* Trampolines, which have the names, are code of a JIT. */
static void
python_without_trampolines_is_told_of(void **state)
{
	struct ends *ends = *state;
	struct client *client = ends->client;

	client_note_name(client, "PyObject_Call");
	assert_null(client_problem(client, 0));
	client_note_name(client, "_PyEval_EvalFrameDefault");
	assert_non_null(strstr(client_problem(client, 0), "python3 -X perf"));
	client_module(client, 0)->kind = MODULE_JIT;
	assert_null(client_problem(client, 0));
}

/* Debug files that are about to come would have it made again. */
static void
an_index_is_made_before_there_are_frames(void **state)
{
	struct module module = { .kind = MODULE_LIBRARY };
	struct profile *profile = profile_new();
	struct ends *ends = *state;
	struct client *client = ends->client;
	struct wire_request request;
	module_id id = profile_module(profile, &module);

	next_request(ends->other);
	client->request.type = 0;
	close(client->load_fd);
	client->load_fd = -1;
	client->profile = profile;
	client_sort_frames(client);
	client_module(client, id)->state = STATE_OPEN;
	client_module(client, id)->opening = 1;
	client_turn(client);
	assert_int_equal(client->request.type, 0);
	client_module(client, id)->opening = 0;
	client_turn(client);
	request = next_request(ends->other);
	assert_int_equal(request.type, WIRE_RESOLVE);
	assert_int_equal(request.module, id);
	assert_int_equal(request.count, 0);
	client->request.type = 0;
	client_turn(client);
	assert_int_equal(client->request.type, 0);
	client->profile = NULL;
	profile_free(profile);
}

/* It would only be opened again, in place of another such. */
static void
a_module_whose_frames_will_come_is_not_closed(void **state)
{
	struct ends *ends = *state;
	struct client *client = ends->client;
	struct wire_request request;

	next_request(ends->other);
	client->request.type = 0;
	for (module_id id = 0; id < WIRE_MODULES; id++) {
		client_module(client, id)->state = STATE_OPEN;
		client_module(client, id)->is_met = true;
	}
	assert_false(client_has_room(client));
	assert_int_equal(client->request.type, 0);
	client_module(client, 5)->is_met = false;
	assert_false(client_has_room(client));
	request = next_request(ends->other);
	assert_int_equal(request.type, WIRE_CLOSE);
	assert_int_equal(request.module, 5);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_large_map_of_a_jit_is_read_behind_names_of_files),
		WITH_ENDS(what_is_not_read_to_its_end_is_named),
		WITH_ENDS(a_frame_lacks_its_name_while_one_may_come),
		WITH_ENDS(python_without_trampolines_is_told_of),
		WITH_ENDS(an_index_is_made_before_there_are_frames),
		WITH_ENDS(a_module_whose_frames_will_come_is_not_closed),
		WITH_ENDS(how_far_a_file_was_read_is_known),
		WITH_ENDS(a_process_that_works_is_waited_for),
		WITH_ENDS(a_process_that_works_on_and_on_hangs_once),
		WITH_ENDS(a_file_that_needs_too_much_memory_is_too_large),
		WITH_ENDS(a_file_whose_reader_was_ended_takes_too_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
