/* SPDX-License-Identifier: MIT */
#include "app/save.h"

#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

struct place {
	char folder[64];
	char path[128];
	struct profile *profile;
	struct names *names;
};

static void
add_stack(struct profile *profile, unsigned i)
{
	char name[128];
	int len = snprintf(name, sizeof(name), "function_number_%u_%0100u", i,
			   i);
	struct frame frame = {
		.name = strings_add(profile_strings(profile), name,
				    (size_t)len),
	};
	struct cell cell = { .kind = KIND_CPU, .weight = 1 };

	cell.stack = profile_push(profile, 0, profile_frame(profile, &frame));
	profile_add(profile, 0, &cell);
}

static int
set_up(void **state)
{
	struct place *place = calloc(1, sizeof(*place));

	strcpy(place->folder, "/tmp/flametop-save-XXXXXX");
	if (!mkdtemp(place->folder))
		return -1;
	snprintf(place->path, sizeof(place->path), "%s/x.folded",
		 place->folder);
	place->profile = profile_new();
	place->names = names_new(place->profile);
	for (unsigned i = 0; i < 2000; i++)
		add_stack(place->profile, i);
	*state = place;
	return 0;
}

static int
tear_down(void **state)
{
	struct place *place = *state;

	unlink(place->path);
	rmdir(place->folder);
	names_free(place->names);
	profile_free(place->profile);
	free(place);
	return 0;
}

static bool
save(struct place *place, bool is_forced, struct error *err)
{
	struct save_options options = {
		.write = { .header = true, .threads = true },
		.is_forced = is_forced,
	};

	err->text[0] = '\0';
	return save_profile(place->path, place->profile, place->names,
			    &options, err);
}

/* How many files there are: nothing may stay beside the goal. */
static unsigned
count_files(const char *folder)
{
	DIR *dir = opendir(folder);
	unsigned count = 0;

	assert_non_null(dir);
	for (struct dirent *entry; (entry = readdir(dir));)
		count += strcmp(entry->d_name, ".") != 0 &&
			 strcmp(entry->d_name, "..") != 0;
	closedir(dir);
	return count;
}

static void
write_old(struct place *place)
{
	FILE *file = fopen(place->path, "w");

	assert_non_null(file);
	fputs("old", file);
	fclose(file);
}

static void
expect_old(struct place *place)
{
	char text[8] = "";
	FILE *file = fopen(place->path, "r");

	assert_non_null(file);
	assert_non_null(fgets(text, sizeof(text), file));
	assert_string_equal(text, "old");
	fclose(file);
}

