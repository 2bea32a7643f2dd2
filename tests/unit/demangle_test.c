/* SPDX-License-Identifier: MIT */
/*
 * demangle_test.c - names as linkers know them, and as people do.
 */
#include "symbols/demangle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"

#include <cmocka.h>

struct pair {
	const char *mangled, *plain;	/* NULL: stays as it is */
};

static void
expect_all(const struct pair *pairs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char *plain = demangle(pairs[i].mangled);

		if (pairs[i].plain) {
			assert_non_null(plain);
			assert_string_equal(plain, pairs[i].plain);
		} else {
			assert_null(plain);
		}
		free(plain);
	}
}

static void
cplusplus_names_get_their_parameters(void **state)
{
	static const struct pair pairs[] = {
		{ "_ZN3foo3barEi", "foo::bar(int)" },
		{ "_Z1fv", "f()" },
		{ "_ZNSt6vectorIiSaIiEE9push_backERKi",
		  "std::vector<int, std::allocator<int> >::push_back("
		  "int const&)" },
		{ "_ZZ4mainENKUlvE_clEv",
		  "main::{lambda()#1}::operator()() const" },
		{ "_ZTv0_n24_N1AD1Ev", "virtual thunk to A::~A()" },
	};

	(void)state;
	expect_all(pairs, ARRAY_LEN(pairs));
}

static void
suffixes_of_clones_stay_readable(void **state)
{
	static const struct pair pairs[] = {
		{ "_ZN3foo3barEi.isra.0", "foo::bar(int) [clone .isra.0]" },
		{ "_ZN3foo3barEi.cold", "foo::bar(int) [clone .cold]" },
		{ "_ZN3foo3barEi.llvm.8213443113216722871", "foo::bar(int)" },
		{ "parse.part.0", NULL },
		{ "parse.llvm.8213443113216722871", "parse" },
		{ "parse.llvm.12x", NULL },
		{ "parse.constprop.0.cold", NULL },
	};

	(void)state;
	expect_all(pairs, ARRAY_LEN(pairs));
}

static void
rust_names_lose_their_hash(void **state)
{
	static const struct pair pairs[] = {
		{ "_ZN4core3fmt5write17h0123456789abcdefE",
		  "core::fmt::write" },
		{ "_ZN4core3fmt5write17h0123456789abcdefE.llvm.42",
		  "core::fmt::write" },
		{ "_ZN5alloc3vec12Vec$LT$T$GT$4push17h0123456789abcdefE",
		  "alloc::vec::Vec<T>::push" },
		{ "_ZN3app4main28_$u7b$$u7b$closure$u7d$$u7d$"
		  "17h0123456789abcdefE", "app::main::{{closure}}" },
		{ "_ZN4core3fmt5write17h0123456789abcdefE.cold",
		  "core::fmt::write [clone .cold]" },
		{ "_RNvC7mycrate3foo.cold.1", "mycrate::foo [clone .cold.1]" },
		{ "_RNvC7mycrate3foo", "mycrate::foo" },
		{ "_RNvCs1234_7mycrate3foo", "mycrate::foo" },
		{ "_RNCNvC3app4main0B3_", "app::main::{closure#0}" },
		{ "_RNvC03foo", "::foo" },	/* a crate without a name */
	};

	(void)state;
	expect_all(pairs, ARRAY_LEN(pairs));
}

static void
ocaml_names_read_like_paths(void **state)
{
	static const struct pair pairs[] = {
		{ "camlOc__fib_81", "Oc.fib" },
		{ "camlStdlib__List__map_345", "Stdlib.List.map" },
		{ "camlStdlib__List.map_345", "Stdlib.List.map" },
		{ "camlOc__helper$27_88", "Oc.helper'" },
		{ "camlOc__$3e$3e$3d_90", "Oc.>>=" },
		{ "camlOc__fun_167", "Oc.fun_167" },
		{ "camlOc__entry", "Oc.entry" },
		{ "camlOc__do_it_2x", "Oc.do_it_2x" },
		{ "caml_alloc_small_dispatch", NULL },
		{ "camlOc", NULL },
		{ "camlOc__$00_1", NULL },
	};

	(void)state;
	expect_all(pairs, ARRAY_LEN(pairs));
}

