/* SPDX-License-Identifier: MIT */
/* What a thread waits for: lines of /proc, locks, sockets, words. */
#include "sampler/wait.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include <cmocka.h>

#include "core/base.h"
#include "sampler/sockets.h"
#include "sampler/thread_counts.h"

#define AT 0x1000

static void
a_line_of_a_call_has_arguments_and_registers(void **state)
{
	struct wait_line line;

	(void)state;
	assert_true(wait_parse("202 0x7f10 0x80 0x2 0x0 0x5 0x6 0x7ffc10 "
			       "0x7f20\n", &line));
	assert_int_equal(line.place, PLACE_CALL);
	assert_int_equal(line.number, 202);
	assert_int_equal(line.arguments[0], 0x7f10);
	assert_int_equal(line.arguments[5], 6);
	assert_int_equal(line.sp, 0x7ffc10);
	assert_int_equal(line.pc, 0x7f20);
	assert_true(wait_parse("-1 0x7ffc10 0x7f20\n", &line));
	assert_int_equal(line.place, PLACE_ELSEWHERE);
	assert_int_equal(line.sp, 0x7ffc10);
	assert_int_equal(line.pc, 0x7f20);
	assert_true(wait_parse("running\n", &line));
	assert_int_equal(line.place, PLACE_RUNNING);
	assert_false(wait_parse("", &line));
	assert_false(wait_parse("202 0x7f10 0x80\n", &line));
}

static void
no_call_is_in_the_table_twice(void **state)
{
	(void)state;
	for (long number = 0; number < 500; number++) {
		const struct call *call = call_find(number);

		assert_true(!call || call->number == number);
	}
	assert_string_equal(call_find(SYS_futex)->name, "futex");
	assert_string_equal(call_find(SYS_ppoll)->name, "ppoll");
	assert_null(call_find(SYS_getpid));
}

/* --- locks */

static bool
read_words(void *ctx, uint64_t addr, void *buf, size_t len)
{
	if (addr != AT)
		return false;
	memcpy(buf, ctx, len);
	return true;
}

/* A wait for WORDS as glibc waits, with VALUE; threads are 50, 60 and 70. */
static struct wait
lock_of(uint32_t *words, uint64_t op, uint64_t value)
{
	static const pid_t tids[] = { 50, 60, 70 };
	struct memory memory = { .read = read_words, .ctx = words };
	struct wait wait = { .address = AT, .line.arguments =
				     { AT, op, value } };

	wait_find_lock(&memory, tids, ARRAY_LEN(tids), &wait);
	return wait;
}

static void
a_mutex_tells_its_owner(void **state)
{
	uint32_t words[5] = { 2, 0, 60, 1, 0 };

	(void)state;
	assert_int_equal(lock_of(words, 0x80, 2).lock, LOCK_MUTEX);
	assert_int_equal(lock_of(words, 0x80, 2).owner, 60);
	assert_int_equal(lock_of(words, 0x89, 2).owner, 60);
}

static void
what_does_not_fit_a_mutex_is_none(void **state)
{
	static const uint32_t odd[][5] = {
		{ 1, 0, 60, 1, 0 },	/* nobody is said to wait */
		{ 2, 0, 61, 1, 0 },	/* no thread of the process */
		{ 2, 0, 0, 1, 0 },
		{ 2, 0, 60, 0, 0 },	/* no user */
		{ 2, 0, 60, 4, 0 },	/* more than there are threads */
		{ 2, 0, 60, 1, 0x4000 },
	};
	uint32_t words[5] = { 2, 0, 60, 1, 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(odd); i++) {
		memcpy(words, odd[i], sizeof(words));
		assert_int_equal(lock_of(words, 0x80, 2).lock, LOCK_NONE);
	}
	memcpy(words, (uint32_t[]){ 2, 0, 60, 1, 0 }, sizeof(words));
	assert_int_equal(lock_of(words, 0x80, 3).lock, LOCK_NONE);
	assert_int_equal(lock_of(words, 0x81, 2).lock, LOCK_NONE);
}

static void
an_owner_in_the_word_itself_is_told(void **state)
{
	uint32_t words[5] = { 0x80000000u | 70 };

	(void)state;
	assert_int_equal(lock_of(words, 0x86, 0).lock, LOCK_OWNED);
	assert_int_equal(lock_of(words, 0x86, 0).owner, 70);
	assert_int_equal(lock_of(words, 0x80, words[0]).owner, 70);
	/* The word has changed since. */
	assert_int_equal(lock_of(words, 0x80, 7).lock, LOCK_NONE);
	words[0] = 70;
	assert_int_equal(lock_of(words, 0x86, 0).lock, LOCK_NONE);
	words[0] = 0x80000000u | 71;
	assert_int_equal(lock_of(words, 0x86, 0).lock, LOCK_NONE);
}

/* --- sockets */

