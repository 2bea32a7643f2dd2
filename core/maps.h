/* SPDX-License-Identifier: MIT */
/*
 * maps.h - an address space as data: which file lies where.
 *
 * Filled from /proc/PID/maps at the start and from mmap records afterwards. A
 * new mapping covers what was there before, as mmap(2) does, so an unmap need
 * not be seen to be right. Only executable ranges matter to a profiler, but
 * all are accepted.
 *
 * A lookup costs one binary search, hit or miss.
 */
#ifndef CORE_MAPS_H
#define CORE_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/profile.h"

/* One mapping. Plain value; PATH is owned by the maps. */
struct mapping {
	uint64_t start, end;	/* [start, end) */
	uint64_t file_offset;	/* of START */
	uint64_t dev, inode;	/* 0 without a file; dev as in stat(2) */
	const char *path;	/* as the kernel gave it, " (deleted)" gone,
				   "\012" undone, not cleaned; "" */
	bool is_executable, is_writable, is_deleted;
	enum module_kind kind;
	module_id module;	/* set by maps_set_module(); 0 before */
	/*
	 * Run-time address of the module's ELF header, when the first page
	 * of the file is mapped; 0 otherwise. Kept by maps_add().
	 */
	uint64_t base;
};

struct maps;

struct maps *maps_new(void);
struct maps *maps_clone(const struct maps *maps);	/* after fork */
void maps_free(struct maps *maps);
void maps_clear(struct maps *maps);			/* after exec */

/*
 * MAPPING covers whatever lay there; its path is copied. One that is there
 * already, equal in all, changes nothing and keeps its module.
 */
void maps_add(struct maps *maps, const struct mapping *mapping);

/* Borrowed, valid until the next maps_add() or maps_clear(); or NULL. */
const struct mapping *maps_find(const struct maps *maps, uint64_t addr);

/*
 * Executable memory without a file that fills the hole in one, byte for byte,
 * is that file's text: moved to huge pages, and at the same addresses. After
 * maps were read whole.
 */
void maps_rejoin(struct maps *maps);

void maps_set_module(struct maps *maps, uint64_t addr, module_id module);

/* Grows with every change; caches of addresses are stale then. */
uint64_t maps_generation(const struct maps *maps);

size_t maps_count(const struct maps *maps);
const struct mapping *maps_at(const struct maps *maps, size_t i);

/*
 * What MAPPING's path and rights make it: MODULE_LIBRARY for a file (that one
 * of them is the program is not seen from here), MODULE_VDSO, MODULE_KERNEL
 * for the vsyscall page, MODULE_JIT for executable memory without a file
 * ("", "[heap]", "//anon", "/memfd:...", "/SYSV...", "/dev/zero"), and
 * MODULE_NONE for the rest.
 */
enum module_kind mapping_kind(const struct mapping *mapping);

/*
 * Read one line of /proc/PID/maps (LEN bytes, without newline; proc(5)) into
 * MAPPING, whose path then points to PATH_BUFFER of SIZE bytes. False, and
 * MAPPING is untouched, if it is no such line or the path does not fit.
 */
bool maps_parse_line(const char *line, size_t len, struct mapping *mapping,
		     char *path_buffer, size_t size);

#endif