static void
names_of_d_have_their_module(void **state)
{
	static const struct pair pairs[] = {
		{ "_D3app4Grid4stepMFiZv", "app.Grid.step" },
		{ "_D3app__T3addTiZ3addFiZi", "app.add!(...)" },
		{ "_D99999999999999999999a", NULL },
		{ "_D3ap", NULL },
		{ "_Dmain", "D main" },
		{ "_D", NULL },
		{ "_Dnonsense", NULL },
	};

	(void)state;
	expect_all(pairs, ARRAY_LEN(pairs));
}

static void
other_names_stay(void **state)
{
	static const struct pair pairs[] = {
		{ "", NULL },
		{ "_", NULL },
		{ "_Z", NULL },
		{ "_R", NULL },
		{ "_Znonsense", NULL },
		{ "_Rnonsense", NULL },
		{ "main", NULL },
		{ "main.(*T).M", NULL },
		{ "JS:*fib /srv/_ZN1a.js:1:2", NULL },
		{ "\x1b[31m\xff", NULL },
	};

	(void)state;
	expect_all(pairs, ARRAY_LEN(pairs));
}

/* PREFIX, then PART again and again, LEN bytes in all; the caller frees. */
static char *
repeated(const char *prefix, const char *part, size_t len)
{
	char *name = xcalloc(len + 1, 1);
	size_t at = strlen(prefix), step = strlen(part);

	memcpy(name, prefix, at);
	for (; at + step <= len; at += step)
		memcpy(name + at, part, step);
	return name;
}

static void
hostile_names_end_in_time_and_room(void **state)
{
	static const char *const parts[] = {
		"1aN", "P", "1aI", "dp", "S_", "S0_", "M1a", "F", "X", "L_Z",
		"IS_", "DpT_", "cv", "1aIS_S_E", "nx", "J", "T", "B_", "INt",
		"TB0_B0_", "NvC1a", "Y", "M", "RR", "K", "U1aI", "fL0p_",
		"Z1aE",
	};
	static const char *const prefixes[] = {
		"_ZN", "_Z1f", "_Z1fI", "_R", "_RNv", "_RIC1a", "_RMC1a",
		"_RINvC1a1b", "_ZZ", "_ZTA",
	};
	static const size_t lengths[] = { 100, 1000, 4096, 100000, 1000000 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		for (size_t j = 0; j < ARRAY_LEN(prefixes); j++) {
			for (size_t k = 0; k < ARRAY_LEN(lengths); k++) {
				char *name = repeated(prefixes[j], parts[i],
						      lengths[k]);
				char *plain = demangle(name);

				assert_true(!plain || strlen(plain) <=
							      DEMANGLE_OUT_MAX);
				free(plain);
				free(name);
			}
		}
	}
}

/* Each pair doubles what the substitution before it stands for. */
static void
a_name_that_would_fill_the_memory_stays(void **state)
{
	char name[512] = "_Z1fSt4pairIiiE";
	char *plain;

	(void)state;
	for (int i = 0; i < 30; i++) {
		char digit = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[i];

		snprintf(name + strlen(name), sizeof(name) - strlen(name),
			 "S_IS%c_S%c_E", digit, digit);
	}
	plain = demangle(name);
	assert_null(plain);
}

static void
long_names_of_honest_templates_are_read(void **state)
{
	char name[2048] = "_Z1f";
	char *plain;

	(void)state;
	for (int i = 0; i < 150; i++)
		strcat(name, "St6vectorIiE");
	plain = demangle(name);
	assert_non_null(plain);
	assert_memory_equal(plain, "f(std::vector<int>, ", 20);
	free(plain);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cplusplus_names_get_their_parameters),
		cmocka_unit_test(suffixes_of_clones_stay_readable),
		cmocka_unit_test(rust_names_lose_their_hash),
		cmocka_unit_test(ocaml_names_read_like_paths),
		cmocka_unit_test(names_of_d_have_their_module),
		cmocka_unit_test(other_names_stay),
		cmocka_unit_test(hostile_names_end_in_time_and_room),
		cmocka_unit_test(a_name_that_would_fill_the_memory_stays),
		cmocka_unit_test(long_names_of_honest_templates_are_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
