/* SPDX-License-Identifier: MIT */
/*
 * folded_write_test.c - profiles to folded stacks, and back to the same.
 */
#include "formats/folded.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct write_options whole = { .header = true, .threads = true };
static const struct write_options bare = { 0 };

static char *
write_text(struct profile *profile, const struct write_options *options)
{
	struct names *names = names_new(profile);
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);
	struct error err;

	assert_true(format_folded.write(out, profile, names, options, &err));
	fclose(out);
	names_free(names);
	return text;
}

/* What TEXT is after it was read and written again. */
static char *
rewrite(const char *text, const struct write_options *options)
{
	struct profile *profile = profile_new();
	struct read_report report;
	struct error err;
	char *again;

	if (!format_read(text, strlen(text), profile, &report, &err))
		print_error("%s\n", err.text);
	again = write_text(profile, options);
	profile_free(profile);
	return again;
}

static void
assert_written(struct profile *profile, const struct write_options *options,
	       const char *expected)
{
	char *text = write_text(profile, options);

	assert_string_equal(text, expected);
	free(text);
}

static string_id
add_string(struct profile *profile, const char *text)
{
	return strings_add(profile_strings(profile), text, strlen(text));
}

static stack_id
push(struct profile *profile, stack_id parent, const char *name,
     enum frame_kind kind)
{
	struct frame frame = { .kind = kind,
			       .name = add_string(profile, name) };

	return profile_push(profile, parent, profile_frame(profile, &frame));
}

/* Count a stack of two frames of plain code. */
static void
count_two(struct profile *profile, const char *outer, const char *inner,
	  uint64_t weight)
{
	stack_id stack = push(profile, 0, outer, FRAME_CODE);
	struct cell cell = { .weight = weight };

	cell.stack = push(profile, stack, inner, FRAME_CODE);
	profile_add(profile, 0, &cell);
}

static void
lines_are_sorted_bytewise_and_merged(void **state)
{
	struct profile *profile = profile_new();

	(void)state;
	count_two(profile, "b", "x", 1);
	count_two(profile, "a", "x", 2);
	count_two(profile, "a b", "x", 3);
	count_two(profile, "b", "x", 4);
	count_two(profile, "a", "x 4", 5);
	count_two(profile, "a", "x", 0);
	assert_written(profile, &bare,
		       "a b;x 3\na;x 2\na;x 4 5\nb;x 5\n");
	profile_free(profile);
}

static void
stacks_that_read_the_same_are_one_line(void **state)
{
	struct profile *profile = profile_new();

	(void)state;
	count_two(profile, "a;b", "x ", 1);
	count_two(profile, "a:b", "x", 2);
	assert_written(profile, &bare, "a:b;x 3\n");
	profile_free(profile);
}

static void
names_that_would_break_a_line_are_mended(void **state)
{
	struct profile *profile = profile_new();

	(void)state;
	count_two(profile, " ", "   ", 1);
	count_two(profile, "new\nline", "tab\t", 2);
	count_two(profile, "#include", "%", 3);
	assert_written(profile, &bare,
		       "%23include;% 3\n-;- 1\nnew?line;tab? 2\n");
	profile_free(profile);
}

static void
kinds_become_suffixes(void **state)
{
	struct profile *profile = profile_new();
	stack_id stack = push(profile, 0, "java", FRAME_CODE);
	struct cell cell = { .weight = 7 };

	(void)state;
	stack = push(profile, stack, "Foo.bar", FRAME_JIT);
	stack = push(profile, stack, "get", FRAME_INLINED);
	stack = push(profile, stack, "vfs_read", FRAME_KERNEL);
	cell.stack = push(profile, stack, "[cut]", FRAME_NOTE);
	profile_add(profile, 0, &cell);
	assert_written(profile, &bare,
		       "java;Foo.bar_[j];get_[i];vfs_read_[k];[cut] 7\n");
	profile_free(profile);
}

static void
frames_without_a_symbol_are_module_and_offset(void **state)
{
	struct profile *profile = profile_new();
	struct module module = { .kind = MODULE_LIBRARY };
	struct frame frame = { .offset = 0x2724a };
	struct cell cell = { .weight = 7 };

	(void)state;
	module.path = add_string(profile, "/usr/lib/libc.so.6");
	frame.module = profile_module(profile, &module);
	cell.stack = profile_push(profile, 0, profile_frame(profile, &frame));
	profile_add(profile, 0, &cell);
	assert_written(profile, &bare, "libc.so.6+0x2724a 7\n");
	profile_free(profile);
}

