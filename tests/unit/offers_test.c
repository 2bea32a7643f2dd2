/* SPDX-License-Identifier: MIT */
/*
 * offers_test.c - Tab in a prompt: what is added, asked for and listed.
 */
#include "tui/offers.h"

#include "tests/unit/fake_screen.h"

/* The last N lines of an 80x24 screen. */
static void
expect_end(struct fake *fake, int n, const char *wanted)
{
	struct canvas *canvas = canvas_new(80, 24, false);
	struct scene scene = fake_scene(fake);
	char *dump, *at;

	tui_draw(fake->tui, &scene, canvas);
	dump = canvas_dump(canvas, false);
	at = dump + strlen(dump);
	for (int lines = 0; at > dump; at--)
		if (at[-1] == '\n' && at[0] && lines++ == n - 1)
			break;
	assert_string_equal(at, wanted);
	free(dump);
	canvas_free(canvas);
}

/* What Tab asks, and the answer: NAMES end in NULL. */
static void
answer(struct fake *fake, enum offer_kind kind, const char *typed, size_t keep,
       const char *common, const char *const *names)
{
	struct tui_request request = tui_request(fake->tui);
	struct tui_offer offer = {
		.kind = kind, .typed = typed, .keep = keep, .common = common,
		.names = names, .why = "there is none",
	};

	while (names[offer.count])
		offer.count++;
	offer.total = offer.count;
	assert_int_equal(request.action, ACTION_NONE);
	assert_int_equal(request.offer, kind);
	assert_string_equal(request.text, typed);
	tui_offer(fake->tui, &offer);
}

static const char *const one[] = { "before.folded", NULL };
static const char *const two[] = { "a.folded", "after/", NULL };
static const char *const none[] = { NULL };

static void
the_first_word_is_completed_here(void **state)
{
	struct fake *fake = *state;

	type(fake, ":sa\t");
	expect_end(fake, 1, ":save\n");
	type(fake, "\x15sea\t");
	expect_end(fake, 1, ":search\n");
	type(fake, "\t");
	expect_end(fake, 2, "search        search-word\n:search\n");
	type(fake, "\x15zz\t");
	expect_end(fake, 1, ":zz    no command begins so\n");
	assert_int_equal(tui_request(fake->tui).offer, OFFER_NOTHING);
}

static void
paths_are_asked_for(void **state)
{
	struct fake *fake = *state;

	type(fake, "O/tmp/b\t");
	answer(fake, OFFER_PATHS, "/tmp/b", 5, "before.folded", one);
	expect_end(fake, 1, "open: /tmp/before.folded\n");
	type(fake, "\t");
	answer(fake, OFFER_PATHS, "/tmp/before.folded", 5, "before.folded",
	       one);
	expect_end(fake, 1, "open: /tmp/before.folded    nothing more to "
			    "complete\n");
	type(fake, "\x15/tmp/a\t");
	answer(fake, OFFER_PATHS, "/tmp/a", 5, "a", two);
	expect_end(fake, 2, "a.folded      after/\nopen: /tmp/a\n");
	type(fake, "q\t");
	answer(fake, OFFER_PATHS, "/tmp/aq", 5, "", none);
	expect_end(fake, 1, "open: /tmp/aq    there is none\n");
}

static void
arguments_say_what_they_are(void **state)
{
	static const struct {
		const char *typed;
		enum offer_kind kind;
		const char *argument;
	} cases[] = {
		{ ":open x", OFFER_PATHS, "x" },
		{ ":save=x", OFFER_PATHS, "x" },
		{ ":base ~/", OFFER_PATHS, "~/" },
		{ ":theme d", OFFER_THEMES, "d" },
		{ ":set ", OFFER_SETTINGS, "" },
		{ ":focus x", OFFER_NOTHING, "" },
		{ "/x", OFFER_NOTHING, "" },
	};
	struct fake *fake = *state;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct tui_request request;

		type(fake, cases[i].typed);
		type(fake, "\t");
		request = tui_request(fake->tui);
		assert_int_equal(request.offer, cases[i].kind);
		assert_string_equal(request.text, cases[i].argument);
		press(fake, KEYS_ESCAPE);
	}
}

/* The answer may come when other things are typed, or nothing any more. */
static void
a_late_answer_changes_nothing(void **state)
{
	struct fake *fake = *state;

	type(fake, "Ob\tx");
	answer(fake, OFFER_PATHS, "b", 0, "before.folded", one);
	expect_end(fake, 1, "open: bx\n");
	type(fake, "\x15" "b\t");
	press(fake, KEYS_ESCAPE);
	answer(fake, OFFER_PATHS, "b", 0, "before.folded", one);
	type(fake, ":b");
	expect_end(fake, 1, ":b\n");
}

static void
what_does_not_fit_is_counted(void **state)
{
	struct canvas *canvas = canvas_new(30, 3, false);
	static const char *const many[] = { "aa", "bb", "cc", "dd", "ee" };
	struct offers offers = { 0 };
	char *dump;

	(void)state;
	offers_set(&offers, many, 5, 9);
	canvas_clear(canvas);
	offers_draw(&offers, canvas, (struct rect){ 0, 1, 30, 2 });
	dump = canvas_dump(canvas, false);
	assert_string_equal(dump, "\naa            bb\ncc            "
				  "and 6 more\n");
	free(dump);
	offers_draw(&offers, canvas, (struct rect){ 0, 0, 1, 1 });
	offers_draw(&offers, canvas, (struct rect){ 0, 0, 0, 0 });
	offers_clear(&offers);
	canvas_free(canvas);
}

static void
what_all_have_in_common_is_whole_characters(void **state)
{
	static const char *const names[] = { "\u00e4b", "\u00e5b" };
	char out[16];

	(void)state;
	assert_string_equal(offers_common(names, 2, out, sizeof(out)), "");
	assert_string_equal(offers_common(names, 1, out, sizeof(out)),
			    "\u00e4b");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(the_first_word_is_completed_here),
		CASE(paths_are_asked_for),
		CASE(arguments_say_what_they_are),
		CASE(a_late_answer_changes_nothing),
		CASE(what_does_not_fit_is_counted),
		CASE(what_all_have_in_common_is_whole_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
