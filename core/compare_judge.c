/* SPDX-License-Identifier: MIT */
/*
 * compare_judge.c - counts on both sides to verdicts.
 */
#include <math.h>
#include <stdlib.h>

#include "core/base.h"
#include "core/compare_private.h"
#include "core/student.h"

/*
 * Found 4 times of 5 (0.84) by who asks 2 % of chance (2.33): so much is left
 * of 5 % when some are true among a dozen functions.
 */
#define POWER 3.17
#define MORE_ANYWAY 1.25	/* near the edge a few more samples tell */
#define SURE 0.05

/* --- how sure they are */

/* As many degrees of freedom as blocks tell; Welch and Satterthwaite. */
static double
freedom(const struct comparison *comparison, const struct estimate *e)
{
	double all = e->variance[SIDE_BASE] + e->variance[SIDE_OTHER];
	double sum = 0;

	for (int i = 0; i < SIDES; i++) {
		size_t blocks = comparison->sides[i].inflation.blocks;

		if (blocks > 1)
			sum += e->variance[i] * e->variance[i] /
			       (double)(blocks - 1);
	}
	return sum > 0 ? all * all / sum : INFINITY;
}

/*
 * The variance of a share, with one and one more sample than there were: a
 * share of nothing is not known for sure either.
 */
static double
variance_of(uint64_t count, uint64_t all, double inflation)
{
	double n = (double)all + 2, share = ((double)count + 1) / n;

	return inflation * share * (1 - share) / n;
}

void
compare_estimate(const struct comparison *comparison, struct estimate *e)
{
	double error, df;

	for (int i = 0; i < SIDES; i++) {
		uint64_t all = comparison->sides[i].facts.samples;

		e->share[i] = all ? (double)e->count[i] / (double)all : 0;
		e->variance[i] = variance_of(e->count[i], all,
					     e->inflation[i]);
	}
	e->change = e->share[SIDE_OTHER] - e->share[SIDE_BASE];
	error = sqrt(e->variance[SIDE_BASE] + e->variance[SIDE_OTHER]);
	df = freedom(comparison, e);
	e->p = student_both_sides(e->change / error, df);
	e->half = student_limit(SURE, df) * error;
	e->limit = fabs(e->change) + e->half;
}

static void
find_inflation(const struct comparison *comparison, uint32_t key)
{
	struct compared *row = &comparison->rows[key];

	for (int i = 0; i < SIDES; i++) {
		const struct compare_side *side = &comparison->sides[i];
		uint32_t at = side->block_row[key];
		bool is_known = at != COMPARED_NONE && side->inflation.blocks;

		row->total.inflation[i] = is_known ?
			side->inflation.total[at] : side->inflation.typical;
		row->self.inflation[i] = is_known ?
			side->inflation.self[at] : side->inflation.typical;
	}
}

/* --- verdicts */

static double
larger_share(const struct estimate *e)
{
	return fmax(e->share[SIDE_BASE], e->share[SIDE_OTHER]);
}

static bool
is_watched(const struct comparison *comparison, const struct estimate *e)
{
	return larger_share(e) >= comparison->rules.watch;
}

static void
judge(const struct comparison *comparison, struct estimate *e, bool is_sure)
{
	const struct compare_rules *rules = &comparison->rules;
	double share = larger_share(e), size = fabs(e->change);
	double margin = fmax(rules->margin, rules->margin_of_share * share);
	bool matters = size >= rules->floor &&
		       size >= rules->floor_of_share * share;

	e->needs = POWER * POWER *
		   (e->variance[SIDE_BASE] + e->variance[SIDE_OTHER]) /
		   (margin * margin);
	if (is_sure && matters) {
		e->verdict = !e->count[SIDE_BASE] ? CHANGE_NEW :
			     !e->count[SIDE_OTHER] ? CHANGE_GONE :
			     e->change > 0 ? CHANGE_REGRESSED :
					     CHANGE_IMPROVED;
	} else if (e->limit <= margin || (!matters && e->needs <= 1)) {
		e->verdict = CHANGE_NONE;
	} else {
		e->verdict = CHANGE_UNKNOWN;
		e->needs = fmax(e->needs, MORE_ANYWAY);
	}
}

/* The same counts are the same question, asked about two functions. */
static bool
is_same(const struct estimate *a, const struct estimate *b)
{
	return a->count[SIDE_BASE] == b->count[SIDE_BASE] &&
	       a->count[SIDE_OTHER] == b->count[SIDE_OTHER];
}

