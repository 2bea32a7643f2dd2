/* SPDX-License-Identifier: MIT */
/*
 * tally_test.c - what is counted sample by sample is what a count of all says.
 */
#include "tui/tally.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/unit/scene.h"
#include "tui/hits.h"

#include <cmocka.h>

/* A stack of up to eight of thirty functions, some of them hits. */
static void
add_random(struct stage *s, unsigned *seed)
{
	char path[128] = "";
	size_t at = 0;
	int depth = rand_r(seed) % 8;

	for (int i = 0; i <= depth; i++)
		at += (size_t)snprintf(path + at, sizeof(path) - at, "%s%c%c",
				       i ? ";" : "", 'a' + rand_r(seed) % 6,
				       'a' + rand_r(seed) % 5);
	stage_add(s, path, 1 + (uint64_t)(rand_r(seed) % 3));
}

static void
check_tally(const struct stage *s, struct tally *kept, node_id top)
{
	struct tally anew = { 0 };

	tally_update(kept, s->search, s->picture, top);
	tally_update(&anew, s->search, s->picture, top);
	assert_int_equal(kept->frames, anew.frames);
	assert_int_equal(kept->functions, anew.functions);
	assert_int_equal(kept->weight, anew.weight);
	tally_fini(&anew);
}

static void
check_hits(const struct stage *s, struct hits *kept)
{
	struct hits anew = { 0 };

	hits_update(kept, s->search, s->picture);
	hits_update(&anew, s->search, s->picture);
	assert_int_equal(kept->count, anew.count);
	if (!anew.count)
		return;
	assert_memory_equal(kept->below, anew.below,
			    anew.count * sizeof(*anew.below));
	hits_fini(&anew);
}

static void
change_something(struct stage *s, unsigned *seed)
{
	static const char *const patterns[] = { "a", "ab|ba", "c", "zz" };
	struct filter filter = *picture_filter(s->picture);
	size_t count;

	switch (rand_r(seed) % 12) {
	case 0:
		search_set(s->search, patterns[rand_r(seed) % 4], s->names);
		break;
	case 1:
		filter.kind = filter.kind == KIND_CPU ? KIND_FAULT : KIND_CPU;
		free(picture_set_filter(s->picture, &filter, &count));
		break;
	case 2:		/* of a function that the search has not seen */
		stage_add(s, rand_r(seed) % 2 ? "ab;new_a;bc" : "new_b", 2);
		break;
	default:
		break;
	}
}

static void
sample_by_sample_as_all_at_once(void **state)
{
	struct tally whole = { 0 }, part = { 0 };
	struct hits hits = { 0 };
	unsigned seed = 7;
	struct stage s;
	size_t count;

	(void)state;
	stage_open(&s, &view_flame);
	for (int i = 0; i < 400; i++)	/* so that a few more are added one */
		add_random(&s, &seed);	/* by one */
	stage_settle(&s, 40, 10);
	search_set(s.search, "a", s.names);
	for (int i = 0; i < 300; i++) {
		change_something(&s, &seed);
		add_random(&s, &seed);
		free(picture_update(s.picture, &count));
		/* before the search has looked at new functions, and after */
		tally_update(&whole, s.search, s.picture, 0);
		hits_update(&hits, s.search, s.picture);
		search_update(s.search, s.names);
		check_tally(&s, &whole, 0);
		check_tally(&s, &part, 1);
		check_hits(&s, &hits);
	}
	tally_fini(&whole);
	tally_fini(&part);
	hits_fini(&hits);
	stage_close(&s);
}

static void
only_what_was_added_is_told(void **state)
{
	const struct picture_news *news;
	struct picture_mark mark = { 0 };
	struct filter filter = { 0 };
	unsigned seed = 1;
	struct stage s;
	size_t count;

	(void)state;
	stage_open(&s, &view_flame);
	for (int i = 0; i < 100; i++)
		add_random(&s, &seed);
	stage_settle(&s, 40, 10);
	assert_false(picture_read_news(s.picture, &mark, &news, &count));
	assert_true(picture_read_news(s.picture, &mark, &news, &count));
	assert_int_equal(count, 0);
	stage_add(&s, "one;two", 3);
	free(picture_update(s.picture, &count));
	assert_true(picture_read_news(s.picture, &mark, &news, &count));
	assert_int_equal(count, 1);
	assert_int_equal(news[0].weight, 3);
	assert_int_equal(calltree_total(picture_tree(s.picture), news[0].leaf),
			 3);
	free(picture_set_filter(s.picture, &filter, &count));
	assert_false(picture_read_news(s.picture, &mark, &news, &count));
	for (int i = 0; i < 5000; i++)	/* too many to be told one by one */
		add_random(&s, &seed);
	free(picture_update(s.picture, &count));
	assert_false(picture_read_news(s.picture, &mark, &news, &count));
	stage_close(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sample_by_sample_as_all_at_once),
		cmocka_unit_test(only_what_was_added_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
