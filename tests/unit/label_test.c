/* SPDX-License-Identifier: MIT */
/*
 * label_test.c - names in few cells.
 */
#include "tui/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"

#include <cmocka.h>

static void
check(const char *name, int width, const char *expected)
{
	char out[4096];

	assert_string_equal(label_fit(out, sizeof(out), name, width, false),
			    expected);
}

static void
a_name_that_fits_stays_whole(void **state)
{
	(void)state;
	check("main", 4, "main");
	check("std::sort<int*>(int*, int*)", 27, "std::sort<int*>(int*, int*)");
	check("日本", 4, "日本");
}

static void
steps_come_in_their_order(void **state)
{
	const char *name = "ns::Map<int, Foo>::find(int const&) const";

	(void)state;
	check(name, 41, name);
	check(name, 40, "ns::Map<int, Foo>::find");
	check(name, 23, "ns::Map<int, Foo>::find");
	check(name, 22, "ns::Map<…>::find");
	check(name, 15, "Map<…>::find");
	check(name, 11, "find");
	check(name, 4, "find");
	check(name, 3, "fi…");
	check(name, 2, "");
	check(name, 0, "");
	check(name, -1, "");
}

static void
the_return_type_of_a_template_goes_with_the_arguments(void **state)
{
	const char *name = "unsigned long const& std::max<unsigned long>("
			   "unsigned long const&, unsigned long const&)";

	(void)state;
	check(name, 60, "std::max<unsigned long>");
	check(name, 20, "std::max<…>");
	check("bool foo::operator==<char>(A, B)", 24,
	      "foo::operator==<char>");
}

static void
javas_methods_lose_it_too(void **state)
{
	(void)state;
	check("int java.lang.String.hashCode()", 26,
	      "java.lang.String.hashCode");
	check("java.lang.Object java.util.HashMap.get(java.lang.Object)", 30,
	      "java.util.HashMap.get");
	check("unsigned long const* ns::find(int)", 30, "ns::find");
	check("virtual thunk to ns::A::run(int)", 30,
	      "virtual thunk to ns::A::run");
}

#define STRING "std::__cxx11::basic_string<char, std::char_traits<char>, " \
	       "std::allocator<char> >"

static void
what_the_library_adds_to_types_goes_first(void **state)
{
	(void)state;
	check(STRING, 79, STRING);
	check(STRING "::append(char const*)", 60,
	      "std::string::append(char const*)");
	check("std::vector<" STRING ", std::allocator<" STRING " > >::at()",
	      60, "std::vector<std::string>::at()");
	check("std::map<int, Foo, std::less<int>, std::allocator<std::pair<"
	      "int const, Foo> > >::find(int const&)", 50,
	      "std::map<int, Foo>::find(int const&)");
	check("std::__cxx11::regex_traits<char>::value(char, int) const", 50,
	      "std::regex_traits<char>::value(char, int) const");
	check("my::vector<int, std::allocator<int> more", 40,
	      "my::vector<int, std::allocator<int> more");
}

static void
operators_are_names(void **state)
{
	(void)state;
	check("Foo::operator()(int, int) const", 17, "Foo::operator()");
	check("Foo::operator()(int, int) const", 12, "operator()");
	check("a::operator<(A const&, B const&)", 16, "a::operator<");
	check("a::operator<(A const&, B const&)", 11, "operator<");
	check("ns::Ptr<int>::operator->() const", 28,
	      "ns::Ptr<int>::operator->");
	check("ns::Ptr<int>::operator->() const", 12, "operator->");
	check("std::operator<< <char>(int)", 24, "std::operator<< <char>");
	check("path::operator/(path const&)", 12, "operator/");
	check("Foo::operator bool() const", 20, "Foo::operator bool");
	check("Foo::operator bool() const", 13, "operator bool");
	check("operator new(unsigned long)", 14, "operator new");
}

static void
brackets_in_a_name_stay(void **state)
{
	(void)state;
	check("(anonymous namespace)::run(int)", 28,
	      "(anonymous namespace)::run");
	check("a::(anonymous namespace)::run(int)", 27,
	      "(anonymous namespace)::run");
	check("a::(anonymous namespace)::run(int)", 20, "run");
	check("main.(*Server).Serve", 19, "(*Server).Serve");
	check("main.(*Server).Serve", 14, "Serve");
	check("net/http.(*conn).serve", 21, "http.(*conn).serve");
	check("main.main.func1", 12, "main.func1");
	check("a::f<(Enum)1, (2>1)>(int)", 21, "a::f<(Enum)1, (2>1)>");
	check("a::f<(Enum)1, (2>1)>(int)", 12, "a::f<…>");
}

static void
lambdas_keep_the_function_they_are_in(void **state)
{
	const char *name = "ns::run(int)::{lambda(int)#1}::operator()(int) "
			   "const";

	(void)state;
	check(name, 30, "ns::run::{lambda#1}");
	check(name, 16, "run::{lambda#1}");
	check(name, 12, "run::{…da#1}");
	check("app::main::{{closure}}", 20, "main::{{closure}}");
}

