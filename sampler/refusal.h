/* SPDX-License-Identifier: MIT */
/*
 * refusal.h - why a process may not be sampled, and what helps.
 */
#ifndef SAMPLER_REFUSAL_H
#define SAMPLER_REFUSAL_H

#include <stdbool.h>
#include <sys/types.h>

#include "core/base.h"
#include "sampler/target.h"

/*
 * No perf event can be opened on PID, says ERRNUM: the cause, and the next
 * command. Returns false. What closes a process to ptrace too is told in the
 * same words as below.
 */
bool refusal_by_perf(pid_t pid, int errnum, struct error *err);

/*
 * True if TARGET may be stopped and read by ptrace; it is neither here. Else
 * ERR names the first cause in the kernel's own order, and the next command.
 */
bool refusal_allows_ptrace(const struct target *target, struct error *err);

/*
 * The same, but that it may only be read: one that another traces may be.
 */
bool refusal_allows_reading(const struct target *target, struct error *err);

/*
 * True if we hold no right that the owner of PID has not. libunwind parses
 * what lies in the target's memory in this process, so that whoever wrote it
 * might take us over; it must be worth nothing then.
 */
bool refusal_allows_libunwind(pid_t pid, struct error *err);

#endif
