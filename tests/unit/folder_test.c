/* SPDX-License-Identifier: MIT */
/*
 * folder_test.c - what is listed of a folder, and what never is.
 */
#include "app/folder.h"

#include <fcntl.h>
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

static char *
path_in(const char *folder, const char *name)
{
	static _Thread_local char path[512];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static void
make(const char *folder, const char *name)
{
	int fd = open(path_in(folder, name), O_WRONLY | O_CREAT, 0600);

	assert_true(fd >= 0);
	close(fd);
}

static int
set_up(void **state)
{
	static const char *const files[] = {
		"alpha.folded", "alphabet.folded", ".hidden", ".hut",
		"bad\x1b[2J", "bad\nline", "bad\xff", "\u00e4.x", "\u00e5.x",
	};
	char *folder = strdup("/tmp/flametop-folder-XXXXXX");

	assert_non_null(mkdtemp(folder));
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		make(folder, files[i]);
	mkdir(path_in(folder, "alps"), 0700);
	mkfifo(path_in(folder, "alpipe"), 0600);
	assert_int_equal(symlink("alps", path_in(folder, "alink")), 0);
	assert_int_equal(symlink("nowhere", path_in(folder, "aloft")), 0);
	*state = folder;
	return 0;
}

static int
tear_down(void **state)
{
	char command[600];

	snprintf(command, sizeof(command), "rm -rf '%s'", (char *)*state);
	free(*state);
	return system(command);
}

/* NAMES of FOLDER that begin with START, joined by blanks. */
static void
expect(const char *folder, const char *start, const char *names,
       const char *common)
{
	struct error err;
	struct folder *list = folder_list(folder, start, &err);
	char text[1024] = "";

	assert_non_null(list);
	for (size_t i = 0; i < list->count; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 "%s%s", i ? " " : "", list->names[i]);
	assert_string_equal(text, names);
	assert_string_equal(list->common, common);
	assert_int_equal(list->total, list->count);
	assert_false(list->is_cut);
	folder_free(list);
}

static void
files_and_folders_are_listed_in_order(void **state)
{
	expect(*state, "al", "alink/ alpha.folded alphabet.folded alps/", "al");
	expect(*state, "alpha", "alpha.folded alphabet.folded", "alpha");
	expect(*state, "alps", "alps/", "alps/");
	expect(*state, "none", "", "");
}

static void
hidden_ones_only_when_their_dot_is_typed(void **state)
{
	expect(*state, ".", ".hidden .hut", ".h");
	expect(*state, "", "alink/ alpha.folded alphabet.folded alps/ "
			   "\u00e4.x \u00e5.x", "");
}

static void
what_cannot_be_opened_or_typed_is_left_out(void **state)
{
	expect(*state, "alp", "alpha.folded alphabet.folded alps/", "alp");
	expect(*state, "alo", "", "");
	expect(*state, "bad", "", "");
}

static void
a_pipe_is_no_folder_and_is_not_waited_for(void **state)
{
	struct error err;

	assert_null(folder_list(path_in(*state, "alpipe"), "", &err));
	assert_non_null(strstr(err.text, "cannot list"));
	assert_null(folder_list("", "", &err));
	assert_null(folder_list("/no/such", "", &err));
}

static void
only_the_first_of_many_are_kept(void **state)
{
	struct folder *list;
	struct error err;
	char name[32];

	for (int i = 999; i >= 0; i--) {
		snprintf(name, sizeof(name), "m%03d", i * 7 % 1000);
		make(*state, name);
	}
	list = folder_list(*state, "m", &err);
	assert_int_equal(list->total, 1000);
	assert_int_equal(list->count, FOLDER_LISTED);
	assert_string_equal(list->names[0], "m000");
	assert_string_equal(list->names[FOLDER_LISTED - 1], "m199");
	assert_string_equal(list->common, "m");
	folder_free(list);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(files_and_folders_are_listed_in_order),
		CASE(hidden_ones_only_when_their_dot_is_typed),
		CASE(what_cannot_be_opened_or_typed_is_left_out),
		CASE(a_pipe_is_no_folder_and_is_not_waited_for),
		CASE(only_the_first_of_many_are_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
