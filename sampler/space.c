/* SPDX-License-Identifier: MIT */
/*
 * space.c - from registers and a piece of stack to frames.
 *
 * Memory comes from three places, the first that has it:
 *
 *	the copy of the stack	as it was at the sample
 *	pages of files		read once and kept, while that file is there
 *	the target now		pages kept until the walk is over
 */
#include "sampler/space.h"

#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#define PAGE 4096u
#define PAGES 1024		/* of files, kept; 4 MiB at most */
#define KERNEL_DEPTH 128	/* kernel frames kept; the kernel's own limit */
#define REREAD_NS 500000000u	/* between two looks at /proc/PID/maps */

/* Frames of one sample: kernel, user, and two notes. */
#define FRAMES (KERNEL_DEPTH + SAMPLE_DEPTH + 2)

struct page {
	uint64_t addr;
	uint64_t dev, inode;	/* of the file it is from; 0: of this walk */
	uint64_t walk;
	uint8_t bytes[PAGE];
};

struct space {
	pid_t pid;
	const struct target *target;	/* or NULL */
	struct memory memory;		/* the target's, now */
	enum unwind_mode mode;
	const struct sink *sink;
	struct maps *maps;
	struct unwinder *unwinder;	/* made for the first sample */
	bool knows_kernel;
	module_id kernel;
	const struct raw_sample *raw;	/* during a walk */
	uint64_t walk;			/* number of the walk */
	uint64_t reread_ns;
	struct page *pages[PAGES];
	uint64_t pcs[SAMPLE_DEPTH];
	struct frame frames[FRAMES];
	size_t depth;
};

/* --- memory */

static bool
read_process(void *ctx, uint64_t addr, void *buf, size_t len)
{
	const struct space *space = ctx;
	struct iovec to = { buf, len };
	struct iovec from = { (void *)(uintptr_t)addr, len };

	return process_vm_readv(space->pid, &to, 1, &from, 1, 0) ==
	       (ssize_t)len;
}

static const struct page *
get_page(struct space *space, uint64_t addr)
{
	const struct mapping *mapping = maps_find(space->maps, addr);
	bool is_file = mapping && mapping->inode && !mapping->is_writable;
	uint64_t dev = is_file ? mapping->dev : 0;
	uint64_t inode = is_file ? mapping->inode : 0;
	struct page **slot = &space->pages[addr / PAGE % PAGES];
	struct page *page = *slot;

	if (page && page->addr == addr && page->dev == dev &&
	    page->inode == inode && (is_file || page->walk == space->walk))
		return page;
	if (!page)
		page = *slot = xcalloc(1, sizeof(*page));
	page->addr = UINT64_MAX;
	if (!space->memory.read(space->memory.ctx, addr, page->bytes, PAGE))
		return NULL;
	page->addr = addr;
	page->dev = dev;
	page->inode = inode;
	page->walk = space->walk;
	return page;
}

static bool
read_space(void *ctx, uint64_t addr, void *buf, size_t len)
{
	struct space *space = ctx;
	const struct raw_sample *raw = space->raw;
	uint64_t sp = raw->regs.r[X86_RSP];
	uint8_t *out = buf;

	if (addr >= sp && addr - sp <= raw->stack_len &&
	    len <= raw->stack_len - (addr - sp)) {
		memcpy(buf, (const uint8_t *)raw->stack + (addr - sp), len);
		return true;
	}
	while (len) {
		size_t at = addr % PAGE, n = PAGE - at < len ? PAGE - at : len;
		const struct page *page = get_page(space, addr - at);

		if (!page)
			return false;
		memcpy(out, page->bytes + at, n);
		out += n;
		addr += n;
		len -= n;
	}
	return true;
}

/* --- life */

struct space *
space_new(pid_t pid, const struct target *target, enum unwind_mode unwind,
	  const struct sink *sink)
{
	struct space *space = xcalloc(1, sizeof(*space));

	space->pid = pid;
	space->target = target;
	space->memory = target ? target_memory(target) :
			(struct memory){ .read = read_process, .ctx = space };
	space->mode = unwind;
	space->sink = sink;
	space->maps = maps_new();
	return space;
}

static void
drop_pages(struct space *space)
{
	size_t i;

	for (i = 0; i < PAGES; i++) {
		free(space->pages[i]);
		space->pages[i] = NULL;
	}
}

void
space_free(struct space *space)
{
	if (!space)
		return;
	drop_pages(space);
	unwind_free(space->unwinder);
	maps_free(space->maps);
	free(space);
}

