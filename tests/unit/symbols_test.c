/* SPDX-License-Identifier: MIT */
/*
 * symbols_test.c - descriptors in, names out, on files made for it.
 */
#include "tests/unit/symbols_ask.h"

#include <sys/auxv.h>
#include <sys/mman.h>

/* What the shell COMMAND prints, as a hexadecimal number. */
static uint64_t
number_from(const char *command)
{
	unsigned long number = 0;
	FILE *in = popen(command, "r");

	if (fscanf(in, "%lx", &number) != 1)
		fail_msg("no number from: %s", command);
	pclose(in);
	return number;
}

static void
expect_names(const char *compile)
{
	char command[512];
	struct symbols *symbols;
	uint64_t work, other;

	write_file("prog.c", program);
	snprintf(command, sizeof(command), "%s -o prog prog.c", compile);
	run(command);
	work = offset_of("prog", "work");
	other = offset_of("prog", "other");
	symbols = opened("prog", NULL);
	expect(symbols, work, "work", work);
	expect(symbols, other + 1, "other", other);
	symbols_free(symbols);
}

static void
segments_of_any_layout_lead_to_the_name(void **state)
{
	(void)state;
	expect_names("cc");
	expect_names("cc -no-pie");
	expect_names("cc -static");
	expect_names("cc -Wl,-z,max-page-size=0x200000");
	expect_names("cc -Wl,-z,noseparate-code");
	expect_names("cc -no-pie -Wl,-Ttext-segment=0x10000000");
	expect_names("cc -shared -fPIC -Wl,-Ttext-segment=0x34fd200000");
	expect_names("cc -pie -Wl,--section-start=.text=0x7654000");
}

static void
segments_of_other_linkers_too(void **state)
{
	bool has_any = false;

	(void)state;
	if (can_run("clang --version") && can_run("ld.lld --version")) {
		has_any = true;
		expect_names("clang -fuse-ld=lld");
		expect_names("clang -fuse-ld=lld -no-pie");
		expect_names("clang -fuse-ld=lld -Wl,--no-rosegment");
	}
	if (can_run("mold --version")) {
		has_any = true;
		expect_names("cc -B/usr/libexec/mold");
	}
	if (!has_any)
		skip();
}

static void
a_stripped_function_is_told_by_its_unwind_entry(void **state)
{
	struct symbols *symbols;
	struct debug_hint hint;
	uint64_t work, other;

	(void)state;
	write_file("prog.c", program);
	run("cc -O2 -o full prog.c && strip -o prog full");
	work = offset_of("full", "work");
	other = offset_of("full", "other");
	symbols = opened("prog", &hint);
	expect(symbols, work + 1, "", work);
	expect(symbols, other, "", other);
	assert_true(hint.is_wanted);
	assert_int_equal(strlen(hint.build_id), 40);
	assert_int_equal(strspn(hint.build_id, "0123456789abcdef"), 40);
	assert_string_equal(hint.debuglink, "");
	symbols_free(symbols);
}

static bool
add_debug(struct symbols *symbols, const char *file, struct error *err)
{
	struct debug_hint ignored;

	return symbols_add_debug(symbols, MODULE, open_file(file), &ignored,
				 err);
}

static void
a_debug_file_with_the_build_id_names_and_lines(void **state)
{
	struct symbols *symbols;
	struct error err;
	uint64_t work;

	(void)state;
	write_file("prog.c", program);
	run("cc -g -o full prog.c && objcopy --only-keep-debug full debug && "
	    "strip -o prog full && cc -g -DX -O2 -o another prog.c");
	work = offset_of("full", "work");
	symbols = opened("prog", NULL);
	expect(symbols, work, "", work);
	assert_int_equal(line_of(symbols, work), 0);
	assert_false(add_debug(symbols, "another", &err));
	assert_non_null(strstr(err.text, "another build id"));
	expect(symbols, work, "", work);
	assert_true(add_debug(symbols, "debug", &err));
	expect(symbols, work + 3, "work", work);
	assert_int_equal(line_of(symbols, work), 1);
	assert_null(symbols_trouble(symbols, MODULE));
	symbols_free(symbols);
}

