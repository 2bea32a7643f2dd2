/* SPDX-License-Identifier: MIT */
/*
 * work_test.c - what takes long is stopped at each of its steps.
 */
#include "core/work.h"

#include <stdio.h>

#include "core/base.h"
#include "core/baseline.h"
#include "tests/unit/picture_fixture.h"

#define SECOND UINT64_C(1000000000)
#define TEXT 8192

static void
fill(struct fixture *f)
{
	static const char *const paths[] = {
		"main;serve;parse;read", "main;serve;parse;^copy",
		"main;serve;reply;write", "main;serve;reply", "main;idle",
		"start;gc;mark;mark;mark", "start;gc;sweep", "start;serve;x",
	};
	struct cell cell = { .kind = KIND_CPU };

	for (size_t i = 0; i < 4 * ARRAY_LEN(paths); i++) {
		cell.weight = i + 1;
		cell.stack = stack_of(f, paths[i % ARRAY_LEN(paths)]);
		cell.thread = profile_thread_named(f->profile, text(f,
			i % 3 ? "worker" : "collector"));
		count_cell(f, (10 + i % 4) * SECOND, cell);
	}
	update(f);
}

static size_t
tell_node(struct fixture *f, node_id node, char *out, size_t used)
{
	const struct calltree *tree = picture_tree(f->picture);
	uint64_t base = picture_base_total(f->picture, node);
	func_id func = calltree_func(tree, node);

	if (!calltree_total(tree, node) && !base)
		return used;	/* a walk that was stopped may leave some */
	used += (size_t)snprintf(out + used, TEXT - used, "%u %s %d/%d %d/%d\n",
		calltree_depth(tree, node),
		node ? names_text(f->names, func) : "all",
		(int)calltree_total(tree, node), (int)calltree_self(tree, node),
		(int)base, (int)picture_base_self(f->picture, node));
	assert_true(used < TEXT);
	return used;
}

static int
compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Nodes may have come in another order. */
static void
sort_lines(char *out)
{
	char *copy = xstrdup(out), *rest = copy, *lines[256];
	size_t n = 0;

	while ((lines[n] = strsep(&rest, "\n")))
		n++;
	qsort(lines, n, sizeof(*lines), compare);
	*out = '\0';
	for (size_t i = 0; i < n; i++)
		out = stpcpy(stpcpy(out, lines[i]), "\n");
	free(copy);
}

/* All that is to be seen of the picture. */
static void
tell_picture(struct fixture *f, char *out)
{
	const struct filter *filter = picture_filter(f->picture);
	struct totals totals = picture_totals(f->picture);
	struct removed removed = picture_removed(f->picture, 0);
	size_t used, rows;

	picture_functions(f->picture, &rows);
	used = (size_t)snprintf(out, TEXT, "%d %d %d %d %d, %zu, %d %d, %d %d\n",
				filter->shape, (int)filter->ntransforms,
				(int)filter->pivot, filter->thread_rows,
				(int)picture_from_ns(f->picture), rows,
				(int)totals.now, (int)totals.base,
				(int)removed.dropped, (int)removed.changed);
	for (node_id i = 0; i < calltree_count(picture_tree(f->picture)); i++)
		used = tell_node(f, i, out, used);
	sort_lines(out);
}

/* Stops when it has been asked so often as CTX says. */
static bool
count_down(void *ctx, unsigned percent)
{
	unsigned *left = ctx;

	assert_true(percent < 100);
	return (*left)-- > 0;
}

static struct picture_change *
begin(struct fixture *f, const struct picture_choice *choice, unsigned steps)
{
	unsigned left = steps;
	struct work work = { .tell = count_down, .ctx = &left, .every = 1,
			     .parts = 1 };
	struct picture_change *change = picture_begin(f->picture, choice,
						      &work);

	assert_int_equal(!change, work.is_stopped);
	return change;
}

/* At each step, and at the end; then it is the same as if never stopped. */
static void
stop_everywhere(struct fixture *f, const struct picture_choice *choice)
{
	char before[TEXT], after[TEXT], alone[TEXT];
	struct fixture other = *f;
	struct picture_change *change;
	unsigned steps = 0;

	other.picture = picture_open(f->profile, f->names);
	free(picture_finish(picture_begin(other.picture, choice, NULL), NULL));
	tell_picture(f, before);
	while (!(change = begin(f, choice, steps))) {
		tell_picture(f, after);
		assert_string_equal(after, before);
		update(f);
		tell_picture(f, after);
		assert_string_equal(after, before);
		steps++;
	}
	assert_true(steps >= 8);
	picture_cancel(change);
	tell_picture(f, after);
	assert_string_equal(after, before);
	free(picture_finish(picture_begin(f->picture, choice, NULL), NULL));
	tell_picture(f, after);
	tell_picture(&other, alone);
	assert_string_equal(after, alone);
	picture_free(other.picture);
}

