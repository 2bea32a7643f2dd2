/* SPDX-License-Identifier: MIT */
#include "tests/unit/picture_fixture.h"

#include <stdio.h>

#include "core/baseline.h"

#define SECOND UINT64_C(1000000000)

static void
add_at(struct fixture *f, uint64_t second, const char *path, uint64_t weight)
{
	struct cell cell = { .weight = weight, .stack = stack_of(f, path) };

	count_cell(f, second * SECOND + SECOND / 3, cell);
}

/* What there is now becomes the baseline, and what comes after it is now. */
static struct baseline *
pin(struct fixture *f, uint64_t second)
{
	struct filter filter = { .since_ns = second * SECOND };
	struct baseline *baseline;

	update(f);
	baseline = baseline_until(f->profile, filter.since_ns);
	picture_set_baseline(f->picture, baseline);
	keeps_ids(f, &filter);
	return baseline;
}

static void
close_pin(struct fixture *f, struct baseline *baseline)
{
	picture_set_baseline(f->picture, NULL);
	baseline_free(baseline);
}

static uint64_t
drawn(struct fixture *f, const char *path)
{
	struct weights weights = picture_weights(f->picture);

	return weights_total(&weights, *path ? node_of(f, path) : 0);
}

static uint64_t
drawn_self(struct fixture *f, const char *path)
{
	struct weights weights = picture_weights(f->picture);

	return weights_self(&weights, *path ? node_of(f, path) : 0);
}

static void
each_side_has_its_own_weights(void **state)
{
	struct fixture *f = *state;
	struct weights weights;
	struct baseline *baseline;

	add_at(f, 1, "main;gone", 500);
	add_at(f, 1, "main;both", 500);
	baseline = pin(f, 10);
	add_at(f, 11, "main;both", 60);
	add_at(f, 11, "main;new;both", 40);
	update(f);
	assert_int_equal(picture_drawn(f->picture), DRAWN_NOW);
	assert_int_equal(drawn(f, "main;both"), 60);
	assert_int_equal(drawn(f, "main;gone"), 0);
	picture_set_drawn(f->picture, DRAWN_BASE);
	assert_int_equal(drawn(f, "main;gone"), 500);
	assert_int_equal(drawn(f, "main;new"), 0);
	assert_int_equal(drawn(f, ""), 1000);
	assert_int_equal(drawn_self(f, "main;gone"), 500);
	assert_int_equal(drawn_self(f, "main"), 0);
	weights = picture_weights(f->picture);
	assert_int_equal(weights_places(&weights, function(f, "both")->func),
			 1);
	assert_int_equal(weights_heaviest(&weights,
					  function(f, "both")->func),
			 node_of(f, "main;both"));
	picture_set_drawn(f->picture, DRAWN_NOW);
	weights = picture_weights(f->picture);
	assert_int_equal(weights_places(&weights, function(f, "both")->func),
			 2);
	close_pin(f, baseline);
}

static void
without_a_baseline_it_is_now(void **state)
{
	struct fixture *f = *state;
	struct baseline *baseline;

	add_at(f, 1, "main", 3);
	update(f);
	picture_set_drawn(f->picture, DRAWN_BASE);
	assert_int_equal(picture_drawn(f->picture), DRAWN_NOW);
	baseline = pin(f, 10);
	picture_set_drawn(f->picture, DRAWN_BASE);
	assert_int_equal(picture_drawn(f->picture), DRAWN_BASE);
	close_pin(f, baseline);
	assert_int_equal(picture_drawn(f->picture), DRAWN_NOW);
	assert_int_equal(drawn(f, "main"), 0);	/* since then */
}

static void
what_is_lost_is_in_counts_of_the_baseline(void **state)
{
	struct fixture *f = *state;
	struct baseline *baseline;

	add_at(f, 1, "main;gone", 500);
	add_at(f, 1, "main;less;leaf", 300);
	add_at(f, 1, "main;same", 200);
	baseline = pin(f, 10);
	/* half as many: 0, 50, 100 of 500 */
	add_at(f, 11, "main;less;leaf", 50);
	add_at(f, 11, "main;same", 100);
	add_at(f, 11, "main;new", 350);
	update(f);
	picture_set_drawn(f->picture, DRAWN_LOST);
	assert_int_equal(drawn(f, "main;gone"), 500);
	assert_int_equal(drawn(f, "main;less"), 200);
	assert_int_equal(drawn_self(f, "main;less"), 0);
	assert_int_equal(drawn_self(f, "main;less;leaf"), 200);
	assert_int_equal(drawn(f, "main;same"), 0);
	assert_int_equal(drawn(f, "main;new"), 0);
	assert_int_equal(drawn(f, "main"), 700);
	assert_int_equal(drawn(f, ""), 700);
	assert_int_equal(function(f, "leaf")->lost_self, 200);
	assert_int_equal(function(f, "main")->lost_self, 0);
	assert_int_equal(function(f, "main")->lost_total, 700);
	close_pin(f, baseline);
}

