/* SPDX-License-Identifier: MIT */
/*
 * opener.h - a thread that opens files, because opening may hang.
 *
 * Jobs are done one after the other. One that takes longer than OPENER_MS is
 * answered with a failure and abandoned together with its thread; a new
 * thread goes on with the rest. What the abandoned one still brings is thrown
 * away.
 */
#ifndef APP_OPENER_H
#define APP_OPENER_H

#include <stdbool.h>
#include <stdint.h>

#include "app/folder.h"
#include "app/open.h"

#define OPENER_MS 2000

enum opener_kind {
	OPENER_FILE, OPENER_MODULE, OPENER_DEBUG, OPENER_COMMON,
	OPENER_PERF_MAP, OPENER_JITDUMP, OPENER_VDSO, OPENER_KALLSYMS,
	OPENER_FOLDER,
};

struct opener_job {
	enum opener_kind kind;
	uint32_t tag;			/* for the caller */
	uint64_t max;			/* FILE: bytes */
	struct open_mapping mapping;	/* FILE, FOLDER: only path; PERF_MAP
					   and JITDUMP: pid */
	char start[256];		/* FOLDER: of the names */
	struct debug_hint hint;		/* DEBUG, COMMON */
	unsigned place;			/* DEBUG: the first to look at */
};

struct opener_result {
	enum opener_kind kind;
	uint32_t tag;
	int fd;				/* the caller's; -1: failed, see ERR */
	uint64_t size;			/* PERF_MAP, JITDUMP */
	unsigned place;			/* DEBUG: where it was */
	struct folder *folder;		/* FOLDER: the caller's; NULL: failed */
	struct error err;
};

struct opener;

struct opener *opener_new(void);
void opener_free(struct opener *opener);

/* Polls readable when a result may be there. */
int opener_fd(const struct opener *opener);

void opener_ask(struct opener *opener, const struct opener_job *job);

/* A result, in the order of the jobs; false if none is there (yet). */
bool opener_next(struct opener *opener, struct opener_result *out);

/*
 * For what is needed before anything else: open PATH and wait for it, at most
 * OPENER_MS. Other results must not be outstanding.
 */
int opener_open_now(struct opener *opener, const char *path, uint64_t max,
		    struct error *err);

#endif
