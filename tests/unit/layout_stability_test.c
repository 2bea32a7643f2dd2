/* SPDX-License-Identifier: MIT */
/*
 * layout_stability_test.c - what moves while samples come.
 */
#include "tests/unit/layout_fixture.h"

#define POPULATION 400
#define PER_STEP 200
#define STEPS 80
#define WARM_UP 10

struct motion {
	unsigned long frames, moved, jumped;
};

/* The box of NODE in ROW; or BOX_NONE. */
static uint32_t
find_box(const struct layout *l, size_t row, node_id node)
{
	if (row >= l->nrows)
		return BOX_NONE;
	for (size_t i = l->rows[row]; i < l->rows[row + 1]; i++)
		if (l->boxes[i].node == node &&
		    l->boxes[i].kind == BOX_FRAME)
			return (uint32_t)i;
	return BOX_NONE;
}

static void
count_moves(const struct layout *old, const struct layout *new,
	    struct motion *motion)
{
	for (size_t row = 0; row < new->nrows; row++) {
		for (size_t i = new->rows[row]; i < new->rows[row + 1]; i++) {
			const struct box *b = &new->boxes[i];
			uint32_t was;
			int off;

			if (b->kind != BOX_FRAME)
				continue;
			was = find_box(old, row, b->node);
			if (was == BOX_NONE)
				continue;
			off = abs(old->boxes[was].left - b->left);
			motion->frames++;
			motion->moved += off > 0;
			motion->jumped += off >= 5;
		}
	}
}

/* A copy of what count_moves() needs. */
static void
remember(struct layout *copy, const struct layout *l)
{
	copy->boxes = realloc(copy->boxes, l->count * sizeof(*copy->boxes));
	copy->rows = realloc(copy->rows, (l->nrows + 1) * sizeof(*copy->rows));
	memcpy(copy->boxes, l->boxes, l->count * sizeof(*copy->boxes));
	memcpy(copy->rows, l->rows, (l->nrows + 1) * sizeof(*copy->rows));
	copy->count = l->count;
	copy->nrows = l->nrows;
}

/*
 * Samples of a workload that does not change: every stack has its share, and
 * what moves on the screen is noise. WINDOW steps are summed; 0: all.
 */
static struct motion
replay(bool is_plain, int window)
{
	static const unsigned seed = 3;
	struct fixture f;
	struct layout before = { 0 };
	struct motion motion = { 0 };
	unsigned (*drawn)[PER_STEP] = calloc(STEPS, sizeof(*drawn));
	func_id funcs[16];

	srand(seed);
	begin(&f, 120);
	for (int step = 0; step < STEPS; step++) {
		int first = window && step >= window ? step - window + 1 : 0;

		/* shares fall off as 1/rank, nearly */
		for (int i = 0; i < PER_STEP; i++)
			drawn[step][i] = (unsigned)(rand() % POPULATION) *
					 (unsigned)(rand() % POPULATION) /
					 POPULATION;
		calltree_zero(f.tree);
		for (int s = first; s <= step; s++)
			for (int i = 0; i < PER_STEP; i++)
				calltree_add(f.tree, funcs,
					     random_stack(funcs,
							  drawn[s][i]),
					     1);
		f.wish.is_fresh = is_plain;
		update(&f);
		if (step >= WARM_UP)
			count_moves(&before, &f.layout, &motion);
		remember(&before, &f.layout);
	}
	free(before.boxes);
	free(before.rows);
	free(drawn);
	end(&f);
	return motion;
}

static void
a_steady_workload_makes_a_steady_picture(void **state)
{
	(void)state;
	for (int window = 0; window <= 10; window += 10) {
		struct motion plain = replay(true, window);
		struct motion ours = replay(false, window);

		print_message("window %2d: plain %lu of %lu edges moved, "
			      "%lu by 5; ours %lu of %lu, %lu\n", window,
			      plain.moved, plain.frames, plain.jumped,
			      ours.moved, ours.frames, ours.jumped);
		assert_true(plain.moved > 100);
		/* all samples: a quarter at most; a window has more noise */
		assert_true(ours.moved * (window ? 2 : 4) <= plain.moved);
		assert_true(ours.jumped * 5 <= plain.jumped);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_steady_workload_makes_a_steady_picture),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
