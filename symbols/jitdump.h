/* SPDX-License-Identifier: MIT */
/*
 * jitdump.h - functions of a JIT, from the binary file it appends to.
 *
 *	header	magic, version, own size, machine, pid, time, flags
 *	record	number, size, time, and
 *		0 load	 pid tid vma address size index name\0 code
 *		1 move	 pid tid vma old new size index
 *		2 lines	 address count { address line discriminator file\0 },
 *			 of the next load with that address
 *		3 close	 4 unwinding information
 *
 * (tools/perf/Documentation/jitdump-specification.txt of Linux.) The file is
 * written while it is read: a record that is not whole is read next time. Its
 * code, most of the bytes, is skipped. Entries count in the order of their
 * times, which are not always those of the file.
 *
 * The other byte order is refused by name. Everything has a bound: the target
 * writes this.
 */
#ifndef SYMBOLS_JITDUMP_H
#define SYMBOLS_JITDUMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base.h"
#include "symbols/versions.h"

#define JITDUMP_LOADS_MAX ((size_t)4 << 20)
#define JITDUMP_NAME_MAX ((size_t)4096)		/* the rest is cut off */
#define JITDUMP_LINES_MAX ((size_t)16 << 20)	/* of all functions */

struct jitdump;

/* Do the LEN first bytes of a file look like one, of either byte order? */
bool jitdump_is(const void *bytes, size_t len);

struct jitdump *jitdump_new(void);
void jitdump_free(struct jitdump *dump);

/*
 * Take what FD (borrowed) has more than at the last call; all of it if it is
 * another file. What could be read is kept on failure.
 */
bool jitdump_read(struct jitdump *dump, int fd, struct error *err);

/* By address in the process and version. Borrowed. */
struct versions *jitdump_versions(const struct jitdump *dump);

/* Where in the source OFFSET is; FILE is borrowed until the next read. */
bool jitdump_line(struct jitdump *dump, uint64_t offset, const char **file,
		  uint32_t *line);

size_t jitdump_loads(const struct jitdump *dump);
size_t jitdump_junk(const struct jitdump *dump);	/* records skipped */

#endif
