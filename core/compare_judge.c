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

static int
by_p(const void *va, const void *vb)
{
	const struct estimate *a = *(struct estimate *const *)va;
	const struct estimate *b = *(struct estimate *const *)vb;

	return (a->p > b->p) - (a->p < b->p);
}

/* The functions that are worth watching, by one of their two numbers. */
struct family {
	struct estimate **by_p;
	size_t count;
};

static struct family
family_of(struct comparison *comparison, bool is_self)
{
	struct family family = {
		.by_p = xcalloc(comparison->nrows + 1,
				sizeof(struct estimate *)),
	};

	for (size_t i = 1; i < comparison->nrows; i++) {
		struct compared *row = &comparison->rows[i];
		struct estimate *e = is_self ? &row->self : &row->total;

		compare_estimate(comparison, e);
		if (is_watched(comparison, e))
			family.by_p[family.count++] = e;
	}
	if (family.count)
		qsort(family.by_p, family.count, sizeof(*family.by_p), by_p);
	return family;
}

/* At which rate of false discoveries the Ith would be one. */
static double
rate_at(const struct family *family, size_t i)
{
	return family->by_p[i]->p * (double)family->count / (double)(i + 1);
}

/* Simes' p for all of them: the least rate with any discovery. */
static double
least_rate(const struct family *family)
{
	double least = 1;

	for (size_t i = 0; i < family->count; i++)
		least = fmin(least, rate_at(family, i));
	return least;
}

/* Benjamini and Hochberg: all up to the last that keeps the rate. */
static void
judge_family(const struct comparison *comparison, const struct family *family,
	     bool can_be_sure)
{
	size_t sure = 0;

	for (size_t i = 0; can_be_sure && i < family->count; i++)
		if (rate_at(family, i) <= comparison->rules.false_discovery)
			sure = i + 1;
	for (size_t i = 0; i < family->count; i++)
		judge(comparison, family->by_p[i], i < sure);
}

/*
 * Only when the two differ as a whole is any function told to: else two
 * families of questions would be twice the chance of a wrong answer.
 */
static void
judge_all(struct comparison *comparison)
{
	struct family totals = family_of(comparison, false);
	struct family selves = family_of(comparison, true);
	double p = 2 * fmin(least_rate(&totals), least_rate(&selves));
	bool differ = p <= comparison->rules.false_discovery;

	comparison->whole.p = fmin(1, p);
	judge_family(comparison, &totals, differ);
	judge_family(comparison, &selves, differ);
	free(totals.by_p);
	free(selves.by_p);
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

void
comparison_judge(struct comparison *comparison)
{
	for (int side = 0; side < SIDES; side++)
		compare_sum_blocks(comparison, (enum side)side);
	for (int i = 0; i < SIDES; i++) {
		struct compare_side *side = &comparison->sides[i];

		side->facts.cores = side->facts.seconds > 0 &&
				    side->facts.rate > 0 ?
			side->cpu_seconds / side->facts.seconds : -1;
	}
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
