/* SPDX-License-Identifier: MIT */
/*
 * dump_private.h - what the files of the dump share.
 *
 *	dump.c		processes, and who waits for ever
 *	dump_take.c	one thread
 *	dump_locks.c	who waits for whom
 */
#ifndef SAMPLER_DUMP_PRIVATE_H
#define SAMPLER_DUMP_PRIVATE_H

#include "core/base.h"
#include "sampler/dump.h"
#include "sampler/ptrace_stop.h"
#include "sampler/sampler.h"
#include "sampler/space.h"
#include "sampler/waiting.h"

struct sockets;

struct dump_sampler {
	struct sampler_config config;
	const struct sink *sink;
	struct target *const *targets;
	size_t count;
	struct space **spaces;		/* one for each target */
	struct waiting waiting;
	struct sockets *sockets;	/* of the target under way */
	pid_t *tids;			/* its threads, sorted */
	size_t ntids;
	uint64_t give_up_ns;		/* no stop after that */
	bool may_stop;
	struct stopper stopper;
};

/* Voluntary context switches of thread TID so far. */
uint64_t dump_switches(const struct target *target, pid_t tid);

/* Add thread TID of target number I, and deliver its stack. */
void dump_take_thread(struct dump_sampler *s, size_t i, pid_t tid);

#endif
