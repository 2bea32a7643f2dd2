/* SPDX-License-Identifier: MIT */
/*
 * What must hold for a picture of any profile under any filter.
 */
#include "tests/unit/picture_fixture.h"

#include <stdio.h>

#include "core/baseline.h"
#include "core/pattern.h"

#define SECOND UINT64_C(1000000000)
#define ROUNDS 150
#define MODULES 3
#define PLACES 16		/* of code in a module; four make a function */

static int
any(int n)
{
	return rand() % n;
}

static frame_id
any_frame(struct fixture *f)
{
	struct module module = { .kind = MODULE_LIBRARY };
	struct frame frame = { .kind = FRAME_CODE };
	char path[16];
	int which = any(MODULES + 1);

	if (which == MODULES) {
		frame.kind = FRAME_KERNEL;
		frame.name = text(f, any(2) ? "sys_read" : "copy");
		return profile_frame(f->profile, &frame);
	}
	snprintf(path, sizeof(path), "/lib/%c.so", 'a' + which);
	module.path = text(f, path);
	frame.module = profile_module(f->profile, &module);
	frame.offset = (uint64_t)any(PLACES);
	return profile_frame(f->profile, &frame);
}

/*
 * Tell the name of the function that FRAME is in. If it MOVES it may be in
 * another one than was said before, and something be inlined there.
 */
static void
name_frame(struct fixture *f, frame_id frame, bool moves)
{
	uint64_t offset = profile_get_frame(f->profile, frame)->offset;
	struct symbol symbol = { .start = offset / 4 * 4 };
	struct symbol_place places[] = { { "", "a.c", 1 }, { "in", "a.c", 2 } };
	char name[16];

	if (moves && any(8) == 0)
		symbol.start = offset / 8 * 8;
	snprintf(name, sizeof(name), "f%d", (int)symbol.start / 4);
	symbol.name = name;
	if (moves && any(6) == 0)
		names_set_places(f->names, frame, places, 2);
	names_set(f->names, frame, &symbol);
}

static void
add_any(struct fixture *f, uint64_t seconds)
{
	static const char *const threads[] = { "", "one", "two" };
	struct cell cell = { .weight = 1 + (uint64_t)any(9) };

	for (int depth = any(8); depth > 0; depth--)
		cell.stack = profile_push(f->profile, cell.stack,
					  any_frame(f));
	cell.thread = profile_thread_named(f->profile,
					   text(f, threads[any(3)]));
	cell.kind = any(10) ? KIND_CPU : KIND_FAULT;
	count_cell(f, (seconds + (uint64_t)any(3)) * SECOND, cell);
}

static void
name_some(struct fixture *f)
{
	bool moves = any(3) == 0;

	for (size_t i = 0; i < profile_frames(f->profile); i++)
		if (profile_get_frame(f->profile, (frame_id)i)->module &&
		    any(3) == 0)
			name_frame(f, (frame_id)i, moves);
}

/* A filter and what it borrows. */
struct choice {
	struct filter filter;
	struct transform transforms[3];
	struct pattern *patterns[3];
	thread_id thread;
};

static struct subject
any_subject(struct fixture *f, struct pattern **pattern)
{
	static const char *const texts[] = { "f1", "^f[02]$", "so", "in|sys" };
	struct subject about = { .kind = (enum subject_kind)any(4),
				 .is_inverse = any(4) == 0 };

	about.func = names_of(f->names, any_frame(f));
	about.module = 1 + (module_id)any(
		(int)profile_modules(f->profile) - 1);
	if (about.kind == SUBJECT_PATTERN)
		assert_true(pattern_open(texts[any(4)], pattern, NULL));
	about.pattern = *pattern;
	return about;
}

static void
choose(struct fixture *f, struct choice *choice)
{
	struct filter *filter = &choice->filter;

	memset(choice, 0, sizeof(*choice));
	filter->shape = (enum shape)any(4);
	filter->pivot = names_of(f->names, any_frame(f));
	filter->hide_kernel = any(3) == 0;
	filter->hide_inlined = any(3) == 0;
	filter->thread_rows = any(3) == 0;
	filter->ntransforms = (size_t)any(4);
	filter->transforms = choice->transforms;
	for (size_t i = 0; i < filter->ntransforms; i++)
		choice->transforms[i] = (struct transform){
			(enum transform_kind)any(6),
			any_subject(f, &choice->patterns[i]) };
	if (any(3) == 0)
		filter->window_ns = (1 + (uint64_t)any(5)) * SECOND;
	if (any(3) == 0)
		filter->since_ns = (uint64_t)any(20) * SECOND + 7;
	choice->thread = (thread_id)any((int)profile_threads(f->profile));
	filter->threads = &choice->thread;
	filter->nthreads = any(4) == 0;
}