static void
sides_can_be_the_other_way_round(void **state)
{
	struct fixture *f = *state;
	struct picture_mark mark = { 0 };
	const struct picture_news *news;
	struct baseline *baseline;
	struct totals both;
	char other[32];
	size_t count;

	add_at(f, 1, "main;gone", 500);
	add_at(f, 1, "main;same", 400);
	for (int i = 0; i < 50; i++) {	/* few samples do not sum all anew */
		snprintf(other, sizeof(other), "main;other%d", i);
		add_at(f, 1, other, 2);
	}
	baseline = pin(f, 10);
	add_at(f, 11, "main;same", 200);
	add_at(f, 11, "main;new", 300);
	update(f);
	picture_swap(f->picture, true);
	assert_true(picture_is_swapped(f->picture));
	assert_int_equal(drawn(f, "main;gone"), 500);
	assert_int_equal(picture_totals(f->picture).now, 1000);
	assert_int_equal(picture_totals(f->picture).base, 500);
	assert_int_equal(picture_whole(f->picture), 1000);
	assert_int_equal(function(f, "gone")->self, 500);
	assert_int_equal(function(f, "new")->base_self, 300);
	both = picture_both_totals(f->picture, node_of(f, "main;gone"));
	assert_int_equal(picture_judge(f->picture, FUNC_NONE, both,
				       picture_totals(f->picture)).verdict,
			 DIFF_NEW);
	picture_set_drawn(f->picture, DRAWN_LOST);
	assert_int_equal(drawn(f, "main;new"), 300);
	assert_int_equal(drawn(f, ""), 300);
	/* what comes is added to what is compared with */
	picture_set_drawn(f->picture, DRAWN_BASE);
	assert_int_equal(function(f, "same")->base_total, 200);
	picture_read_news(f->picture, &mark, &news, &count);
	add_at(f, 11, "main;same", 50);
	update(f);
	assert_true(picture_read_news(f->picture, &mark, &news, &count));
	assert_int_equal(count, 1);
	assert_int_equal(drawn(f, "main;same"), 250);
	assert_int_equal(function(f, "same")->base_total, 250);
	assert_int_equal(function(f, "same")->total, 400);
	picture_set_drawn(f->picture, DRAWN_NOW);
	picture_read_news(f->picture, &mark, &news, &count);
	add_at(f, 11, "main;same", 50);
	update(f);
	assert_true(picture_read_news(f->picture, &mark, &news, &count));
	assert_int_equal(count, 0);
	close_pin(f, baseline);
	assert_false(picture_is_swapped(f->picture));
}

static void
noise_is_not_lost_but_many_small_losses_are(void **state)
{
	struct fixture *f = *state;
	struct baseline *baseline;
	char path[64];

	for (int i = 0; i < 100; i++) {
		snprintf(path, sizeof(path), "main;spread;leaf%d", i);
		add_at(f, 1, path, 3);
	}
	add_at(f, 1, "main;noise", 350);
	add_at(f, 1, "main;other", 350);
	baseline = pin(f, 10);
	add_at(f, 11, "main;spread;leaf0", 3);
	add_at(f, 11, "main;noise", 345);
	add_at(f, 11, "main;other", 652);
	update(f);
	picture_set_drawn(f->picture, DRAWN_LOST);
	assert_int_equal(drawn(f, "main;noise"), 0);
	assert_int_equal(drawn(f, "main;spread"), 297);
	assert_int_equal(drawn(f, "main;spread;leaf7"), 3);
	assert_int_equal(drawn(f, "main;spread;leaf0"), 0);
	close_pin(f, baseline);
}