static int
by_p(const void *va, const void *vb)
{
	const struct estimate *a = *(struct estimate *const *)va;
	const struct estimate *b = *(struct estimate *const *)vb;

	if (a->p != b->p)
		return (a->p > b->p) - (a->p < b->p);
	if (a->count[SIDE_BASE] != b->count[SIDE_BASE])
		return a->count[SIDE_BASE] < b->count[SIDE_BASE] ? -1 : 1;
	return (a->count[SIDE_OTHER] > b->count[SIDE_OTHER]) -
	       (a->count[SIDE_OTHER] < b->count[SIDE_OTHER]);
}

/* Questions about functions, the least p first. */
struct family {
	struct estimate **at;
	size_t count, distinct;
};

static void
sort_family(struct family *family)
{
	if (family->count)
		qsort(family->at, family->count, sizeof(*family->at), by_p);
	family->distinct = family->count > 0;
	for (size_t i = 1; i < family->count; i++)
		family->distinct += !is_same(family->at[i],
					     family->at[i - 1]);
}

/* Add those that are worth watching, by one of their two numbers. */
static void
add_family(struct family *family, struct comparison *comparison, bool is_self)
{
	for (size_t i = 1; i < comparison->nrows; i++) {
		struct compared *row = &comparison->rows[i];
		struct estimate *e = is_self ? &row->self : &row->total;

		if (is_watched(comparison, e))
			family->at[family->count++] = e;
	}
}

/*
 * Benjamini and Hochberg: how many are sure, up to the last that keeps the
 * rate. LEAST becomes the least rate at which any would be (Simes).
 */
static size_t
count_sure(const struct family *family, double rate, double *least)
{
	size_t sure = 0, rank = 0;

	*least = 1;
	for (size_t i = 0; i < family->count; i++) {
		double needed;

		rank += !i || !is_same(family->at[i], family->at[i - 1]);
		needed = family->at[i]->p * (double)family->distinct /
			 (double)rank;
		*least = fmin(*least, needed);
		if (needed <= rate)
			sure = i + 1;
	}
	return sure;
}

static void
judge_family(struct comparison *comparison, struct family *family,
	     bool is_self)
{
	double rate = comparison->rules.false_discovery, least;
	size_t sure;

	family->count = 0;
	add_family(family, comparison, is_self);
	sort_family(family);
	sure = count_sure(family, rate, &least);
	for (size_t i = 0; i < family->count; i++)
		judge(comparison, family->at[i],
		      i < sure && comparison->whole.p <= rate);
}

/*
 * Only when the two differ as a whole is any function told to: else two
 * families of questions would be twice the chance of a wrong answer.
 */
static void
judge_all(struct comparison *comparison)
{
	struct family family = {
		.at = xcalloc(2 * comparison->nrows + 1,
			      sizeof(struct estimate *)),
	};

	for (size_t i = 1; i < comparison->nrows; i++) {
		compare_estimate(comparison, &comparison->rows[i].total);
		compare_estimate(comparison, &comparison->rows[i].self);
	}
	add_family(&family, comparison, false);
	add_family(&family, comparison, true);
	sort_family(&family);
	count_sure(&family, 1, &comparison->whole.p);
	judge_family(comparison, &family, false);
	judge_family(comparison, &family, true);
	free(family.at);
}

static void
choose_verdict(struct compared *row)
{
	row->is_by_self = change_is_one(row->self.verdict) &&
			  !change_is_one(row->total.verdict);
	row->verdict = row->is_by_self ? row->self.verdict :
					 row->total.verdict;
}

static void
count_verdicts(struct comparison *comparison)
{
	struct compared_whole *whole = &comparison->whole;

	for (uint32_t i = 1; i < comparison->nrows; i++) {
		const struct compared *row = &comparison->rows[i];

		whole->changed += change_is_one(row->verdict) &&
				  row->under == i;
		whole->unknown += row->verdict == CHANGE_UNKNOWN;
		whole->unchanged += row->verdict == CHANGE_NONE;
	}
}

static void
settle_side(struct comparison *comparison, enum side which)
{
	struct compare_side *side = &comparison->sides[which];

	compare_sum_blocks(comparison, which);
	if (side->lacks_seconds)
		side->facts.seconds = 0;
	side->facts.cores = !side->lacks_rate && side->facts.seconds > 0 ?
			    side->cpu_seconds / side->facts.seconds : -1;
}

void
comparison_judge(struct comparison *comparison)
{
	for (int side = 0; side < SIDES; side++)
		settle_side(comparison, (enum side)side);
	compare_make_rows(comparison);
	for (uint32_t i = 1; i < comparison->nrows; i++)
		find_inflation(comparison, i);
	judge_all(comparison);
	for (size_t i = 1; i < comparison->nrows; i++)
		choose_verdict(&comparison->rows[i]);
	compare_find_moved(comparison);
	compare_blame(comparison);
	compare_look_at_host(comparison);
	count_verdicts(comparison);
}