static void
drop(struct choice *choice)
{
	for (size_t i = 0; i < 3; i++)
		pattern_free(choice->patterns[i]);
}

static uint64_t
dropped(const struct picture *picture)
{
	uint64_t sum = 0;

	for (size_t i = 0; i <= picture_filter(picture)->ntransforms; i++)
		sum += picture_removed(picture, i).dropped;
	return sum;
}

/* A node's weights: its own or those of the baseline. */
typedef uint64_t (*weight_fn)(const struct picture *picture, node_id node);

static uint64_t
own_total(const struct picture *picture, node_id node)
{
	return calltree_total(picture_tree(picture), node);
}

static uint64_t
own_self(const struct picture *picture, node_id node)
{
	return calltree_self(picture_tree(picture), node);
}

struct side {
	const struct picture *picture;
	const struct names *names;
	weight_fn total, self;
};

static const char *
name_at(const struct side *side, node_id node)
{
	return names_text(side->names, calltree_func(
		picture_tree(side->picture), node));
}

/* Sum of CHILD and what else has its name among its siblings. */
static uint64_t
sum_of_name(const struct side *side, node_id parent, const char *name)
{
	const struct calltree *tree = picture_tree(side->picture);
	uint64_t sum = 0;

	for (node_id node = calltree_first(tree, parent); node != NODE_NONE;
	     node = calltree_next(tree, node))
		if (!strcmp(name_at(side, node), name))
			sum += side->total(side->picture, node);
	return sum;
}

static node_id
child_like(const struct side *a, node_id child, const struct side *b,
	   node_id parent)
{
	const struct calltree *tree = picture_tree(b->picture);
	func_id func = calltree_func(picture_tree(a->picture), child);
	node_id node = calltree_first(tree, parent);

	while (node != NODE_NONE && strcmp(name_at(a, child),
					   name_at(b, node)))
		node = calltree_next(tree, node);
	return a->names == b->names ? calltree_find(tree, parent, func) : node;
}

/* Every call of A is one of B, and weighs the same. */
static void
check_within(const struct side *a, node_id in_a, const struct side *b,
	     node_id in_b)
{
	const struct calltree *tree = picture_tree(a->picture);

	assert_int_equal(a->total(a->picture, in_a),
			 b->total(b->picture, in_b));
	assert_int_equal(a->self(a->picture, in_a), b->self(b->picture, in_b));
	for (node_id child = calltree_first(tree, in_a); child != NODE_NONE;
	     child = calltree_next(tree, child)) {
		node_id other;

		if (!a->total(a->picture, child))
			continue;
		if (a->names != b->names) {
			assert_int_equal(
				sum_of_name(a, in_a, name_at(a, child)),
				sum_of_name(b, in_b, name_at(a, child)));
		}
		other = child_like(a, child, b, in_b);
		assert_int_not_equal(other, NODE_NONE);
		if (a->names == b->names)
			check_within(a, child, b, other);
	}
}

static void
check_same(const struct side *a, const struct side *b)
{
	check_within(a, 0, b, 0);
	check_within(b, 0, a, 0);
}

static struct function_row
row_of(const struct picture *picture, func_id func)
{
	size_t count;
	const struct function_row *rows = picture_functions(picture, &count);

	for (size_t i = 0; i < count; i++)
		if (rows[i].func == func)
			return rows[i];
	return (struct function_row){ .func = func };
}

static void
check_same_functions(const struct picture *a, const struct picture *b)
{
	size_t count;
	const struct function_row *rows = picture_functions(a, &count);

	for (size_t i = 0; i < count; i++) {
		struct function_row other = row_of(b, rows[i].func);

		assert_int_equal(rows[i].self, other.self);
		assert_int_equal(rows[i].total, other.total);
		assert_int_equal(rows[i].base_self, other.base_self);
		assert_int_equal(rows[i].base_total, other.base_total);
		assert_int_equal(rows[i].recent_self, other.recent_self);
		assert_int_equal(rows[i].recent_total, other.recent_total);
	}
}

/* A second picture of the same counts. */
static struct picture *
picture_under(struct fixture *f, const struct filter *filter)
{
	struct picture *picture = picture_new(f->profile, f->names);

	free(picture_set_filter(picture, filter, NULL));
	return picture;
}