struct space *
space_fork(const struct space *space, pid_t child)
{
	struct space *copy = space_new(child, NULL, space->mode, space->sink);

	maps_free(copy->maps);
	copy->maps = maps_clone(space->maps);
	return copy;
}

struct maps *
space_maps(struct space *space)
{
	return space->maps;
}

void
space_reset(struct space *space)
{
	maps_clear(space->maps);
	drop_pages(space);
}

/* --- frames */

static void
add_frame(struct space *space, module_id module, enum frame_kind kind,
	  uint64_t offset)
{
	space->frames[space->depth++] = (struct frame){
		.module = module, .kind = kind, .offset = offset,
	};
}

static void
add_note(struct space *space, enum sample_note note)
{
	add_frame(space, 0, FRAME_NOTE, note);
}

static void
add_kernel(struct space *space, const struct raw_sample *raw)
{
	size_t i;

	if (raw->nkernel && !space->knows_kernel) {
		space->kernel = space->sink->module(space->sink->ctx,
						    space->pid, NULL);
		space->knows_kernel = true;
	}
	for (i = 0; i < raw->nkernel && i < KERNEL_DEPTH; i++)
		add_frame(space, space->kernel, FRAME_KERNEL,
			  raw->kernel[i] - (i > 0));
}

static void
add_user(struct space *space, uint64_t pc)
{
	const struct mapping *mapping = maps_find(space->maps, pc);
	module_id module;
	bool is_jit;

	if (!mapping) {
		add_note(space, NOTE_UNMAPPED);
		return;
	}
	module = mapping->module;
	is_jit = mapping->kind == MODULE_JIT;
	if (!module) {
		module = space->sink->module(space->sink->ctx, space->pid,
					     mapping);
		maps_set_module(space->maps, pc, module);
	}
	add_frame(space, module, is_jit ? FRAME_JIT : FRAME_CODE,
		  is_jit ? pc : pc - mapping->start + mapping->file_offset);
}

/*
 * Code where nothing is mapped: a record has been lost, or came before we
 * did. What /proc says now fills the gaps, and only them: records are in step
 * with the samples, /proc is ahead of them.
 */
static void
fill_gaps(struct space *space, uint64_t pc, uint64_t now)
{
	struct maps *seen;
	size_t i;

	if (!space->target || maps_find(space->maps, pc) ||
	    now - space->reread_ns < REREAD_NS)
		return;
	space->reread_ns = now;
	seen = maps_new();
	target_read_maps(space->target, seen, NULL);
	for (i = 0; i < maps_count(seen); i++) {
		struct mapping mapping = *maps_at(seen, i);

		mapping.module = 0;
		if (!maps_find(space->maps, mapping.start) &&
		    !maps_find(space->maps, mapping.end - 1))
			maps_add(space->maps, &mapping);
	}
	maps_free(seen);
}

static enum unwind_end
add_stack(struct space *space, const struct raw_sample *raw)
{
	struct memory memory = { .read = read_space, .ctx = space };
	enum unwind_end end;
	size_t i, seen, leaf = unwind_leaf_part(SAMPLE_DEPTH);

	if (!space->unwinder)
		space->unwinder = unwind_new(space->mode, NULL);
	fill_gaps(space, raw->regs.r[X86_RIP], raw->time_ns);
	space->raw = raw;
	space->walk++;
	seen = unwind_stack(space->unwinder, space->maps, &raw->regs, &memory,
			    false, space->pcs, NULL, SAMPLE_DEPTH, &end);
	space->raw = NULL;
	for (i = 0; i < seen && i < SAMPLE_DEPTH; i++) {
		if (i == leaf && seen > SAMPLE_DEPTH)
			add_note(space, NOTE_LEFT_OUT);
		add_user(space, space->pcs[i]);
	}
	/* Below a root of their own, not among those that are whole. */
	if (end == UNWIND_CUT || end == UNWIND_NO_RULE ||
	    end == UNWIND_STUCK || seen == unwind_limit(SAMPLE_DEPTH))
		add_note(space, NOTE_CUT);
	return end;
}

void
space_sample(struct space *space, const struct raw_sample *raw)
{
	struct sample sample = {
		.time_ns = raw->time_ns,
		.pid = space->pid,
		.tid = raw->tid,
		.kind = raw->kind,
		.weight = raw->weight,
		.end = UNWIND_COMPLETE,
		.frames = space->frames,
	};

	space->depth = 0;
	add_kernel(space, raw);
	if (raw->has_regs)
		sample.end = add_stack(space, raw);
	if (!space->depth)
		add_note(space, NOTE_UNMAPPED);
	sample.depth = space->depth;
	space->sink->sample(space->sink->ctx, &sample);
}