static void
a_saved_file_is_ours_alone(void **state)
{
	struct place *place = *state;
	struct error err;
	struct stat st;

	assert_true(save(place, false, &err));
	assert_int_equal(stat(place->path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_true(st.st_size > 200000);
	assert_int_equal(count_files(place->folder), 1);
}

static void
a_file_that_exists_stays_unless_forced(void **state)
{
	struct place *place = *state;
	struct error err;

	write_old(place);
	assert_false(save(place, false, &err));
	assert_non_null(strstr(err.text, "--force"));
	expect_old(place);
	assert_int_equal(count_files(place->folder), 1);
	assert_true(save(place, true, &err));
	assert_int_equal(count_files(place->folder), 1);
}

/* Not the link, and not what it points to. */
static void
a_link_is_left_alone_even_when_forced(void **state)
{
	struct place *place = *state;
	char other[192];
	struct error err;
	struct stat st;

	snprintf(other, sizeof(other), "%s/other", place->folder);
	assert_int_equal(symlink(other, place->path), 0);
	assert_false(save(place, false, &err));
	assert_false(save(place, true, &err));
	assert_non_null(strstr(err.text, "is a link"));
	assert_int_equal(lstat(place->path, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(access(other, F_OK), -1);
	assert_int_equal(count_files(place->folder), 1);
}

/* As root, a file could take the name of /dev/null. */
static void
only_a_file_gives_way_to_force(void **state)
{
	struct place *place = *state;
	struct error err;
	struct stat st;

	assert_int_equal(mkfifo(place->path, 0600), 0);
	assert_false(save_permitted(place->path, true, &err));
	assert_false(save(place, true, &err));
	assert_non_null(strstr(err.text, "is a pipe"));
	assert_int_equal(lstat(place->path, &st), 0);
	assert_true(S_ISFIFO(st.st_mode));
	assert_int_equal(count_files(place->folder), 1);
}

static void
a_name_of_another_format_is_refused(void **state)
{
	struct place *place = *state;
	struct error err;

	memcpy(strrchr(place->path, '.'), ".png", 5);
	assert_false(save_permitted(place->path, true, &err));
	assert_false(save(place, true, &err));
	assert_non_null(strstr(err.text, ".folded"));
	assert_int_equal(count_files(place->folder), 0);
}

static void
what_would_be_refused_is_known_before(void **state)
{
	struct place *place = *state;
	char path[160];
	struct error err;

	assert_true(save_permitted("-", false, &err));
	assert_true(save_permitted(place->path, false, &err));
	write_old(place);
	assert_false(save_permitted(place->path, false, &err));
	assert_true(save_permitted(place->path, true, &err));
	expect_old(place);
	snprintf(path, sizeof(path), "%s/nothing/x", place->folder);
	assert_false(save_permitted(path, false, &err));
	assert_int_equal(err.errnum, ENOENT);
}

/* In a child, whose limits die with it. */
static void
a_size_limit_leaves_the_old_file(void **state)
{
	struct place *place = *state;
	int status;
	pid_t pid;

	write_old(place);
	pid = fork();
	if (pid == 0) {
		struct rlimit limit = { 10000, 10000 };
		struct error err;

		setrlimit(RLIMIT_FSIZE, &limit);
		_exit(!save(place, true, &err) && err.errnum == EFBIG ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	expect_old(place);
	assert_int_equal(count_files(place->folder), 1);
}

static void
a_full_disk_leaves_the_old_file(void **state)
{
	struct place *place = *state;
	struct error err;
	bool was_saved;

	if (geteuid() != 0 || mount("tmpfs", place->folder, "tmpfs", 0,
				    "size=64k") != 0)
		skip();
	write_old(place);
	was_saved = save(place, true, &err);
	expect_old(place);
	assert_int_equal(count_files(place->folder), 1);
	unlink(place->path);
	umount(place->folder);
	assert_false(was_saved);
	assert_int_equal(err.errnum, ENOSPC);
}

static void
a_folder_that_is_not_there_is_named(void **state)
{
	struct place *place = *state;
	struct error err;

	strcpy(place->path, "/nowhere/at/all.folded");
	assert_false(save(place, false, &err));
	assert_non_null(strstr(err.text, "/nowhere/at"));
	strcpy(place->path, "/tmp/");
	assert_false(save(place, false, &err));
}

static void
names_offered_are_harmless(void **state)
{
	struct place *place = *state;
	char name[160];

	profile_set(place->profile, "comm", "../a b/;c");
	profile_set(place->profile, "pid", "42");
	save_name(place->profile, name, sizeof(name));
	assert_int_equal(strncmp(name, "_._a_b__c-42-", 13), 0);
	assert_null(strchr(name, '/'));
}

static void
a_rescued_profile_lies_in_the_state_folder(void **state)
{
	struct place *place = *state;
	char path[256], made[128];
	struct error err;
	struct stat st;

	setenv("XDG_STATE_HOME", place->folder, 1);
	assert_true(save_rescue(place->profile, place->names, path,
				sizeof(path), &err));
	snprintf(made, sizeof(made), "%s/flametop", place->folder);
	assert_int_equal(stat(made, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(made), 0);
}

#define WITH_PLACE(test) cmocka_unit_test_setup_teardown(test, set_up, \
							 tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_PLACE(a_saved_file_is_ours_alone),
		WITH_PLACE(a_file_that_exists_stays_unless_forced),
		WITH_PLACE(a_link_is_left_alone_even_when_forced),
		WITH_PLACE(only_a_file_gives_way_to_force),
		WITH_PLACE(a_name_of_another_format_is_refused),
		WITH_PLACE(what_would_be_refused_is_known_before),
		WITH_PLACE(a_size_limit_leaves_the_old_file),
		WITH_PLACE(a_full_disk_leaves_the_old_file),
		WITH_PLACE(a_folder_that_is_not_there_is_named),
		WITH_PLACE(names_offered_are_harmless),
		WITH_PLACE(a_rescued_profile_lies_in_the_state_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
