/* SPDX-License-Identifier: MIT */
/*
 * layout_fixture.h - a call tree and its layout, for tests.
 */
#ifndef TESTS_UNIT_LAYOUT_FIXTURE_H
#define TESTS_UNIT_LAYOUT_FIXTURE_H

#include "tui/layout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A layout of its tree, made again and again. */
struct fixture {
	struct calltree *tree;
	struct layout layout;
	struct zoom zoom;
	struct node_set open;
	struct chain_rule chains;
	struct layout_wish wish;
};

static inline void
begin(struct fixture *f, int width)
{
	memset(f, 0, sizeof(*f));
	f->tree = calltree_new();
	f->wish = (struct layout_wish){ .keep = NODE_NONE, .width = width,
					.rows = 64 };
}

static inline void
update(struct fixture *f)
{
	f->wish.weights = weights_of(f->tree);
	f->wish.zoom = &f->zoom;
	f->chains.tree = f->tree;
	f->chains.open = &f->open;
	layout_update(&f->layout, &f->wish);
	f->wish.is_fresh = f->wish.refolds = false;
}

static inline void
fold(struct fixture *f)
{
	f->wish.chains = &f->chains;
}

static inline void
end(struct fixture *f)
{
	layout_fini(&f->layout);
	node_set_fini(&f->open);
	calltree_free(f->tree);
}

/* Functions are letters: "ab" is a, which called b. */
static inline node_id
add(struct fixture *f, const char *letters, uint64_t weight)
{
	func_id funcs[64];
	size_t depth = 0;

	for (; letters[depth]; depth++)
		funcs[depth] = (func_id)letters[depth];
	return calltree_add(f->tree, funcs, depth, weight);
}

/*
 * The layout as "all[0,20) / a[0,13) idle.. / ..."; '+' bin, ':' self. Of a
 * chain the last, and how many.
 */
static inline void
check(struct fixture *f, const char *expected)
{
	const struct layout *l = &f->layout;
	char text[2048] = "";
	size_t at = 0;

	for (size_t row = 0; row < l->nrows; row++) {
		if (row > 0)
			at += (size_t)sprintf(text + at, " /");
		for (size_t i = l->rows[row]; i < l->rows[row + 1]; i++) {
			const struct box *b = &l->boxes[i];
			func_id func = calltree_func(f->tree, b->node);
			char sign = b->kind == BOX_SELF ? ':' :
				    b->kind == BOX_BIN ? '+' :
				    b->node == 0 ? '*' : (char)func;

			at += (size_t)sprintf(text + at, " %c%d-%d", sign,
					      b->left, b->right);
			if (b->links > 1)
				at += (size_t)sprintf(text + at, "x%u",
						      b->links);
		}
	}
	assert_string_equal(text, expected);
}

/* SEED's own stack: few functions to choose from at the root, then more. */
static inline size_t
random_stack(func_id *funcs, unsigned seed)
{
	uint64_t hash = seed * 0x9e3779b97f4a7c15ull;
	size_t depth = 2 + (hash >> 32) % 11;

	for (size_t i = 0; i < depth; i++) {
		hash = (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9ull;
		funcs[i] = (func_id)((hash >> 32) % (2 + i / 2));
	}
	return depth;
}

#endif
