/* SPDX-License-Identifier: MIT */
/*
 * perf_record.h - what the kernel writes into a perf ring, decoded.
 *
 * Every event is opened with the same sample type, so that a record can be
 * read without knowing which event it is of. Layout: perf_event_open(2) and
 * linux/perf_event.h.
 */
#ifndef SAMPLER_PERF_RECORD_H
#define SAMPLER_PERF_RECORD_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/memory.h"

/* With sample_id_all. */
#define PERF_RECORD_FIELDS                                          \
	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |      \
	 PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_PERIOD |               \
	 PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER |            \
	 PERF_SAMPLE_STACK_USER)

/* ax bx cx dx si di bp sp ip, r8 to r15 (asm/perf_regs.h). */
#define PERF_RECORD_REGS 0xff01ffu

#define PERF_RECORD_SIZE 65536	/* no record is longer: u16 */

/* Pointers are into the record. */
struct perf_record {
	uint32_t type;		/* PERF_RECORD_… */
	uint64_t time_ns;
	uint64_t id;		/* of the event that was opened */
	uint64_t stream_id;	/* of it, or of what a thread inherited */
	pid_t pid, tid;
	union {
		struct {
			uint64_t period;
			const uint64_t *kernel;	/* leaf first */
			size_t nkernel;
			const uint64_t *user;	/* by frame pointers, */
			size_t nuser;		/* without the leaf */
			bool has_regs;
			struct regs regs;
			const void *stack;
			size_t stack_len;
		} sample;
		struct {
			uint64_t addr, len, offset, dev, inode;
			uint32_t prot;
			const char *path;
		} mmap;
		struct {
			const char *name;
			bool is_exec;
		} comm;
		struct {
			pid_t ppid, ptid;
		} task;		/* FORK and EXIT */
		uint64_t lost;	/* LOST and LOST_SAMPLES */
	} u;
};

/*
 * Decode the record of LEN bytes (8-byte aligned) whose header is at BYTES.
 * False if it is malformed. A type that is not known above is no failure.
 */
bool perf_record_decode(const void *bytes, size_t len,
			struct perf_record *out);

/* Its time alone, without the rest; 0 if it is too short to have one. */
uint64_t perf_record_time(const void *bytes, size_t len);

#endif
