/* SPDX-License-Identifier: MIT */
/*
 * ptrace_refusal.h - whether ptrace(2) is permitted, and if not, why.
 */
#ifndef SAMPLER_PTRACE_REFUSAL_H
#define SAMPLER_PTRACE_REFUSAL_H

#include <stdbool.h>

#include "core/base.h"
#include "sampler/target.h"

/*
 * True if TARGET may be stopped and read; it is neither here. Else ERR names
 * the first cause of the kernel's own order and the next command.
 */
bool ptrace_permitted(const struct target *target, struct error *err);

#endif