static void
check_map(const struct picture *picture, const node_id *map, size_t count)
{
	for (size_t i = 0; map && i < count; i++)
		assert_true(map[i] < calltree_count(picture_tree(picture)));
}

static void
fill(struct fixture *f, int counts)
{
	for (int i = 0; i < counts; i++)
		add_any(f, (uint64_t)i / 8);
}

static void
each_round(void (*fn)(struct fixture *f))
{
	for (int round = 0; round < ROUNDS; round++) {
		void *state;

		srand((unsigned)round);
		set_up(&state);
		fn(state);
		tear_down(&state);
	}
}

static void
check_nothing_lost(struct fixture *f)
{
	struct choice choice;
	struct picture *all;
	struct filter plain;

	fill(f, 100);
	name_some(f);
	update(f);
	choose(f, &choice);
	plain = choice.filter;
	plain.ntransforms = 0;
	plain.shape = SHAPE_CALLEES;
	all = picture_under(f, &plain);
	keeps_ids(f, &choice.filter);
	assert_int_equal(picture_total(f->picture) + dropped(f->picture),
			 picture_total(all));
	picture_free(all);
	drop(&choice);
}

static void
what_is_left_and_what_was_dropped_is_all(void **state)
{
	(void)state;
	each_round(check_nothing_lost);
}

/* Counts, names and filters come in any order; late names move nodes. */
static void
check_incremental(struct fixture *f)
{
	struct choice choice = { 0 }, last;
	struct picture *second;
	struct side one, two;
	struct baseline *baseline;
	size_t count;
	node_id *map;

	fill(f, 40);
	picture_recent(f->picture, 5);
	baseline = baseline_until(f->profile, 4 * SECOND);
	picture_set_baseline(f->picture, baseline);
	for (int i = 0; i < 12; i++) {
		fill(f, any(30));
		if (any(2))
			name_some(f);
		if (any(3) == 0) {
			last = choice;
			choose(f, &choice);
			map = picture_set_filter(f->picture, &choice.filter,
						 &count);
			check_map(f->picture, map, count);
			free(map);
			drop(&last);
		}
		map = picture_update(f->picture, &count);
		check_map(f->picture, map, count);
		free(map);
		if (any(2))
			picture_functions(f->picture, &count);
	}
	second = picture_under(f, picture_filter(f->picture));
	picture_recent(second, 5);
	picture_set_baseline(second, baseline);
	one = (struct side){ f->picture, f->names, own_total, own_self };
	two = (struct side){ second, f->names, own_total, own_self };
	check_same(&one, &two);
	one.total = two.total = picture_base_total;
	one.self = two.self = picture_base_self;
	check_same(&one, &two);
	check_same_functions(f->picture, second);
	check_same_functions(second, f->picture);
	assert_int_equal(dropped(f->picture), dropped(second));
	picture_free(second);
	baseline_free(baseline);
	drop(&choice);
}

static void
bit_by_bit_is_the_same_as_at_once(void **state)
{
	(void)state;
	each_round(check_incremental);
}

static void
check_inverted(struct fixture *f)
{
	struct choice choice;
	struct picture *inverted;
	const struct function_row *rows;
	size_t count;

	fill(f, 100);
	name_some(f);
	update(f);
	choose(f, &choice);
	choice.filter.shape = SHAPE_CALLEES;
	choice.filter.thread_rows = false;
	keeps_ids(f, &choice.filter);
	choice.filter.shape = SHAPE_INVERTED;
	inverted = picture_under(f, &choice.filter);
	rows = picture_functions(f->picture, &count);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(rows[i].self, own_total(inverted, 0) == 0 ? 0 :
			calltree_find(picture_tree(inverted), 0,
				      rows[i].func) == NODE_NONE ? 0 :
			own_total(inverted, calltree_find(
				picture_tree(inverted), 0, rows[i].func)));
	check_same_functions(f->picture, inverted);
	check_same_functions(inverted, f->picture);
	picture_free(inverted);
	drop(&choice);
}

static void
the_first_level_of_an_inverted_tree_is_the_selves(void **state)
{
	(void)state;
	each_round(check_inverted);
}

static void
check_pivot(struct fixture *f)
{
	struct choice choice;
	struct picture *above;
	uint64_t total;

	fill(f, 100);
	name_some(f);
	update(f);
	choose(f, &choice);
	choice.filter.shape = SHAPE_CALLEES;
	keeps_ids(f, &choice.filter);
	total = row_of(f->picture, names_final(f->names,
					       choice.filter.pivot)).total;
	choice.filter.shape = SHAPE_BELOW;
	keeps_ids(f, &choice.filter);
	choice.filter.shape = SHAPE_ABOVE;
	above = picture_under(f, &choice.filter);
	assert_int_equal(picture_total(f->picture), total);
	assert_int_equal(picture_total(above), total);
	assert_int_equal(row_of(f->picture, names_final(
		f->names, choice.filter.pivot)).total, total);
	picture_free(above);
	drop(&choice);
}