static void
rust_names_lose_the_type_before_the_function(void **state)
{
	(void)state;
	check("<alloc::vec::Vec<T> as core::ops::Drop>::drop", 20,
	      "<…>::drop");
	check("<alloc::vec::Vec<T> as core::ops::Drop>::drop", 8, "drop");
	check("core::iter::sum::<u64>", 18, "iter::sum::<…>");
}

static void
java_and_python_names_are_split_at_dots(void **state)
{
	(void)state;
	check("java.util.HashMap.put", 18, "util.HashMap.put");
	check("java.util.HashMap.put", 11, "HashMap.put");
	check("java/util/HashMap.put", 12, "HashMap.put");
	check("a.b.Foo.<init>", 10, "Foo.<init>");
	check("String.format(Ljava/lang/String;)V", 20, "String.format");
	check("<module>", 5, "<mo…>");
	check("<lambda>", 7, "<lam…a>");
}

static void
files_and_offsets_are_no_namespaces(void **state)
{
	(void)state;
	check("handle /app/server.js:12:3", 20, "handle");
	check("JS:*handle /app/server.js:12:3", 20, "JS:*handle");
	check("LazyCompile:~parserOnHeaders net.js:49", 18,
	      "~parserOnHeaders");
	check("lists:map/2", 7, "map/2");
	check("run (app/main.py:12)", 10, "run");
	check("py::Server.run:/srv/app/main.py", 20, "py::Server.run");
	check("py::Server.run:/srv/app/main.py", 11, "Server.run");
	check("py::hash_rows:/srv/app/main.py", 8, "hash…ows");
	check("py::<module>:/srv/app/main.py", 13, "py::<module>");
	check("libc.so.6+0x2724a", 10, "libc.…724a");
	check("parse.isra.0", 10, "parse…ra.0");
	check("server.js:12", 11, "server…s:12");
	check("do_work.part.3.cold", 12, "do_wor….cold");
	check("read@@GLIBC_2.2.5", 9, "read@…2.5");
}

static void
ascii_has_a_sign_of_its_own(void **state)
{
	char out[64];

	(void)state;
	assert_string_equal(label_fit(out, sizeof(out), "a::f<int, long>", 9,
				      true), "a::f<~>");
	assert_string_equal(label_fit(out, sizeof(out), "abcdefgh", 5, true),
			    "abc~h");
}

static void
wide_characters_are_not_halved(void **state)
{
	(void)state;
	check("日本語の名前", 5, "日…前");
	check("日本語の名前", 4, "日…");
	check("日本語の名前", 3, "日…");
}

/* Pieces that names are made of, and that parsers trip over. */
static const char *const pieces[] = {
	"operator", "<", ">", "(", ")", "::", "->", "std", "a", "{lambda(",
	"#1}", "[", "]", "{", "}", ".", "/", " ", "const", "'", ":12", "日",
	"é", "e\xcc\x81", "func1", "isra", "+0x12", "&&", "\xff", "~", "$",
};

static void
any_name_keeps_its_width_and_something_to_see(void **state)
{
	char name[512], out[1024];

	(void)state;
	srand(4);
	for (int round = 0; round < 30000; round++) {
		int count = 1 + rand() % 24, width = rand() % 40;

		name[0] = '\0';
		for (int i = 0; i < count; i++)
			strcat(name, pieces[rand() % (int)ARRAY_LEN(pieces)]);
		label_fit(out, sizeof(out), name, width, round & 1);
		assert_true(text_width(out) <= (width > 0 ? width : 0));
		if (width >= 3)
			assert_true(out[0] != '\0');
		/* a small buffer is a bound, not a fault */
		label_fit(out, 8, name, width, false);
		assert_true(strlen(out) < 8);
	}
}

static void
a_monster_of_a_name_is_cut_all_the_same(void **state)
{
	size_t len = 60000;
	char *name = xcalloc(len + 1, 1), out[256];

	(void)state;
	memset(name, '<', len);
	label_fit(out, sizeof(out), name, 20, false);
	assert_int_equal(text_width(out), 20);
	for (size_t i = 0; i < len; i++)
		name[i] = "a("[i % 2];
	label_fit(out, sizeof(out), name, 20, false);
	assert_int_equal(text_width(out), 20);
	free(name);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_that_fits_stays_whole),
		cmocka_unit_test(steps_come_in_their_order),
		cmocka_unit_test(
			the_return_type_of_a_template_goes_with_the_arguments),
		cmocka_unit_test(javas_methods_lose_it_too),
		cmocka_unit_test(what_the_library_adds_to_types_goes_first),
		cmocka_unit_test(operators_are_names),
		cmocka_unit_test(brackets_in_a_name_stay),
		cmocka_unit_test(lambdas_keep_the_function_they_are_in),
		cmocka_unit_test(rust_names_lose_the_type_before_the_function),
		cmocka_unit_test(java_and_python_names_are_split_at_dots),
		cmocka_unit_test(files_and_offsets_are_no_namespaces),
		cmocka_unit_test(ascii_has_a_sign_of_its_own),
		cmocka_unit_test(wide_characters_are_not_halved),
		cmocka_unit_test(
			any_name_keeps_its_width_and_something_to_see),
		cmocka_unit_test(a_monster_of_a_name_is_cut_all_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
