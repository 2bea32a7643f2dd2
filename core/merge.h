/* SPDX-License-Identifier: MIT */
/*
 * merge.h - several profiles as one: their counts are added up.
 *
 * Of what is known of the whole, that stays which is the same in all; times
 * and losses are added, the earliest start is the start. Profiles that count
 * different things are not added.
 */
#ifndef CORE_MERGE_H
#define CORE_MERGE_H

#include <stdbool.h>

#include "core/base.h"
#include "core/profile.h"

/*
 * Add FROM to INTO. The first that is added to an empty profile gives it all
 * its keys. On failure ERR says what does not go together and INTO is as it
 * was.
 */
bool merge_add(struct profile *into, struct profile *from, struct error *err);

#endif
