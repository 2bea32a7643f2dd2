/* SPDX-License-Identifier: MIT */
/*
 * kallsyms_test.c - the kernel's list as it is printed.
 */
#include "symbols/kallsyms.h"

#include <string.h>

#include "tests/unit/built.h"

static struct ranges *
listed(const char *text, struct error *err)
{
	struct ranges *ranges = NULL;
	int fd;

	write_file("kallsyms", text);
	fd = open_file("kallsyms");
	kallsyms_read(fd, &ranges, err);
	close(fd);
	return ranges;
}

static void
expect(const struct ranges *ranges, uint64_t addr, const char *name)
{
	uint64_t start;
	const char *found = ranges_find(ranges, addr, &start);

	if (!name) {
		assert_null(found);
		return;
	}
	assert_non_null(found);
	assert_string_equal(found, name);
}

static void
functions_of_kernel_modules_and_bpf_have_names(void **state)
{
	struct error err;
	struct ranges *ranges = listed(
		"0000000000000000 A fixed_percpu_data\n"
		"ffffffff81000000 T _stext\n"
		"ffffffff81000000 T startup_64\n"
		"ffffffff81000040 T __pfx_do_one\n"
		"ffffffff81000050 t do_one\n"
		"ffffffff810000a0 W arch_weak\n"
		"ffffffff810000c0 D jiffies\n"
		"ffffffff82000000 T lonely\n"
		"ffffffffc0a11000 t ext4_readdir\t[ext4]\n"
		"ffffffffc0a11100 t ext4_lookup\t[ext4]\n"
		"ffffffffc0b00000 t bpf_prog_6deef7357e7b4530_sd\t[bpf]\n",
		&err);

	(void)state;
	assert_non_null(ranges);
	expect(ranges, 0xffffffff81000000, "startup_64");
	expect(ranges, 0xffffffff81000050, "do_one");
	expect(ranges, 0xffffffff8100009f, "do_one");
	expect(ranges, 0xffffffff810000a0, "arch_weak");
	expect(ranges, 0xffffffff810000c0, NULL);
	expect(ranges, 0xffffffff8200ffff, "lonely");
	expect(ranges, 0xffffffff82010000, NULL);
	expect(ranges, 0xffffffffc0a110ff, "ext4_readdir");
	expect(ranges, 0xffffffffc0b00010, "bpf_prog_6deef7357e7b4530_sd");
	ranges_free(ranges);
}

static void
hidden_addresses_are_a_refusal_that_says_so(void **state)
{
	struct error err;

	(void)state;
	assert_null(listed("0000000000000000 T _stext\n"
			   "0000000000000000 t do_one\n", &err));
	assert_non_null(strstr(err.text, "kptr_restrict"));
	assert_null(listed("", &err));
	assert_non_null(strstr(err.text, "no symbols"));
}

static void
lines_of_another_form_are_skipped(void **state)
{
	struct error err;
	struct ranges *ranges = listed("\n \nnothing\nffffffff81000000\n"
				       "ffffffff81000000 T\n"
				       "ffffffff81000000 T \n"
				       "ffffffff81000000 TT x\n"
				       "ffffffff81000010 t last", &err);

	(void)state;
	expect(ranges, 0xffffffff81000000, NULL);
	expect(ranges, 0xffffffff81000010, "last");
	ranges_free(ranges);
}

static void
this_kernel_is_read_or_refused(void **state)
{
	struct ranges *ranges = NULL;
	struct error err = { 0 };
	int fd = open("/proc/kallsyms", O_RDONLY);

	(void)state;
	if (fd < 0)
		skip();
	if (kallsyms_read(fd, &ranges, &err))
		assert_true(ranges_count(ranges) > 1000);
	else
		assert_int_not_equal(err.text[0], '\0');
	close(fd);
	ranges_free(ranges);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			functions_of_kernel_modules_and_bpf_have_names),
		cmocka_unit_test(hidden_addresses_are_a_refusal_that_says_so),
		cmocka_unit_test(lines_of_another_form_are_skipped),
		cmocka_unit_test(this_kernel_is_read_or_refused),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
