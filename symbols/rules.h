/* SPDX-License-Identifier: MIT */
/*
 * rules.h - the two forms of an unwind rule, and from one to the other.
 *
 * Who makes rules says them as a struct full_rule or a struct rule
 * (core/rows.h), whichever is shorter to say; here is what each means in the
 * other form.
 */
#ifndef SYMBOLS_RULES_H
#define SYMBOLS_RULES_H

#include <stdbool.h>

#include "core/rows.h"

/*
 * What holds of a register while nobody says otherwise: callee-saved ones are
 * as they were, the others are lost (psABI 3.2.1), rsp is the CFA and the
 * return address lies below it. The CFA itself is COLUMN_UNDEFINED: a hole.
 */
void rules_begin(struct full_rule *full);

/*
 * FULL as a compact rule, or false if only RULE_FULL would say it. OPS are
 * those that its programs count in.
 */
bool rules_shorten(const struct full_rule *full, const struct op *ops,
		   struct rule *rule);

/*
 * RULE, which is not RULE_FULL, in full. *NOPS of OPS are used, at most
 * RULES_OPS_MAX.
 */
#define RULES_OPS_MAX 24
void rules_lengthen(const struct rule *rule, struct full_rule *full,
		    struct op ops[RULES_OPS_MAX], size_t *nops);

#endif
