/* SPDX-License-Identifier: MIT */
/*
 * space_memory.c - what a walk reads: the copy, then the target.
 *
 * Memory comes from three places, the first that has it:
 *
 *	the copy of the stack	as it was at the sample
 *	pages of files		read once and kept, while that file is there
 *	the target now		pages kept until the walk is over
 *
 * A sample of a program that is gone has its copy only.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sampler/space_private.h"

static const struct space_page *
get_page(struct space *space, uint64_t addr)
{
	const struct mapping *mapping = maps_find(space->maps, addr);
	bool is_file = mapping && mapping->inode && !mapping->is_writable;
	uint64_t dev = is_file ? mapping->dev : 0;
	uint64_t inode = is_file ? mapping->inode : 0;
	struct space_page **slot =
		&space->pages[addr / SPACE_PAGE % SPACE_PAGES];
	struct space_page *page = *slot;

	space->has_gone_on |= !is_file;
	if (page && page->addr == addr && page->dev == dev &&
	    page->inode == inode && (is_file || page->walk == space->walk))
		return page;
	if (!page)
		page = *slot = xcalloc(1, sizeof(*page));
	page->addr = UINT64_MAX;
	errno = 0;
	if (!space->memory.read(space->memory.ctx, addr, page->bytes,
				SPACE_PAGE)) {
		space->is_shut |= errno == EPERM || errno == EACCES;
		return NULL;
	}
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
	while (len && !space->is_past) {
		size_t at = addr % SPACE_PAGE;
		size_t n = SPACE_PAGE - at < len ? SPACE_PAGE - at : len;
		const struct space_page *page = get_page(space, addr - at);

		if (!page)
			return false;
		memcpy(out, page->bytes + at, n);
		out += n;
		addr += n;
		len -= n;
	}
	return len == 0;
}

struct memory
space_walk_memory(struct space *space)
{
	const struct raw_sample *raw = space->raw;

	return (struct memory){
		.read = read_space, .ctx = space, .window = raw->stack,
		.window_addr = raw->regs.r[X86_RSP],
		.window_len = raw->stack_len,
		.trail = raw->trail,
		.ntrail = raw->ntrail,
		.trail_fp = raw->regs.r[X86_RBP],
	};
}

void
space_drop_pages(struct space *space)
{
	size_t i;

	for (i = 0; i < SPACE_PAGES; i++) {
		free(space->pages[i]);
		space->pages[i] = NULL;
	}
}
