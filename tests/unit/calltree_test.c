/* SPDX-License-Identifier: MIT */
#include "core/weights.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MAIN = 1, PARSE, READ, EVAL };

static void
stacks_with_a_common_start_share_nodes(void **state)
{
	struct calltree *tree = calltree_new();
	func_id read[] = { MAIN, PARSE, READ }, eval[] = { MAIN, EVAL };
	node_id leaf = calltree_add(tree, read, 3, 1), main_node;

	(void)state;
	calltree_add(tree, eval, 2, 4);
	main_node = calltree_first(tree, 0);
	assert_int_equal(calltree_next(tree, main_node), NODE_NONE);
	assert_int_equal(calltree_total(tree, main_node), 5);
	assert_int_equal(calltree_self(tree, main_node), 0);
	assert_int_equal(calltree_self(tree, leaf), 1);
	assert_int_equal(calltree_depth(tree, leaf), 3);
	assert_int_equal(calltree_func(tree, leaf), READ);
	assert_int_equal(calltree_count(tree), 5);
	assert_int_equal(calltree_total(tree, 0), 5);
	calltree_free(tree);
}

static void
children_come_in_the_order_they_were_made(void **state)
{
	struct calltree *tree = calltree_new();
	node_id child;

	(void)state;
	for (func_id func = 100; func > 0; func--)
		calltree_child(tree, 0, func);
	child = calltree_first(tree, 0);
	for (func_id func = 100; func > 0; func--) {
		assert_int_equal(calltree_func(tree, child), func);
		assert_int_equal(calltree_find(tree, 0, func), child);
		child = calltree_next(tree, child);
	}
	assert_int_equal(child, NODE_NONE);
	assert_int_equal(calltree_find(tree, 0, 101), NODE_NONE);
	calltree_free(tree);
}

static void
a_function_is_counted_where_it_has_samples(void **state)
{
	struct calltree *tree = calltree_new();
	struct weights weights = weights_of(tree);
	func_id one[] = { MAIN, READ, READ }, two[] = { EVAL, READ };

	(void)state;
	calltree_add(tree, one, 3, 2);
	calltree_add(tree, two, 2, 5);
	calltree_child(tree, 0, READ);
	assert_int_equal(weights_places(&weights, READ), 3);
	assert_int_equal(weights_places(&weights, PARSE), 0);
	assert_int_equal(weights_total(&weights,
				       weights_heaviest(&weights, READ)), 5);
	assert_int_equal(weights_heaviest(&weights, PARSE), NODE_NONE);
	assert_int_equal(weights_heaviest(&weights, FUNC_NONE), NODE_NONE);
	calltree_free(tree);
}

static void
an_empty_stack_counts_on_the_root(void **state)
{
	struct calltree *tree = calltree_new();

	(void)state;
	assert_int_equal(calltree_add(tree, NULL, 0, 3), 0);
	assert_int_equal(calltree_self(tree, 0), 3);
	assert_int_equal(calltree_parent(tree, 0), NODE_NONE);
	assert_int_equal(calltree_func(tree, 0), FUNC_NONE);
	calltree_free(tree);
}

static void
summing_at_the_end_gives_the_same_totals(void **state)
{
	struct calltree *one = calltree_new(), *many = calltree_new();
	unsigned random = 1;
	func_id funcs[12];

	(void)state;
	for (int i = 0; i < 500; i++) {
		size_t depth = (random = random * 75 + 74) % 12;

		for (size_t k = 0; k < depth; k++)
			funcs[k] = (random = random * 75 + 74) / 64 % 3;
		calltree_add(one, funcs, depth, random % 9);
		calltree_add_self(many, calltree_add(many, funcs, depth, 0),
				  random % 9);
	}
	calltree_sum(many);
	assert_int_equal(calltree_count(one), calltree_count(many));
	for (node_id i = 0; i < calltree_count(one); i++)
		assert_int_equal(calltree_total(one, i),
				 calltree_total(many, i));
	calltree_zero(many);
	assert_int_equal(calltree_total(many, 0), 0);
	calltree_free(one);
	calltree_free(many);
}

static void
a_total_stops_at_the_largest_number(void **state)
{
	struct calltree *tree = calltree_new();
	func_id func = MAIN;

	(void)state;
	calltree_add(tree, &func, 1, UINT64_MAX - 1);
	calltree_add(tree, &func, 1, UINT64_MAX - 1);
	assert_true(calltree_total(tree, 0) == UINT64_MAX);
	assert_true(calltree_self(tree, 1) == UINT64_MAX);
	calltree_free(tree);
}

static void
a_stack_of_a_million_frames_is_fine(void **state)
{
	struct calltree *tree = calltree_new();
	size_t depth = 1000000;
	func_id *funcs = calloc(depth, sizeof(*funcs));
	node_id leaf = calltree_add(tree, funcs, depth, 2);

	(void)state;
	assert_int_equal(calltree_depth(tree, leaf), depth);
	assert_int_equal(calltree_total(tree, 0), 2);
	free(funcs);
	calltree_free(tree);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stacks_with_a_common_start_share_nodes),
		cmocka_unit_test(children_come_in_the_order_they_were_made),
		cmocka_unit_test(a_function_is_counted_where_it_has_samples),
		cmocka_unit_test(an_empty_stack_counts_on_the_root),
		cmocka_unit_test(summing_at_the_end_gives_the_same_totals),
		cmocka_unit_test(a_total_stops_at_the_largest_number),
		cmocka_unit_test(a_stack_of_a_million_frames_is_fine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