/* Two threads of one name, one of another, and a count of none. */
static struct profile *
with_threads(void)
{
	static const char *const names[] = { "pool 1", "pool 1", "main" };
	struct profile *profile = profile_new();
	struct cell cell = { .stack = push(profile, 0, "run", FRAME_CODE) };
	int i;

	for (i = 0; i < 3; i++) {
		cell.thread = profile_thread(profile, 7, 7 + i, 1);
		profile_name_thread(profile, cell.thread,
				    add_string(profile, names[i]));
		cell.weight = 1 << i;
		profile_add(profile, 0, &cell);
	}
	cell.thread = 0;
	cell.weight = 8;
	profile_add(profile, 0, &cell);
	return profile;
}

static void
threads_are_outermost_frames_merged_by_name(void **state)
{
	struct profile *profile = with_threads();

	(void)state;
	assert_written(profile, &whole,
		       "# flametop: v1\n# roots=thread\n"
		       "-;run 8\nmain;run 4\npool 1;run 3\n");
	profile_free(profile);
}

static void
threads_can_be_left_out(void **state)
{
	struct profile *profile = with_threads();

	(void)state;
	assert_written(profile, &bare, "run 15\n");
	profile_free(profile);
}

static void
stacks_without_a_frame_are_kept(void **state)
{
	struct profile *profile = with_threads();
	struct cell cell = { .weight = 5, .thread = 3 };

	(void)state;
	profile_add(profile, 0, &cell);
	assert_written(profile, &whole,
		       "# flametop: v1\n# roots=thread\n"
		       "-;run 8\nmain 5\nmain;run 4\npool 1;run 3\n");
	assert_written(profile, &bare, "[no stack] 5\nrun 15\n");
	profile_free(profile);
}

static void
one_file_holds_one_kind(void **state)
{
	struct write_options options = { .header = true,
					 .kind = KIND_BLOCKED };
	struct profile *profile = profile_new();
	struct cell cell = { .kind = KIND_BLOCKED, .weight = 9 };
	char *again;

	(void)state;
	count_two(profile, "a", "b", 1);
	cell.stack = push(profile, 0, "wait", FRAME_CODE);
	profile_add(profile, 0, &cell);
	assert_written(profile, &options,
		       "# flametop: v1\n# kind=blocked\nwait 9\n");
	again = rewrite("# flametop: v1\n# kind=blocked\nwait 9\n", &options);
	assert_string_equal(again, "# flametop: v1\n# kind=blocked\nwait 9\n");
	free(again);
	profile_free(profile);
}

static void
header_lines_are_sorted_and_never_end_in_a_number(void **state)
{
	struct profile *profile = profile_new();

	(void)state;
	profile_set(profile, "comm", "wrk 1");
	profile_set(profile, "tag.b", "50% of\t2");
	profile_set(profile, "duration", "60");
	profile_losses(profile)->samples = 3;
	profile_losses(profile)->cut = 1;
	count_two(profile, "a", "b", 3);
	assert_written(profile, &whole,
		       "# flametop: v1\n# comm=wrk%201\n# cut=1\n"
		       "# duration=60\n# guessed=0\n# late=0\n# lost=0\n"
		       "# samples=3\n# tag.b=50%25%20of%092\n# throttled=0\n"
		       "# unresolved=0\na;b 3\n");
	profile_free(profile);
}

static void
our_own_file_is_written_as_it_was_read(void **state)
{
	char text[4096] = "", *again;
	FILE *file = fopen("tests/fixtures/ours.folded", "rb");

	(void)state;
	assert_non_null(file);
	assert_true(fread(text, 1, sizeof(text) - 1, file) > 0);
	fclose(file);
	again = rewrite(text, &whole);
	assert_string_equal(again, text);
	free(again);
}

static void
names_that_end_in_a_number_come_back(void **state)
{
	static const char text[] = "# flametop: v1\na;port 80 60\nb;c 4 3\n";
	char *again = rewrite(text, &whole);

	(void)state;
	assert_string_equal(again, text);
	free(again);
}