static void
above_and_below_a_pivot_count_its_stacks_once(void **state)
{
	(void)state;
	each_round(check_pivot);
}

struct window {
	uint64_t from_ns, sum;
};

static void
sum_window(void *ctx, const struct cell *cell)
{
	struct window *window = ctx;

	if (cell->time_ns >= window->from_ns && cell->kind == KIND_CPU)
		window->sum += cell->weight;
}

static void
check_window(struct fixture *f)
{
	struct filter filter = { .window_ns = (1 + (uint64_t)any(4)) *
					      SECOND + (uint64_t)any(2) };

	keeps_ids(f, &filter);
	for (uint64_t second = 0; second < 20; second++) {
		struct window window = { 0 };

		for (int i = any(5); i > 0; i--)
			add_any(f, second);
		update(f);
		if (profile_last_ns(f->profile) > filter.window_ns)
			window.from_ns = (profile_last_ns(f->profile) -
					  filter.window_ns) / SECOND * SECOND;
		profile_each(f->profile, 0, UINT64_MAX, sum_window, &window);
		assert_int_equal(picture_total(f->picture), window.sum);
		assert_int_equal(picture_from_ns(f->picture), window.from_ns);
	}
}

static void
a_window_is_the_sum_of_its_slots(void **state)
{
	(void)state;
	each_round(check_window);
}

/* The baseline of PICTURE is what THEN has a picture of. */
static void
check_same_as(const struct picture *picture, const struct names *names,
	      const struct fixture *then)
{
	struct side one = { picture, names, picture_base_total,
			    picture_base_self };
	struct side two = { then->picture, then->names, own_total, own_self };

	check_same(&one, &two);
}

/* Of the same profile: by all calls. */
static void
check_own_baseline(struct fixture *then)
{
	struct choice choice;
	struct baseline *baseline;
	struct picture *second;

	choose(then, &choice);
	choice.filter.window_ns = choice.filter.since_ns = 0;
	keeps_ids(then, &choice.filter);
	second = picture_under(then, &choice.filter);
	baseline = baseline_until(then->profile, UINT64_MAX);
	picture_set_baseline(second, baseline);
	check_same_as(second, then->names, then);
	picture_free(second);
	baseline_free(baseline);
	keeps_ids(then, &(struct filter){ 0 });
	drop(&choice);
}

/* Of another: by names at each level. */
static void
check_other_baseline(struct fixture *f, struct fixture *then)
{
	struct baseline *baseline;

	fill(f, 60);
	name_some(f);
	baseline = baseline_of(then->profile, then->names);
	picture_set_baseline(f->picture, baseline);
	for (int i = 0; i < 8; i++) {
		struct filter filter = { .hide_kernel = any(2),
			.hide_inlined = any(2), .thread_rows = any(2),
			.shape = any(2) ? SHAPE_INVERTED : SHAPE_CALLEES };

		if (any(2)) {
			fill(f, 10);
			name_some(f);
		}
		if (any(2)) {
			keeps_ids(f, &filter);
			keeps_ids(then, &filter);
		}
		if (any(2))
			name_some(then);
		update(then);
		update(f);
		check_same_as(f->picture, f->names, then);
	}
	picture_set_baseline(f->picture, NULL);
	baseline_free(baseline);
}

static void
check_baseline(struct fixture *f)
{
	struct fixture *then;
	void *state;

	set_up(&state);
	then = state;
	for (int i = 0; i < 60; i++)
		add_any(then, 3);
	name_some(then);
	update(then);
	check_own_baseline(then);
	check_other_baseline(f, then);
	tear_down(&state);
}

static void
a_baseline_is_what_its_own_picture_would_be(void **state)
{
	(void)state;
	each_round(check_baseline);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_left_and_what_was_dropped_is_all),
		cmocka_unit_test(bit_by_bit_is_the_same_as_at_once),
		cmocka_unit_test(
			the_first_level_of_an_inverted_tree_is_the_selves),
		cmocka_unit_test(above_and_below_a_pivot_count_its_stacks_once),
		cmocka_unit_test(a_window_is_the_sum_of_its_slots),
		cmocka_unit_test(a_baseline_is_what_its_own_picture_would_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
