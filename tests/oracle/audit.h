/* SPDX-License-Identifier: MIT */
/*
 * audit.h - is a chain of addresses a stack? Judged by the code alone.
 *
 * Knows nothing of how the chain came about, nor of its verdict:
 *
 *	each caller	follows a call instruction, but for what a signal
 *			interrupted (Go preempts by that, too), for the code
 *			that ends its handler, for a JIT's code, for Go's
 *			first functions, where nothing ever called, and for
 *			the handler of an exception that is about to be
 *			entered
 *	the outermost	is where a program or a thread begins: the entry point
 *			of an ELF file, code that has cleared rbp as the ABI
 *			asks of a first frame (psABI 3.4.1), or Go's first
 *			functions
 */
#ifndef TESTS_ORACLE_AUDIT_H
#define TESTS_ORACLE_AUDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/oracle/engine.h"

/* Does a call instruction end at ADDR? */
bool audit_is_after_call(struct sample_memory *memory, uint64_t addr);

/*
 * How many frames of CHAIN should follow a call, and how many of them do not.
 * FIRST is the index of the first one that does not.
 */
struct audit {
	size_t checked, violations, first;
	bool has_root, is_first;	/* by its place; by its name, too */
};
struct audit audit_chain(struct sample_memory *memory,
			 const struct chain *chain);

/* "file+0xoffset symbol" of PC for a report; BUF of SIZE is returned. */
const char *audit_where(struct sample_memory *memory, uint64_t pc, char *buf,
			size_t size);

#endif
