/* SPDX-License-Identifier: MIT */
/*
 * folded_ours_test.c - what our own folded files say beside stacks and counts.
 */
#include "tests/unit/folded_load.h"

static void
suffixes_are_kinds_and_no_part_of_the_name(void **state)
{
	struct loaded in = load("suffixes");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(kind_of(&in, "inlined"), FRAME_INLINED);
	assert_int_equal(kind_of(&in, "Foo.bar"), FRAME_JIT);
	assert_int_equal(kind_of(&in, "Foo.baz_[0]"), FRAME_CODE);
	assert_int_equal(kind_of(&in, "[unknown]"), FRAME_NOTE);
	/* The kernel's read and the program's are two. */
	assert_int_equal(in.report.duplicates, 0);
	assert_int_equal(profile_stacks(in.profile), 8);
	unload(&in);
}

static void
our_header_is_restored(void **state)
{
	struct loaded in = load("ours");

	(void)state;
	assert_true(in.ok);
	assert_string_equal(profile_get(in.profile, "comm"), "my server 42");
	assert_string_equal(profile_get(in.profile, "tag.version"), "1.4%beta");
	assert_int_equal(profile_losses(in.profile)->samples, 26);
	assert_int_equal(profile_losses(in.profile)->lost, 2);
	assert_int_equal(profile_losses(in.profile)->cut, 1);
	assert_int_equal(in.report.ignored, 0);
	unload(&in);
}

static void
our_outermost_frames_are_threads_again(void **state)
{
	struct loaded in = load("ours");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(weight_of(&in, "main > main > port 80 60"), 3);
	assert_int_equal(weight_of(&in, "# worker > main > parse"), 12);
	assert_int_equal(profile_threads(in.profile), 4);
	assert_int_equal(profile_get_thread(in.profile, 1)->pid, 4242);
	assert_int_equal(kind_of(&in, "[cut]"), FRAME_NOTE);
	unload(&in);
}

static void
a_hostile_header_does_no_harm(void **state)
{
	struct loaded in = load_text(
		"# flametop: v1\n# =x\n# lost=-5\n# pid=1e99\n# roots=thread\n"
		"# samples=99999999999999999999999\n# scale=1e999\n#\n"
		"# KEY=x\n# kind=none\n# comm=%1b[2J%\n# a b=c\n# x\n;; 5\n 6\n");

	(void)state;
	assert_true(in.ok);
	assert_string_equal(profile_get(in.profile, "comm"), "\\x1b[2J%");
	assert_null(profile_get(in.profile, "KEY"));
	assert_int_equal(weight_of(&in, "-"), 11);
	unload(&in);
}

static void
a_file_of_a_later_version_is_read_and_told(void **state)
{
	static const char *const texts[] = { "# flametop: v2\na;b 1\n",
					     "# flametop: v11\na;b 1\n",
					     "# flametop: v1\na;b 1\n",
					     "# flametop: v1\r\na;b 1\r\n" };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_LEN(texts); i++) {
		struct loaded in = load_text(texts[i]);

		assert_true(in.ok);
		assert_int_equal(strstr(in.report.note, "newer") != NULL,
				 i < 2);
		unload(&in);
	}
}

static void
an_own_file_without_a_stack_is_an_empty_profile(void **state)
{
	struct loaded in = load_text("# flametop: v1\n# comm=idle\n");

	(void)state;
	assert_true(in.ok);
	assert_int_equal(total(&in), 0);
	assert_string_equal(profile_get(in.profile, "comm"), "idle");
	unload(&in);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(suffixes_are_kinds_and_no_part_of_the_name),
		cmocka_unit_test(our_header_is_restored),
		cmocka_unit_test(our_outermost_frames_are_threads_again),
		cmocka_unit_test(a_hostile_header_does_no_harm),
		cmocka_unit_test(a_file_of_a_later_version_is_read_and_told),
		cmocka_unit_test(
			an_own_file_without_a_stack_is_an_empty_profile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
