/* SPDX-License-Identifier: MIT */
/*
 * perf_record.c - perf records, decoded.
 *
 * A sample has its fields in the order of their bits in sample_type. Every
 * other record ends in the identity of the event that wrote it:
 *
 *	header | type's own fields      | pid tid | time | id | stream id
 */
#include "sampler/perf_record.h"

#include <sys/sysmacros.h>

#include "core/base.h"
#include "core/reader.h"

#define HEADER sizeof(struct perf_event_header)
#define TRAILER 32
#define TIME_IN_SAMPLE (HEADER + 8)
#define TIME_FROM_END 24
#define MARKER UINT64_C(0xfffffffffffff001)	/* PERF_CONTEXT_MAX */
#define ABI_64 2				/* PERF_SAMPLE_REGS_ABI_64 */

/* Numbers from *AT on up to a marker or the end. */
static const uint64_t *
take_part(const uint64_t *chain, uint64_t count, uint64_t *at, size_t *n)
{
	const uint64_t *part = chain + *at;

	for (*n = 0; *at < count && chain[*at] < MARKER; ++*at)
		++*n;
	return part;
}

/* A marker and the kernel's part, a marker and that of the program. */
static void
decode_chain(struct reader *r, struct perf_record *out)
{
	uint64_t i, count = reader_u64(r);
	const uint64_t *chain;

	if (count > reader_left(r) / 8) {
		r->failed = true;
		return;
	}
	chain = reader_bytes(r, count * 8);
	if (!chain || !count)
		return;
	i = chain[0] == PERF_CONTEXT_KERNEL;
	out->u.sample.kernel = take_part(chain, count, &i,
					 &out->u.sample.nkernel);
	if (i == count || chain[i] != PERF_CONTEXT_USER)
		return;
	/* It begins with the leaf's own address. */
	i += 2;
	if (i < count)
		out->u.sample.user = take_part(chain, count, &i,
					       &out->u.sample.nuser);
}

static void
decode_regs(struct reader *r, struct perf_record *out)
{
	static const uint8_t order[] = {
		X86_RAX, X86_RBX, X86_RCX, X86_RDX, X86_RSI, X86_RDI,
		X86_RBP, X86_RSP, X86_RIP, X86_R8,  X86_R9,  X86_R10,
		X86_R11, X86_R12, X86_R13, X86_R14, X86_R15,
	};
	uint64_t abi = reader_u64(r);
	size_t i;

	if (abi == PERF_SAMPLE_REGS_ABI_NONE)
		return;
	for (i = 0; i < ARRAY_LEN(order); i++)
		out->u.sample.regs.r[order[i]] = reader_u64(r);
	out->u.sample.has_regs = abi == ABI_64;
}

static void
decode_stack(struct reader *r, struct perf_record *out)
{
	uint64_t size = reader_u64(r), used;

	if (size == 0)
		return;
	if (size > reader_left(r)) {
		r->failed = true;
		return;
	}
	out->u.sample.stack = reader_bytes(r, size);
	used = reader_u64(r);
	out->u.sample.stack_len = used < size ? used : size;
}

static void
decode_sample(struct reader *r, struct perf_record *out)
{
	out->pid = (pid_t)reader_u32(r);
	out->tid = (pid_t)reader_u32(r);
	out->time_ns = reader_u64(r);
	out->id = reader_u64(r);
	out->stream_id = reader_u64(r);
	out->u.sample.period = reader_u64(r);
	decode_chain(r, out);
	decode_regs(r, out);
	decode_stack(r, out);
}

static void
decode_mmap(struct reader *r, struct perf_record *out)
{
	uint32_t major, minor;

	out->pid = (pid_t)reader_u32(r);
	out->tid = (pid_t)reader_u32(r);
	out->u.mmap.addr = reader_u64(r);
	out->u.mmap.len = reader_u64(r);
	out->u.mmap.offset = reader_u64(r);
	major = reader_u32(r);
	minor = reader_u32(r);
	out->u.mmap.dev = makedev(major, minor);
	out->u.mmap.inode = reader_u64(r);
	reader_u64(r);		/* inode generation */
	out->u.mmap.prot = reader_u32(r);
	reader_u32(r);		/* flags */
	out->u.mmap.path = reader_cstr(r);
	if (out->u.mmap.addr + out->u.mmap.len < out->u.mmap.addr)
		r->failed = true;
}

static void
decode_own(struct reader *r, uint16_t misc, struct perf_record *out)
{
	switch (out->type) {
	case PERF_RECORD_MMAP2:
		decode_mmap(r, out);
		break;
	case PERF_RECORD_COMM:
		out->pid = (pid_t)reader_u32(r);
		out->tid = (pid_t)reader_u32(r);
		out->u.comm.name = reader_cstr(r);
		out->u.comm.is_exec = misc & PERF_RECORD_MISC_COMM_EXEC;
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		out->pid = (pid_t)reader_u32(r);
		out->u.task.ppid = (pid_t)reader_u32(r);
		out->tid = (pid_t)reader_u32(r);
		out->u.task.ptid = (pid_t)reader_u32(r);
		break;
	case PERF_RECORD_LOST:
		reader_u64(r);	/* id */
		out->u.lost = reader_u64(r);
		break;
	case PERF_RECORD_LOST_SAMPLES:
		out->u.lost = reader_u64(r);
		break;
	}
}

bool
perf_record_decode(const void *bytes, size_t len, struct perf_record *out)
{
	struct reader r = reader_of(bytes, len), body;
	uint16_t misc;

	*out = (struct perf_record){ .type = reader_u32(&r) };
	misc = reader_u16(&r);
	if (reader_u16(&r) != len || r.failed)
		return false;
	if (out->type == PERF_RECORD_SAMPLE) {
		decode_sample(&r, out);
		return !r.failed;
	}
	if (reader_left(&r) < TRAILER)
		return false;
	body = reader_of(r.at, reader_left(&r) - TRAILER);
	r.at = body.end;
	out->pid = (pid_t)reader_u32(&r);
	out->tid = (pid_t)reader_u32(&r);
	out->time_ns = reader_u64(&r);
	out->id = reader_u64(&r);
	out->stream_id = reader_u64(&r);
	decode_own(&body, misc, out);
	return !r.failed && !body.failed;
}

uint64_t
perf_record_time(const void *bytes, size_t len)
{
	struct reader r = reader_of(bytes, len);
	bool is_sample = reader_u32(&r) == PERF_RECORD_SAMPLE;
	size_t at = is_sample ? TIME_IN_SAMPLE : len - TIME_FROM_END;

	if (len < HEADER + (is_sample ? 16 : TRAILER))
		return 0;
	r = reader_of((const uint8_t *)bytes + at, 8);
	return reader_u64(&r);
}
