/* SPDX-License-Identifier: MIT */
#include "core/hue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* Of a function of KIND in a module of MODULE's kind. */
static enum hue
hue(enum frame_kind kind, enum module_kind module, bool is_named)
{
	struct profile *profile = profile_new();
	struct module file = { .kind = module, .inode = 7 };
	struct func func = { .kind = kind, .is_named = is_named };
	enum hue hue;

	if (module != MODULE_NONE)
		func.module = profile_module(profile, &file);
	hue = hue_of(profile, &func);
	profile_free(profile);
	return hue;
}

static void
the_frame_tells_its_hue_and_else_the_module(void **state)
{
	(void)state;
	assert_int_equal(hue(FRAME_CODE, MODULE_NONE, true), HUE_PROGRAM);
	assert_int_equal(hue(FRAME_CODE, MODULE_PROGRAM, true), HUE_PROGRAM);
	assert_int_equal(hue(FRAME_INLINED, MODULE_LIBRARY, true),
			 HUE_LIBRARY);
	assert_int_equal(hue(FRAME_CODE, MODULE_VDSO, true), HUE_LIBRARY);
	assert_int_equal(hue(FRAME_CODE, MODULE_KERNEL, true), HUE_KERNEL);
	assert_int_equal(hue(FRAME_CODE, MODULE_JIT, true), HUE_JIT);
	assert_int_equal(hue(FRAME_KERNEL, MODULE_NONE, false), HUE_KERNEL);
	assert_int_equal(hue(FRAME_JIT, MODULE_NONE, true), HUE_JIT);
	assert_int_equal(hue(FRAME_THREAD, MODULE_NONE, true), HUE_THREAD);
	assert_int_equal(hue(FRAME_NOTE, MODULE_NONE, true), HUE_UNKNOWN);
	assert_int_equal(hue(FRAME_CODE, MODULE_LIBRARY, false), HUE_UNKNOWN);
}

static void
names_have_all_shades_and_each_its_own(void **state)
{
	unsigned counts[HUE_SHADES] = { 0 };
	char name[16];

	(void)state;
	for (int i = 0; i < 400; i++) {
		snprintf(name, sizeof(name), "f%d", i);
		assert_true(hue_shade(name) < HUE_SHADES);
		assert_int_equal(hue_shade(name), hue_shade(name));
		counts[hue_shade(name)]++;
	}
	for (int i = 0; i < HUE_SHADES; i++)
		assert_true(counts[i] > 50);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_frame_tells_its_hue_and_else_the_module),
		cmocka_unit_test(names_have_all_shades_and_each_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