static void
threads_that_count_nothing_are_no_reason_for_roots(void **state)
{
	char *again = rewrite("# flametop: v1\n# roots=thread\nmain;a 0\n",
			      &whole);

	(void)state;
	assert_string_equal(again, "# flametop: v1\n");
	free(again);
}

static void
a_full_disk_is_told(void **state)
{
	struct profile *profile = with_threads();
	struct names *names = names_new(profile);
	FILE *full = fopen("/dev/full", "w");
	struct error err;

	(void)state;
	assert_non_null(full);
	assert_false(format_folded.write(full, profile, names, &whole, &err));
	assert_non_null(strstr(err.text, "No space"));
	fclose(full);
	names_free(names);
	profile_free(profile);
}

/* --- random profiles */

static uint32_t
next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

/* Names that invite every mistake in splitting, escaping and sorting. */
static const char *
random_name(uint32_t *seed)
{
	static const char *const names[] = {
		"a",	     "a b",	   "a;b",	"#a",	   "%a",
		"%23a",	     "port 80",	   "80",	" a",	   "a ",
		"_[k]",	     "a_[k]",	   "[cut]",	"[empty]", "-",
		"",	     "    ",	   "a_[j]_[i]", "a\\x1b",  "{main}",
		"g\xc3\xb6", "[no stack]", "a+0x1",	"<xml>",   "1.5",
	};

	return names[next_random(seed) % ARRAY_LEN(names)];
}

static struct profile *
random_profile(uint32_t seed)
{
	struct profile *profile = profile_new();
	uint32_t count = next_random(&seed) % 40, depth, i;

	profile_set(profile, "comm", random_name(&seed));
	for (i = 0; i < count; i++) {
		struct cell cell = { .weight = next_random(&seed) % 1000 };

		if (next_random(&seed) % 4)
			cell.thread = profile_thread(
				profile, 7, (pid_t)(next_random(&seed) % 5), 1);
		if (cell.thread)
			profile_name_thread(profile, cell.thread,
				add_string(profile, random_name(&seed)));
		for (depth = next_random(&seed) % 6; depth; depth--)
			cell.stack = push(profile, cell.stack,
					  random_name(&seed),
					  next_random(&seed) % 4);
		profile_add(profile, i * 1000000000ull, &cell);
	}
	return profile;
}

static void
assert_sorted(char *text)
{
	char *line, *last = NULL;

	while ((line = strsep(&text, "\n"))) {
		if (*line && *line != '#') {
			assert_true(!last || strcmp(last, line) < 0);
			last = line;
		}
	}
}

static void
random_profiles_are_written_as_they_were_read(void **state)
{
	uint32_t seed;

	(void)state;
	for (seed = 1; seed <= 500; seed++) {
		struct write_options options = { .header = true,
						 .threads = seed % 3 };
		struct profile *profile = random_profile(seed);
		char *text = write_text(profile, &options);
		char *again = rewrite(text, &options);

		assert_string_equal(text, again);
		assert_sorted(text);
		free(text);
		free(again);
		profile_free(profile);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_sorted_bytewise_and_merged),
		cmocka_unit_test(stacks_that_read_the_same_are_one_line),
		cmocka_unit_test(names_that_would_break_a_line_are_mended),
		cmocka_unit_test(kinds_become_suffixes),
		cmocka_unit_test(frames_without_a_symbol_are_module_and_offset),
		cmocka_unit_test(threads_are_outermost_frames_merged_by_name),
		cmocka_unit_test(threads_can_be_left_out),
		cmocka_unit_test(stacks_without_a_frame_are_kept),
		cmocka_unit_test(one_file_holds_one_kind),
		cmocka_unit_test(
			header_lines_are_sorted_and_never_end_in_a_number),
		cmocka_unit_test(our_own_file_is_written_as_it_was_read),
		cmocka_unit_test(names_that_end_in_a_number_come_back),
		cmocka_unit_test(
			threads_that_count_nothing_are_no_reason_for_roots),
		cmocka_unit_test(a_full_disk_is_told),
		cmocka_unit_test(random_profiles_are_written_as_they_were_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