static void
sockets_are_named_with_their_other_end(void **state)
{
	static const char tcp[] =
		"   1: 0100007F:1CDF 0200000A:C8B4 01 00000000:00000000 "
		"00:00000000 00000000  1000        0 4711 1 0000 20 4 30 10 -1";
	static const char listener[] =
		"   0: 00000000:1CDF 00000000:0000 0A 00000000:00000000 "
		"00:00000000 00000000     0        0 4712 1 0000 100 0 0 10 0";
	static const char tcp6[] =
		"   0: 00000000000000000000000001000000:0050 "
		"00000000000000000000000000000000:0000 0A 00000000:00000000 "
		"00:00000000 00000000     0        0 4713 1 0000 100 0 0 10 0";
	static const char local[] =
		"0000000000000000: 00000003 00000000 00000000 0001 03 4714 "
		"/run/a b.sock\n";
	char text[100];

	(void)state;
	assert_true(sockets_parse("tcp", tcp, 4711, text, sizeof(text)));
	assert_string_equal(text, "tcp 127.0.0.1:7391 to 10.0.0.2:51380");
	assert_false(sockets_parse("tcp", tcp, 1000, text, sizeof(text)));
	assert_true(sockets_parse("tcp", listener, 4712, text, sizeof(text)));
	assert_string_equal(text, "tcp 0.0.0.0:7391, listening");
	assert_true(sockets_parse("tcp6", tcp6, 4713, text, sizeof(text)));
	assert_string_equal(text, "tcp [::1]:80, listening");
	assert_true(sockets_parse("unix", local, 4714, text, sizeof(text)));
	assert_string_equal(text, "unix /run/a b.sock");
	assert_false(sockets_parse("tcp", "sl local_address", 1, text,
				   sizeof(text)));
}

/* --- words */

static const char *
words_of(const struct wait *wait, char state)
{
	static char text[300];

	return wait_text(wait, state, text, sizeof(text));
}

static void
a_wait_is_said_in_words(void **state)
{
	struct wait wait = { .line = { .place = PLACE_CALL,
				       .number = SYS_futex },
			     .call = call_find(SYS_futex), .address = 0x7f10 };

	(void)state;
	assert_string_equal(words_of(&wait, 'S'), "futex at 0x7f10");
	wait.lock = LOCK_MUTEX;
	wait.owner = 60;
	wait.has_limit = true;
	wait.limit_ns = 1500000000;
	assert_string_equal(words_of(&wait, 'S'), "futex at 0x7f10, a lock of "
			    "thread 60, at most 1.5 s");
	assert_string_equal(words_of(&wait, 'T'), "stopped by a signal");
	wait = (struct wait){ .line.place = PLACE_CALL,
			      .call = call_find(SYS_epoll_pwait), .nfds = 9,
			      .fds = { 4, 5, 6, 7 } };
	assert_string_equal(words_of(&wait, 'S'), "epoll_pwait on 9 "
			    "descriptors (4, 5, 6, 7, ...)");
	wait = (struct wait){ .line.place = PLACE_CALL,
			      .call = call_find(SYS_read), .nfds = 1,
			      .fds = { 3 }, .subject = "pipe 12" };
	assert_string_equal(words_of(&wait, 'S'), "read on fd 3, pipe 12");
	wait = (struct wait){ .line.place = PLACE_CALL,
			      .call = call_find(SYS_wait4),
			      .is_for_child = true };
	assert_string_equal(words_of(&wait, 'S'), "wait4 for any child");
	wait = (struct wait){ .line = { .place = PLACE_CALL, .number = 9999 } };
	assert_string_equal(words_of(&wait, 'S'), "system call 9999");
	wait = (struct wait){ .line.place = PLACE_RUNNING };
	assert_string_equal(words_of(&wait, 'R'), "running");
}

static void
times_have_the_unit_that_fits(void **state)
{
	char text[32];

	(void)state;
	assert_string_equal(wait_time_text(400000, text, 32), "400 us");
	assert_string_equal(wait_time_text(100000000, text, 32), "100 ms");
	assert_string_equal(wait_time_text(271000000000, text, 32), "271 s");
	assert_string_equal(wait_time_text(3600000000000, text, 32), "60 min");
}

static void
switches_are_found_in_the_status(void **state)
{
	struct thread_counts counts = { .voluntary = 0 };

	(void)state;
	assert_true(thread_counts_parse("Name:\tx\n"
					"voluntary_ctxt_switches:\t123\n"
					"nonvoluntary_ctxt_switches:\t45\n",
					&counts));
	assert_int_equal(counts.voluntary, 123);
	assert_int_equal(counts.involuntary, 45);
	assert_false(thread_counts_parse("Name:\tx\n", &counts));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_of_a_call_has_arguments_and_registers),
		cmocka_unit_test(no_call_is_in_the_table_twice),
		cmocka_unit_test(a_mutex_tells_its_owner),
		cmocka_unit_test(what_does_not_fit_a_mutex_is_none),
		cmocka_unit_test(an_owner_in_the_word_itself_is_told),
		cmocka_unit_test(sockets_are_named_with_their_other_end),
		cmocka_unit_test(a_wait_is_said_in_words),
		cmocka_unit_test(times_have_the_unit_that_fits),
		cmocka_unit_test(switches_are_found_in_the_status),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