static void
without_build_ids_the_checksum_decides(void **state)
{
	struct symbols *symbols;
	struct debug_hint hint;
	struct error err;
	uint64_t work;

	(void)state;
	write_file("prog.c", program);
	run("cc -Wl,--build-id=none -g -o full prog.c && "
	    "objcopy --only-keep-debug full prog.debug && "
	    "strip -o prog full && objcopy --add-gnu-debuglink=prog.debug prog "
	    "&& { cat prog.debug; echo; } > changed");
	work = offset_of("full", "work");
	symbols = opened("prog", &hint);
	assert_string_equal(hint.debuglink, "prog.debug");
	assert_string_equal(hint.build_id, "");
	assert_false(add_debug(symbols, "changed", &err));
	assert_non_null(strstr(err.text, "checksum"));
	assert_true(add_debug(symbols, "prog.debug", &err));
	expect(symbols, work, "work", work);
	symbols_free(symbols);
}

/* The name is changed in place, so that the file stays as sound as it was. */
static void
a_debuglink_that_is_a_path_is_not_told(void **state)
{
	struct debug_hint hint;

	(void)state;
	write_file("prog.c", program);
	run("cc -o prog prog.c && touch aaXXbb && "
	    "objcopy --add-gnu-debuglink=aaXXbb prog && "
	    "sed -i 's,aaXXbb,../xbb,' prog");
	symbols_free(opened("prog", &hint));
	assert_string_equal(hint.debuglink, "");
}

static void
versions_are_dropped_and_names_are_demangled(void **state)
{
	struct symbols *symbols;
	uint64_t old, new, plus;

	(void)state;
	write_file("lib.c",
		   "int f_old(int x) { return x + 1; }\n"
		   "int f_new(int x) { return x + 2; }\n"
		   "int plus(int x) __asm__(\"_ZN2my4plusEi\");\n"
		   "int plus(int x) { return x + 3; }\n"
		   "__asm__(\".symver f_old,fn@V1\");\n"
		   "__asm__(\".symver f_new,fn@@V2\");\n");
	write_file("map", "V1 { global: fn; _Z*; local: f_*; };\n"
			  "V2 { global: fn; } V1;\n");
	run("cc -shared -fPIC -o lib.so lib.c -Wl,--version-script=map");
	old = offset_of("lib.so", "fn@V1");
	new = offset_of("lib.so", "fn@@V2");
	plus = offset_of("lib.so", "_ZN2my4plusEi");
	symbols = opened("lib.so", NULL);
	expect(symbols, old, "fn", old);
	expect(symbols, new, "fn", new);
	expect(symbols, plus, "my::plus(int)", plus);
	symbols_free(symbols);
}

static void
stubs_are_named_after_what_they_call(void **state)
{
	struct symbols *symbols;
	uint64_t plt;

	(void)state;
	write_file("calls.c", "#include <stdlib.h>\n#include <stdio.h>\n"
			      "int main(int c, char **v) {"
			      " return puts(v[0]) + abs(c) + rand(); }\n");
	run("cc -no-pie -fcf-protection=none -Wl,-z,lazy -o prog calls.c");
	plt = number_from("objdump -d -F prog | sed -n "
			  "'s/.*<puts@plt> (File Offset: \\(.*\\)):$/\\1/p'");
	symbols = opened("prog", NULL);
	expect(symbols, plt + 3, "puts@plt", plt);
	symbols_free(symbols);
}

static void
the_vdso_has_names(void **state)
{
	struct symbols *symbols = symbols_new();
	const uint8_t *image = (const uint8_t *)getauxval(AT_SYSINFO_EHDR);
	int fd = memfd_create("vdso", MFD_CLOEXEC);
	struct debug_hint hint;
	bool found = false;

	(void)state;
	if (!image)
		skip();
	assert_int_equal(write(fd, image, 4096), 4096);
	if (write(fd, image + 4096, 4096) < 0)
		print_message("one page\n");
	assert_true(symbols_open(symbols, MODULE, MODULE_VDSO, fd, &hint,
				 NULL));
	for (uint64_t at = 0; at < 8192; at += 16)
		found |= strstr(ask(symbols, at).name, "clock_gettime") != NULL;
	assert_true(found);
	symbols_free(symbols);
}

