/* SPDX-License-Identifier: MIT */
/*
 * compare_guard.c - what looks like many changes and is another thing: a new
 * name, or a busier host.
 */
#include <math.h>
#include <string.h>

#include "core/base.h"
#include "core/compare_private.h"

#define SURE_Z 1.96
#define HOST_SURE 0.05
#define HOST_FLOOR 0.002

/* --- renamed or moved */

static func_id
caller_of(const struct comparison *comparison, uint32_t row)
{
	node_id above = calltree_parent(comparison->tree,
					comparison->rows[row].node);

	return above == NODE_NONE || !above ?
	       0 : calltree_func(comparison->tree, above);
}

/* How far GONE's share is from NEW's in standard errors. */
static double
distance(const struct estimate *gone, const struct estimate *new)
{
	double error = sqrt(gone->variance[SIDE_BASE] +
			    new->variance[SIDE_OTHER]);

	return fabs(gone->share[SIDE_BASE] - new->share[SIDE_OTHER]) / error;
}

/* The new function that GONE may have become, or COMPARED_NONE. */
static uint32_t
new_name_of(const struct comparison *comparison, uint32_t gone)
{
	uint32_t best = COMPARED_NONE;
	double nearest = SURE_Z;

	for (uint32_t i = 1; i < comparison->nrows; i++) {
		double far;

		if (comparison->rows[i].verdict != CHANGE_NEW ||
		    comparison->rows[i].is_by_self ||
		    caller_of(comparison, i) != caller_of(comparison, gone))
			continue;
		far = distance(&comparison->rows[gone].total,
			       &comparison->rows[i].total);
		if (far < nearest) {
			nearest = far;
			best = i;
		}
	}
	return best;
}

void
compare_find_moved(struct comparison *comparison)
{
	for (uint32_t i = 1; i < comparison->nrows; i++) {
		struct compared *gone = &comparison->rows[i];
		uint32_t new;

		if (gone->verdict != CHANGE_GONE || gone->is_by_self)
			continue;
		new = new_name_of(comparison, i);
		if (new == COMPARED_NONE)
			continue;
		gone->verdict = comparison->rows[new].verdict = CHANGE_MOVED;
		gone->moved = gone->under = new;
		comparison->rows[new].moved = i;
	}
}

/* --- the host */

bool
compare_is_interrupt(const char *name)
{
	static const char *const begins[] = {
		"asm_sysvec_", "sysvec_", "asm_common_interrupt",
		"common_interrupt", "irq_exit", "__irq_exit_rcu",
		"do_softirq", "__do_softirq", "handle_softirqs",
		"hrtimer_interrupt", "do_IRQ", "smp_apic_timer_interrupt",
		"apic_timer_interrupt", "el0_interrupt", "el1_interrupt",
		"ret_from_intr",
	};

	for (size_t i = 0; i < ARRAY_LEN(begins); i++)
		if (strncmp(name, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

void
compare_look_at_host(struct comparison *comparison)
{
	struct compared_whole *whole = &comparison->whole;
	struct estimate *e = &whole->interrupts;

	for (int i = 0; i < SIDES; i++)
		e->inflation[i] = comparison->sides[i].inflation.typical;
	compare_estimate(comparison, e);
	if (e->p > HOST_SURE || fabs(e->change) < HOST_FLOOR)
		return;
	whole->is_other_noisier = e->change > 0;
	whole->is_base_noisier = e->change < 0;
}
