/* SPDX-License-Identifier: MIT */
/*
 * intake.h - the staging profile: a sampler's sink on one side, main on the
 * other.
 *
 * A lock guards it. The sampler holds it while it counts one sample, main
 * while it takes what is new, which is less than a millisecond.
 */
#ifndef APP_INTAKE_H
#define APP_INTAKE_H

#include <stdbool.h>
#include <stdint.h>

#include "app/open.h"
#include "app/row_store.h"
#include "core/profile.h"
#include "sampler/sampler.h"

struct intake;

/* ROWS (borrowed) is where tables come from. */
struct intake *intake_new(struct row_store *rows);
void intake_free(struct intake *intake);

/* Where a sampler delivers; valid until intake_free(). */
struct sink intake_sink(struct intake *intake);

/* profile_take() with the lock held. */
void intake_take(struct intake *intake, struct profile *dst, cell_fn fn,
		 void *ctx);

/*
 * A bell (app/bell.h): it rings while intake_take() would bring samples, or
 * modules that a stack has led to.
 */
int intake_fd(const struct intake *intake);

/* Samples that intake_take() would bring. */
uint64_t intake_waiting(struct intake *intake);

/* Where the code of MODULE is mapped; false if it is nowhere. */
bool intake_origin(struct intake *intake, module_id module,
		   struct open_mapping *out);

/* From now on frames of MODULE, a JIT's, are of VERSION (core/profile.h). */
void intake_version(struct intake *intake, module_id module,
		    uint32_t version);

#endif
