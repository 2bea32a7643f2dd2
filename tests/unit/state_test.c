/* SPDX-License-Identifier: MIT */
/*
 * state_test.c - what was typed, from one session to the next.
 */
#include "app/state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

struct place {
	char folder[64], made[96], path[128];
	struct opener *opener;
	struct history commands, searches;
};

static int
set_up(void **state)
{
	struct place *p = calloc(1, sizeof(*p));

	strcpy(p->folder, "/tmp/flametop-state-XXXXXX");
	if (!mkdtemp(p->folder))
		return -1;
	snprintf(p->made, sizeof(p->made), "%s/flametop", p->folder);
	snprintf(p->path, sizeof(p->path), "%s/history", p->made);
	setenv("XDG_STATE_HOME", p->folder, 1);
	p->opener = opener_new();
	*state = p;
	return 0;
}

static void
forget(struct place *p)
{
	history_fini(&p->commands);
	history_fini(&p->searches);
}

static int
tear_down(void **state)
{
	struct place *p = *state;
	char command[128];

	forget(p);
	opener_free(p->opener);
	snprintf(command, sizeof(command), "rm -rf '%s'", p->folder);
	free(p);
	return system(command);
}

static void
keep(struct place *p)
{
	state_keep(p->opener, &p->commands, &p->searches);
}

static void
recall(struct place *p)
{
	forget(p);
	state_recall(p->opener, &p->commands, &p->searches);
}

static void
expect_file(const struct place *p, const char *wanted)
{
	FILE *file = fopen(p->path, "r");
	char text[512];

	assert_non_null(file);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	assert_string_equal(text, wanted);
}

static void
write_file(const struct place *p, const char *text, size_t len)
{
	FILE *file;

	mkdir(p->made, 0700);
	file = fopen(p->path, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, len, file), len);
	fclose(file);
}

static void
what_was_typed_is_there_the_next_time(void **state)
{
	struct place *p = *state;
	struct stat st;

	recall(p);
	assert_int_equal(p->commands.count, 0);
	assert_int_not_equal(stat(p->made, &st), 0);	/* nothing is made */
	history_add(&p->commands, "focus=a");
	history_add(&p->searches, "^mem");
	keep(p);
	assert_int_equal(stat(p->made, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	assert_int_equal(stat(p->path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	expect_file(p, ":focus=a\n/^mem\n");
	recall(p);
	assert_string_equal(p->commands.lines[0], "focus=a");
	assert_string_equal(p->searches.lines[0], "^mem");
	assert_int_equal(p->commands.fresh, 0);
}

/* Two sessions at a time: neither takes the other's lines away. */
static void
other_sessions_lines_stay(void **state)
{
	struct place *p = *state;

	history_add(&p->commands, "one");
	keep(p);
	forget(p);
	history_add(&p->commands, "two");
	history_add(&p->searches, "x");
	keep(p);
	expect_file(p, ":one\n:two\n/x\n");
	keep(p);
	expect_file(p, ":one\n:two\n/x\n");
	recall(p);
	keep(p);	/* nothing is fresh */
	expect_file(p, ":one\n:two\n/x\n");
}

static void
no_more_than_a_prompt_goes_back_is_kept(void **state)
{
	struct place *p = *state;
	char line[16];

	for (int i = 0; i < 60; i++) {
		snprintf(line, sizeof(line), "%d", i);
		history_add(&p->commands, line);
	}
	keep(p);
	recall(p);
	assert_int_equal(p->commands.count, HISTORY_MAX);
	assert_string_equal(p->commands.lines[0], "10");
}

/* Anything may stand in a file: it is cleaned, or is no line of ours. */
static void
what_is_read_is_cleaned(void **state)
{
	static const char text[] =
		"junk\n:a\x1b[2Jb\n\n/\xff\n:\0x\n:good";
	struct place *p = *state;
	char *big = calloc(1, 1 << 20);

	write_file(p, text, sizeof(text) - 1);
	recall(p);
	assert_int_equal(p->commands.count, 1);
	assert_string_equal(p->commands.lines[0], "a\\x1b[2Jb");
	assert_int_equal(p->searches.count, 1);
	assert_string_equal(p->searches.lines[0], "\\xff");

	memset(big, 'x', 1 << 20);
	write_file(p, big, 1 << 20);
	recall(p);
	assert_int_equal(p->commands.count, 0);
	memset(big, ':', 5000);
	write_file(p, big, 5000);
	recall(p);
	assert_int_equal(p->commands.count, 0);
	free(big);
}

static void
what_is_no_file_of_ours_is_left_alone(void **state)
{
	struct place *p = *state;
	struct stat st;

	mkdir(p->made, 0700);
	assert_int_equal(symlink("/dev/null", p->path), 0);
	history_add(&p->commands, "a");
	keep(p);
	assert_int_equal(lstat(p->path, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	unlink(p->path);
	mkfifo(p->path, 0600);		/* is not waited for */
	recall(p);
	history_add(&p->commands, "a");
	keep(p);
	assert_int_equal(lstat(p->path, &st), 0);
	assert_true(S_ISFIFO(st.st_mode));
	unlink(p->path);
	if (geteuid() == 0) {		/* as under sudo, with our home */
		assert_int_equal(chown(p->made, 12345, 12345), 0);
		keep(p);
		assert_int_not_equal(lstat(p->path, &st), 0);
		write_file(p, ":theirs\n", 8);
		assert_int_equal(chown(p->path, 12345, 12345), 0);
		recall(p);
		assert_int_equal(p->commands.count, 0);
	}
}

static void
without_a_place_nothing_happens(void **state)
{
	struct place *p = *state;

	setenv("XDG_STATE_HOME", "/proc/no/such", 1);
	recall(p);
	history_add(&p->commands, "a");
	keep(p);
	recall(p);
	assert_int_equal(p->commands.count, 0);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(what_was_typed_is_there_the_next_time),
		CASE(other_sessions_lines_stay),
		CASE(no_more_than_a_prompt_goes_back_is_kept),
		CASE(what_is_read_is_cleaned),
		CASE(what_is_no_file_of_ours_is_left_alone),
		CASE(without_a_place_nothing_happens),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