static void
a_perf_map_is_read_on_when_it_is_opened_again(void **state)
{
	struct symbols *symbols = symbols_new();
	struct debug_hint hint = { 0 };

	(void)state;
	write_file("map", "1000 10 one\n");
	assert_true(symbols_open(symbols, MODULE, MODULE_JIT, open_file("map"),
				 &hint, NULL));
	expect(symbols, 0x1008, "one", 0x1000);
	write_file("map", "1000 10 one\n2000 10 _ZN3jit2fnEv\n");
	assert_true(symbols_open(symbols, MODULE, MODULE_JIT, open_file("map"),
				 &hint, NULL));
	expect(symbols, 0x1008, "one", 0x1000);
	expect(symbols, 0x2000, "jit::fn()", 0x2000);
	assert_false(hint.is_wanted);
	symbols_free(symbols);
}

/* As after the end of a symbols process: the picture has version 5 already. */
static void
versions_of_a_perf_map_go_on_from_where_they_were(void **state)
{
	struct symbols *symbols = symbols_new();
	struct debug_hint hint = { .version = 5 };
	uint64_t now = (uint64_t)5 << 48;

	(void)state;
	write_file("map", "1000 10 one\n");
	assert_true(symbols_open(symbols, MODULE, MODULE_JIT, open_file("map"),
				 &hint, NULL));
	assert_int_equal(hint.version, 5);
	expect(symbols, now | 0x1008, "one", 0x1000);
	write_file("map", "1000 10 one\n1000 10 two\n");
	assert_true(symbols_open(symbols, MODULE, MODULE_JIT, open_file("map"),
				 &hint, NULL));
	assert_int_equal(hint.version, 6);
	expect(symbols, now | 0x1008, "one", 0x1000);
	now = (uint64_t)6 << 48;
	expect(symbols, now | 0x1008, "two", now | 0x1000);
	symbols_free(symbols);
}

static void
the_kernel_is_a_list(void **state)
{
	struct symbols *symbols = symbols_new();
	struct debug_hint hint;
	struct error err;

	(void)state;
	write_file("kallsyms", "ffffffff81000000 T one\n"
			       "ffffffff81000010 t two\t[mod]\n");
	assert_true(symbols_open(symbols, MODULE, MODULE_KERNEL,
				 open_file("kallsyms"), &hint, NULL));
	expect(symbols, 0xffffffff8100000f, "one", 0xffffffff81000000);
	expect(symbols, 0xffffffff81000012, "two", 0xffffffff81000010);
	write_file("kallsyms", "0000000000000000 T one\n");
	assert_false(symbols_open(symbols, MODULE, MODULE_KERNEL,
				  open_file("kallsyms"), &hint, &err));
	expect(symbols, 0xffffffff8100000f, NULL, 0);
	symbols_free(symbols);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(segments_of_any_layout_lead_to_the_name),
		cmocka_unit_test(segments_of_other_linkers_too),
		cmocka_unit_test(
			a_stripped_function_is_told_by_its_unwind_entry),
		cmocka_unit_test(
			a_debug_file_with_the_build_id_names_and_lines),
		cmocka_unit_test(without_build_ids_the_checksum_decides),
		cmocka_unit_test(a_debuglink_that_is_a_path_is_not_told),
		cmocka_unit_test(versions_are_dropped_and_names_are_demangled),
		cmocka_unit_test(stubs_are_named_after_what_they_call),
		cmocka_unit_test(the_vdso_has_names),
		cmocka_unit_test(a_perf_map_is_read_on_when_it_is_opened_again),
		cmocka_unit_test(
			versions_of_a_perf_map_go_on_from_where_they_were),
		cmocka_unit_test(the_kernel_is_a_list),
	};

	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