static struct transform
about(struct fixture *f, enum transform_kind kind, const char *name)
{
	return (struct transform){ .kind = kind, .about = {
		.kind = SUBJECT_FUNC, .func = function(f, name)->func } };
}

static void
a_picture_is_as_it_was_when_a_change_is_stopped(void **state)
{
	struct fixture *f = *state;
	struct transform focus, merge;
	struct filter filters[8] = { { .thread_rows = true } };

	fill(f);
	focus = about(f, TRANSFORM_FOCUS, "serve");
	merge = about(f, TRANSFORM_MERGE, "gc");
	filters[1] = (struct filter){ .transforms = &focus, .ntransforms = 1 };
	filters[2] = (struct filter){ .transforms = &merge, .ntransforms = 1 };
	filters[3] = (struct filter){ .shape = SHAPE_INVERTED };
	filters[4] = (struct filter){ .shape = SHAPE_BELOW,
				      .pivot = focus.about.func };
	filters[5] = (struct filter){ .window_ns = 2 * SECOND };
	filters[6] = (struct filter){ .window_ns = SECOND,
				      .shape = SHAPE_INVERTED };
	filters[7] = (struct filter){ .shape = SHAPE_INVERTED };
	for (size_t i = 0; i < ARRAY_LEN(filters); i++)
		stop_everywhere(f, &(struct picture_choice){
			.filter = &filters[i] });
}

/* Of a moment ago, and of another profile that has functions of its own. */
static void
what_it_is_compared_with_stays_when_that_is_stopped(void **state)
{
	struct fixture *f = *state, other = { .profile = profile_new() };
	struct filter all = { .since_ns = 12 * SECOND }, inverted = all;
	struct baseline *ago, *file;

	inverted.shape = SHAPE_INVERTED;
	fill(f);
	other.names = names_new(other.profile);
	for (int i = 0; i < 8; i++)
		add(&other, i % 2 ? "main;serve;parse;eval" : "old;read", 7);
	add(&other, "main;serve;parse;read;deep", 3);
	ago = baseline_until(f->profile, all.since_ns);
	file = baseline_of(other.profile, other.names);
	stop_everywhere(f, &(struct picture_choice){ &all, ago, DRAWN_BASE });
	stop_everywhere(f, &(struct picture_choice){ &all, file, DRAWN_NOW });
	stop_everywhere(f, &(struct picture_choice){ &inverted, file,
						     DRAWN_NOW });
	stop_everywhere(f, &(struct picture_choice){ &all, ago, DRAWN_LOST });
	picture_set_baseline(f->picture, NULL);
	baseline_free(ago);
	baseline_free(file);
	names_free(other.names);
	profile_free(other.profile);
}

/* What a tell function was told, and whether that went backwards. */
struct told {
	unsigned times, last;
};

static bool
note_percent(void *ctx, unsigned percent)
{
	struct told *told = ctx;

	assert_true(percent >= told->last && percent < 100);
	told->last = percent;
	told->times++;
	return true;
}

static void
parts_are_told_one_after_the_other(void **state)
{
	struct told told = { 0 };
	struct work work = { .tell = note_percent, .ctx = &told, .every = 10,
			     .parts = 2 };

	(void)state;
	work_begin(&work, 100);
	for (int i = 0; i < 100; i++)
		assert_true(work_goes_on(&work, 1));
	assert_int_equal(told.last, 45);
	work_begin(&work, 50);
	for (int i = 0; i < 100; i++)	/* more than was expected */
		assert_true(work_goes_on(&work, 1));
	assert_int_equal(told.last, 99);
	assert_in_range(told.times, 18, 22);
}

static void
what_was_stopped_stays_so(void **state)
{
	unsigned left = 3;
	struct work work = { .tell = count_down, .ctx = &left, .every = 1,
			     .parts = 1 };

	(void)state;
	work_begin(&work, 10);
	for (int i = 0; i < 3; i++)
		assert_true(work_goes_on(&work, 1));
	for (int i = 0; i < 3; i++)
		assert_false(work_goes_on(&work, 1));
	assert_true(work_is_stopped(&work));
	assert_true(work_goes_on(NULL, 1));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			a_picture_is_as_it_was_when_a_change_is_stopped,
			set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			what_it_is_compared_with_stays_when_that_is_stopped,
			set_up, tear_down),
		cmocka_unit_test(parts_are_told_one_after_the_other),
		cmocka_unit_test(what_was_stopped_stays_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
