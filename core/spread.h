/* SPDX-License-Identifier: MIT */
/*
 * spread.h - how much less the samples of each function tell, by its name.
 *
 * What core/inflation.h makes of blocks, to be asked for a function at a
 * time, as a screen does.
 */
#ifndef CORE_SPREAD_H
#define CORE_SPREAD_H

#include <stdint.h>

#include "core/names.h"
#include "core/profile.h"

#define SPREAD_SECONDS 128	/* of time that are looked at, the last ones */

struct spread;

/*
 * From the last SPREAD_SECONDS of PROFILE's slots in [FROM_NS, TO_NS), weight
 * of KIND; of a profile without times from its header. NULL: it is not known.
 * The caller frees.
 */
struct spread *spread_of(const struct profile *profile, struct names *names,
			 enum kind kind, uint64_t from_ns, uint64_t to_ns);
void spread_free(struct spread *spread);

/*
 * Of the function NAME, 1 at least; what is typical for those that are not
 * known, and 1 when SPREAD is NULL.
 */
double spread_inflation(const struct spread *spread, const char *name);

#endif
