/* SPDX-License-Identifier: MIT */
/*
 * merge_test.c - profiles that are added up.
 */
#include "core/merge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "formats/format.h"

#include <cmocka.h>

static struct profile *
read_text(const char *text)
{
	struct profile *profile = profile_new();
	struct read_report report;

	assert_true(format_read(text, strlen(text), profile, &report, NULL));
	return profile;
}

/* TEXTS, up to NULL, added up and folded. */
static char *
merged(const char *const *texts, struct error *err)
{
	struct write_options options = { .header = true, .threads = true };
	struct profile *sum = profile_new();
	struct names *names;
	char *out = NULL;
	bool ok = true;
	size_t size;
	FILE *file;

	for (; ok && *texts; texts++) {
		struct profile *one = read_text(*texts);

		ok = merge_add(sum, one, err);
		profile_free(one);
	}
	if (ok) {
		names = names_new(sum);
		options.kind = profile_kind(sum);
		file = open_memstream(&out, &size);
		assert_true(format_folded.write(file, sum, names, &options,
						NULL));
		fclose(file);
		names_free(names);
	}
	profile_free(sum);
	return out;
}

static void
counts_of_equal_stacks_are_added(void **state)
{
	static const char *const texts[] = {
		"main;a 1\nmain;b_[k] 2\n", "main;b_[k] 3\nmain;c 4\n",
		"main;a 5\n", NULL,
	};
	char *text = merged(texts, NULL);

	(void)state;
	assert_string_equal(text, "# flametop: v1\nmain;a 6\nmain;b_[k] 5\n"
			    "main;c 4\n");
	free(text);
}

static void
one_profile_stays_as_it_is(void **state)
{
	static const char *const texts[] = {
		"# flametop: v1\n# comm=x\n# kind=blocked\n# roots=thread\n"
		"w;main 7\n", NULL,
	};
	char *text = merged(texts, NULL);

	(void)state;
	assert_string_equal(text, texts[0]);
	free(text);
}

static void
threads_of_one_name_are_one(void **state)
{
	static const char *const texts[] = {
		"# flametop: v1\n# pid=1\n# roots=thread\nv;main 1\nw;main 2\n",
		"# flametop: v1\n# pid=1\n# roots=thread\nw;main 4\n", NULL,
	};
	char *text = merged(texts, NULL);

	(void)state;
	assert_string_equal(text, "# flametop: v1\n# pid=1\n# roots=thread\n"
			    "v;main 1\nw;main 6\n");
	free(text);
}

static void
what_differs_is_forgotten_and_times_and_losses_are_added(void **state)
{
	static const char *const texts[] = {
		"# flametop: v1\n# block.seconds=1\n# comm=x\n"
		"# duration=1.500\n# host=a\n"
		"# lost=1\n# samples=2\n# start=2024-01-02T03:04:06Z\na 2\n",
		"# flametop: v1\n# block.seconds=1\n# comm=x\n"
		"# duration=2.000\n# host=b\n"
		"# lost=4\n# samples=3\n# start=2024-01-02T03:04:05Z\na 3\n",
		NULL,
	};
	char *text = merged(texts, NULL);

	(void)state;
	assert_string_equal(text, "# flametop: v1\n# comm=x\n# cut=0\n"
			    "# duration=3.500\n# guessed=0\n# late=0\n"
			    "# lost=5\n# samples=5\n"
			    "# start=2024-01-02T03:04:05Z\n# throttled=0\n"
			    "# unresolved=0\na 5\n");
	free(text);
}

static void
different_things_are_not_added(void **state)
{
	static const char *const pairs[][3] = {
		{ "# flametop: v1\n# unit=bytes\na 2\n",
		  "# flametop: v1\n# unit=samples\na 2\n", NULL },
		{ "# flametop: v1\n# kind=blocked\na 2\n", "a 2\n", NULL },
		{ "a 1.5\n", "a 2\n", NULL },
	};
	struct error err;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(pairs); i++) {
		assert_null(merged(pairs[i], &err));
		assert_non_null(strstr(err.text, "cannot be added"));
	}
}

static void
code_stays_in_its_module(void **state)
{
	struct profile *sum = profile_new(), *one = profile_new();
	struct strings *strings = profile_strings(one);
	struct module module = { .kind = MODULE_LIBRARY };
	struct frame frame = { .offset = 0x1234 };
	struct cell cell = { .weight = 3 };
	const struct frame *moved;

	(void)state;
	module.path = strings_add(strings, "/lib/z.so", 9);
	frame.module = profile_module(one, &module);
	cell.stack = profile_push(one, 0, profile_frame(one, &frame));
	profile_add(one, 0, &cell);
	assert_true(merge_add(sum, one, NULL));
	assert_true(merge_add(sum, one, NULL));
	assert_int_equal(profile_frames(sum), 2);
	assert_int_equal(profile_total(sum, KIND_CPU), 6);
	moved = profile_get_frame(sum, 1);
	assert_int_equal(moved->offset, 0x1234);
	assert_string_equal(profile_text(sum, profile_get_module(
				    sum, moved->module)->path), "/lib/z.so");
	profile_free(one);
	profile_free(sum);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_of_equal_stacks_are_added),
		cmocka_unit_test(one_profile_stays_as_it_is),
		cmocka_unit_test(threads_of_one_name_are_one),
		cmocka_unit_test(
			what_differs_is_forgotten_and_times_and_losses_are_added),
		cmocka_unit_test(different_things_are_not_added),
		cmocka_unit_test(code_stays_in_its_module),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
