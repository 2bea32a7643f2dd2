/* SPDX-License-Identifier: MIT */
/*
 * load.h - a profile from a file, for commands without a screen.
 */
#ifndef APP_LOAD_H
#define APP_LOAD_H

#include "app/recording.h"
#include "core/base.h"
#include "core/profile.h"

/*
 * Have the symbols process read PATH ("-": standard input, to its end), as
 * the options say, and tell on standard error what it had to ignore. NULL
 * with ERR; a signal ends it too. The caller frees.
 */
struct profile *load_profile(struct recording *r, const char *path,
			     struct error *err);

/*
 * PATH could not be opened, ERR says why. Where it may have been meant as a
 * process add how one is named.
 */
void load_suggest(const char *path, struct error *err);

#endif
