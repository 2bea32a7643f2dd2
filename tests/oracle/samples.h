/* SPDX-License-Identifier: MIT */
/*
 * samples.h - raw samples in a file, and the address spaces they are of.
 *
 * Written by record.c, so that several unwinders can be held against each
 * other on the very same registers and bytes. Stack bytes are the target's
 * own data: a recording is for tests, and the program itself keeps none.
 *
 * A recording is SAMPLES_MAGIC, then records in the order of time, each a
 * struct samples_record and what its kind says, padded to 8 bytes:
 *
 *	RECORD_MAPPING	struct recorded_mapping, path with its NUL
 *	RECORD_EXEC	nothing: all mappings of PID are gone
 *	RECORD_FORK	nothing: TID is a process with the mappings of PID
 *	RECORD_SAMPLE	struct regs, u64 how many return addresses the kernel
 *			found by frame pointers, these (core/memory.h), then
 *			the stack's bytes from rsp up
 *	RECORD_CODE	u64 address, bytes: executable memory that no file has,
 *			as it was at the end of the recording
 *
 * Everything else that an unwinder reads is in the files that are mapped,
 * which must still be there.
 */
#ifndef TESTS_ORACLE_SAMPLES_H
#define TESTS_ORACLE_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/base.h"
#include "core/maps.h"
#include "core/memory.h"

#define SAMPLES_MAGIC "rawsmpl2"

enum record_kind {
	RECORD_MAPPING = 1,
	RECORD_EXEC,
	RECORD_FORK,
	RECORD_SAMPLE,
	RECORD_CODE,
};

struct samples_record {
	uint32_t kind;
	uint32_t len;		/* of what follows, without padding */
	int32_t pid, tid;
	uint64_t time_ns;
};

struct recorded_mapping {
	uint64_t start, end, file_offset, dev, inode;
	uint64_t is_executable, is_writable;
};

/* A file of the recording, mapped whole; or NULL bytes if it is not there. */
struct sample_file {
	const char *path;
	uint64_t dev, inode;
	const uint8_t *bytes;
	size_t len;
};

/* One process; valid until samples_close(). */
struct sample_process {
	pid_t pid;
	struct maps *maps;
};

struct raw {
	struct sample_process *process;
	pid_t tid;
	uint64_t time_ns;
	struct regs regs;
	const uint64_t *trail;	/* borrowed */
	size_t ntrail;
	const uint8_t *stack;	/* borrowed */
	size_t stack_len;
};

struct samples;

bool samples_open(const char *path, struct samples **out, struct error *err);
void samples_close(struct samples *samples);

/* The next sample in the order of time; false at the end. */
bool samples_next(struct samples *samples, struct raw *raw);

/* Begin anew, with no mappings. */
void samples_rewind(struct samples *samples);

/*
 * Memory as it was at RAW (borrowed): the stack copy, of which LIMIT bytes
 * are used, then recorded code, then what files have that are mapped and not
 * writable.
 */
struct sample_memory {
	struct samples *samples;
	const struct raw *raw;
	size_t limit;
};
bool samples_read(void *sample_memory, uint64_t addr, void *buf, size_t len);
struct memory samples_memory(struct sample_memory *from);

/*
 * The file that MAPPING is of; for the vdso, the image that this kernel gives
 * to every process. Never NULL.
 */
const struct sample_file *samples_file(struct samples *samples,
				       const struct mapping *mapping);

#endif
