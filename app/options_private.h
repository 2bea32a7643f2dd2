/* SPDX-License-Identifier: MIT */
/*
 * options_private.h - what the parts of options.c have of each other.
 */
#ifndef APP_OPTIONS_PRIVATE_H
#define APP_OPTIONS_PRIVATE_H

#include "app/options.h"

/* Set option ID, which was given with VALUE if it takes one. */
bool option_set(struct options *o, enum option_id id, const char *value,
		struct error *err);

bool option_is_number(const char *text);

/* "4242,4243" is added to PIDS, which has room for PIDS_MAX. */
bool option_pids(const char *text, pid_t *pids, size_t *count,
		 struct error *err);

/* WORD is one more of FILES, which has room for FILES_MAX. */
bool option_add_file(const char **files, size_t *count, const char *word,
		     struct error *err);

/* Are the operands of O's command files? */
bool options_read_files(const struct options *o);

/* What was given goes together, and nothing is missing. */
bool options_check(const struct options *o, struct error *err);

#endif
