/* SPDX-License-Identifier: MIT */
/*
 * dump_stacks.h - the threads of a dump with their stacks in words.
 */
#ifndef APP_DUMP_STACKS_H
#define APP_DUMP_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/names.h"
#include "core/profile.h"
#include "sampler/dump.h"

/* One function of a stack; strings are borrowed from the names. */
struct dump_line {
	const char *name, *module;	/* MODULE "": none is known */
	const char *file;		/* "" and 0: not known */
	uint32_t line;
	bool is_inlined;
};

typedef void (*dump_line_fn)(void *ctx, const struct dump_line *line);

/* The functions of STACK, leaf first. */
void dump_each_line(const struct profile *profile, struct names *names,
		    stack_id stack, dump_line_fn fn, void *ctx);

struct dump_row {
	const struct dump_thread *thread;
	stack_id stack;
	char *text;			/* of the stack: equal ones are equal */
	char wait[400];			/* wait_text() */
};

struct dump_stacks {
	const struct dump *dump;
	const struct profile *profile;
	struct names *names;
	struct dump_row *rows;		/* in the order of the dump */
	size_t count;
};

/*
 * CELLS, N of them, are what the sampler counted: one for each thread that has
 * a stack. All is borrowed until dump_stacks_fini().
 */
void dump_stacks_init(struct dump_stacks *stacks, const struct dump *dump,
		      const struct profile *profile, struct names *names,
		      const struct cell *cells, size_t n);
void dump_stacks_fini(struct dump_stacks *stacks);

/* "running", "sleeping" ... for a letter of /proc/PID/stat. */
const char *dump_state_text(char state);

/*
 * What threads wait at: each address once, with all that wait there, those
 * with the most first. The caller frees it.
 */
struct dump_place {
	uint64_t address;
	pid_t owner;			/* 0: not known */
	size_t waiters;
};
struct dump_place *dump_places(const struct dump *dump, size_t *n);

/* --- dump_text.c, dump_json.c */

void dump_print(FILE *out, const struct dump_stacks *stacks);

/*
 * False if that cannot be made, for lack of memory; what OUT did not take is
 * an error of OUT's.
 */
bool dump_print_json(FILE *out, const struct dump_stacks *stacks);

#endif
