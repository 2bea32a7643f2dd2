/* SPDX-License-Identifier: MIT */
/*
 * pprof_out.h - the tables of a pprof file that is being written.
 *
 * Ids are rows, so they count from 1 in the order of the tables, which is
 * what the strictest receiver asks for. A location is a frame with all that
 * was inlined there:
 *
 *	main;parse;push_[i];grow_[i]	2 locations: main, and
 *					{grow, push, parse}
 */
#ifndef FORMATS_PPROF_OUT_H
#define FORMATS_PPROF_OUT_H

#include <stddef.h>
#include <stdint.h>

#include "core/names.h"
#include "core/profile.h"
#include "core/reader.h"
#include "core/strings.h"
#include "core/table.h"

struct pprof_out {
	struct profile *profile;
	struct names *names;
	struct strings *strings;	/* ids are those of the file */
	struct table mappings, functions, chains;
	uint32_t *used;			/* chains that are locations, in the
					   order of their ids */
	size_t nused, used_capacity;
	uint32_t *path;			/* chains of one stack, root first */
	size_t depth, path_capacity;
	string_id build_id;		/* of the program; 0: not known */
};

void pprof_out_init(struct pprof_out *out, struct profile *profile,
		    struct names *names);
void pprof_out_fini(struct pprof_out *out);

string_id pprof_out_text(struct pprof_out *out, const char *text);

/* The location ids of STACK, leaf first, into IDS (its depth at most). */
size_t pprof_out_stack(struct pprof_out *out, stack_id stack, uint64_t *ids);

/* All tables as fields of the profile; the strings last. */
void pprof_out_write(struct pprof_out *out, struct writer *file);

#endif
