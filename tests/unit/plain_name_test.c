/* SPDX-License-Identifier: MIT */
/*
 * plain_name_test.c - what two builds of a program call the same function.
 */
#include "core/plain_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void
assert_plain(const char *name, const char *expected)
{
	char *plain = plain_name(name, false);

	assert_string_equal(plain, expected);
	free(plain);
}

static void
assert_without_templates(const char *name, const char *expected)
{
	char *plain = plain_name(name, true);

	assert_string_equal(plain, expected);
	free(plain);
}

static void
hashes_of_rust_go(void **state)
{
	(void)state;
	assert_plain("core::fmt::write::h0123456789abcdef",
		     "core::fmt::write");
	assert_plain("hash::h0123", "hash::h0123");
	assert_plain("::h0123456789abcdef", "::h0123456789abcdef");
}

static void
copies_of_a_compiler_are_the_function(void **state)
{
	(void)state;
	assert_plain("copy.constprop.0", "copy");
	assert_plain("copy.isra.12.part.3", "copy");
	assert_plain("copy.cold", "copy");
	assert_plain("copy.part.0.cold.1", "copy");
	assert_plain("copy.llvm.8675309", "copy");
	assert_plain("ns::copy(int) [clone .constprop.0]", "ns::copy(int)");
	assert_plain("ns::copy(int) [clone .isra.0] [clone .cold]",
		     "ns::copy(int)");
	assert_plain("main.partial", "main.partial");
	assert_plain("runtime.cold_start", "runtime.cold_start");
	assert_plain(".cold", ".cold");
	assert_plain("main.main.func1", "main.main.func1");
}

static void
lambdas_lose_their_numbers(void **state)
{
	(void)state;
	assert_plain("f()::{lambda(int)#2}::operator()(int) const",
		     "f()::{lambda(int)#}::operator()(int) const");
	assert_plain("krate::f::{closure#3}", "krate::f::{closure#}");
	assert_plain("f()::'lambda0'(int)", "f()::'lambda'(int)");
	assert_plain("A$$Lambda$12/0x00007f01.run", "A$$Lambda$.run");
	assert_plain("A$$Lambda/0x00007f01.run", "A$$Lambda.run");
	assert_plain("sun.reflect.GeneratedMethodAccessor17.invoke",
		     "sun.reflect.GeneratedMethodAccessor.invoke");
	assert_plain("issue #12", "issue #12");
}

static void
addresses_lose_their_digits(void **state)
{
	(void)state;
	assert_plain("libz.so.1+0x1203", "libz.so.1+0x...");
	assert_plain("0x7f00c0de", "0x...");
	assert_plain("f(0x1, 0x2)", "f(0x..., 0x...)");
	assert_plain("libz.so.1+0x...", "libz.so.1+0x...");
	assert_plain("max0x12", "max0x12");
	assert_plain("0x", "0x");
}

static void
scripts_lose_their_folder(void **state)
{
	(void)state;
	assert_plain("py::Job.run:/srv/releases/7/app.py", "py::Job.run:app.py");
	assert_plain("py::<module>:app.py", "py::<module>:app.py");
	assert_plain("run /srv/releases/7/app.js:12:3", "run app.js:12:3");
	assert_plain("operator/(path const&)", "operator/(path const&)");
	assert_plain("net/http.(*conn).serve", "net/http.(*conn).serve");
}

static void
a_semicolon_is_what_a_file_makes_of_it(void **state)
{
	(void)state;
	assert_plain("[T; N]::fill", "[T: N]::fill");
}

static void
templates_are_emptied_when_asked_for(void **state)
{
	(void)state;
	assert_plain("std::map<int, char>::find(int)",
		     "std::map<int, char>::find(int)");
	assert_without_templates("std::map<int, std::pair<a, b> >::find(int)",
				 "std::map<>::find(int)");
	assert_without_templates("a<b>::c<d>::e", "a<>::c<>::e");
	assert_without_templates("main.Sum[go.shape.int]", "main.Sum[]");
	assert_without_templates("ns::operator<(a<b>, c)",
				 "ns::operator<(a<>, c)");
	assert_without_templates("ns::p<x>::operator->() const",
				 "ns::p<>::operator->() const");
	assert_without_templates("operator<< <char>", "operator<< <>");
	assert_without_templates("f<fn(a) -> b>", "f<>");
	assert_without_templates("a<b", "a<b");
	assert_without_templates("a>b", "a>b");
	assert_without_templates("[cut]", "[cut]");
	assert_without_templates("<unknown>", "<unknown>");
	assert_without_templates("", "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hashes_of_rust_go),
		cmocka_unit_test(copies_of_a_compiler_are_the_function),
		cmocka_unit_test(lambdas_lose_their_numbers),
		cmocka_unit_test(addresses_lose_their_digits),
		cmocka_unit_test(scripts_lose_their_folder),
		cmocka_unit_test(a_semicolon_is_what_a_file_makes_of_it),
		cmocka_unit_test(templates_are_emptied_when_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