/* Own time that went into a new callee: the total says nothing of it. */
static void
own_time_is_lost_where_the_total_is_not(void **state)
{
	struct fixture *f = *state;
	struct baseline *baseline;

	add_at(f, 1, "main", 1000);
	baseline = pin(f, 10);
	add_at(f, 11, "main", 400);
	add_at(f, 11, "main;new", 600);
	update(f);
	picture_set_drawn(f->picture, DRAWN_LOST);
	assert_int_equal(drawn_self(f, "main"), 600);
	assert_int_equal(drawn(f, ""), 600);
	close_pin(f, baseline);
}

/* A hundred calls more, so that a sample is a small part of them. */
static void
add_calls(struct fixture *f, uint64_t second)
{
	char path[64];

	for (int i = 0; i < 100; i++) {
		snprintf(path, sizeof(path), "main;thin%d", i);
		add_at(f, second, path, 1);
	}
}

static void
what_is_lost_follows_once_a_second(void **state)
{
	struct fixture *f = *state;
	struct baseline *baseline;
	struct picture_mark mark = { 0 };
	const struct picture_news *news;
	uint64_t before;
	size_t count;

	add_calls(f, 1);
	add_at(f, 1, "main;a", 500);
	add_at(f, 1, "main;b", 500);
	baseline = pin(f, 10);
	add_at(f, 11, "main;b", 100);
	update(f);
	picture_set_drawn(f->picture, DRAWN_LOST);
	before = drawn(f, "main;a");
	assert_int_equal(before, 500);
	picture_read_news(f->picture, &mark, &news, &count);
	add_at(f, 11, "main;a", 1);
	update(f);
	assert_int_equal(drawn(f, "main;a"), before);
	assert_true(picture_read_news(f->picture, &mark, &news, &count));
	assert_int_equal(count, 0);
	add_at(f, 12, "main;a", 99);
	update(f);
	assert_int_equal(drawn(f, "main;a"), 0);
	assert_false(picture_read_news(f->picture, &mark, &news, &count));
	close_pin(f, baseline);
}

static void
what_is_lost_moves_with_its_nodes(void **state)
{
	struct fixture *f = *state;
	struct filter filter = { .since_ns = 10 * SECOND,
				 .shape = SHAPE_INVERTED };
	struct baseline *baseline;

	add_at(f, 1, "main;a", 500);
	add_at(f, 1, "main;b", 500);
	baseline = pin(f, 10);
	add_at(f, 11, "main;b", 100);
	update(f);
	picture_set_drawn(f->picture, DRAWN_LOST);
	assert_false(keeps_ids(f, &filter));
	assert_int_equal(picture_drawn(f->picture), DRAWN_LOST);
	assert_int_equal(drawn(f, "a"), 500);
	assert_int_equal(drawn(f, "a;main"), 500);
	assert_int_equal(function(f, "a")->lost_self, 500);
	assert_int_equal(function(f, "main")->lost_self, 0);
	close_pin(f, baseline);
}

static void
the_whole_is_all_of_a_side_whatever_is_filtered(void **state)
{
	struct fixture *f = *state;
	struct baseline *baseline;
	struct transform focus = { .kind = TRANSFORM_FOCUS };
	struct filter filter = { .since_ns = 10 * SECOND,
				 .transforms = &focus, .ntransforms = 1 };

	add_at(f, 1, "main;a", 50);
	add_at(f, 1, "main;b", 10);
	update(f);
	assert_int_equal(picture_whole(f->picture), 60);
	baseline = pin(f, 10);
	add_at(f, 11, "main;b", 7);
	update(f);
	focus.about.func = function(f, "a")->func;
	keeps_ids(f, &filter);
	assert_int_equal(picture_total(f->picture), 0);
	assert_int_equal(picture_whole(f->picture), 7);
	picture_set_drawn(f->picture, DRAWN_BASE);
	assert_int_equal(picture_whole(f->picture), 60);
	close_pin(f, baseline);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		TEST(each_side_has_its_own_weights),
		TEST(without_a_baseline_it_is_now),
		TEST(what_is_lost_is_in_counts_of_the_baseline),
		TEST(sides_can_be_the_other_way_round),
		TEST(noise_is_not_lost_but_many_small_losses_are),
		TEST(own_time_is_lost_where_the_total_is_not),
		TEST(what_is_lost_follows_once_a_second),
		TEST(what_is_lost_moves_with_its_nodes),
		TEST(the_whole_is_all_of_a_side_whatever_is_filtered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
