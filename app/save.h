/* SPDX-License-Identifier: MIT */
/*
 * save.h - a profile into a file: whole or not at all.
 *
 * Written to a file without a name, fsynced, and given the name then; mode
 * 0600. What was there before stays until then, and unless IS_FORCED stays for
 * good; what is no regular file (a device, a pipe, a link) always does. On any
 * failure no file is left behind and the profile is still there to be saved
 * elsewhere; nor is one left by who is killed, unless the file system has no
 * files without a name (O_TMPFILE).
 */
#ifndef APP_SAVE_H
#define APP_SAVE_H

#include <stdbool.h>
#include <stddef.h>

#include "app/options.h"
#include "core/base.h"
#include "core/names.h"
#include "core/profile.h"
#include "formats/format.h"

struct save_options {
	struct write_options write;
	const char *to;		/* the suffix to go by; NULL: the path's */
	bool is_forced;		/* over a file that exists */
};

/*
 * How PROFILE is to be saved by what OPTIONS say of that. Their --to is about
 * --output alone: it is left to who saves that.
 */
struct save_options save_as_asked(const struct options *options,
				  const struct profile *profile);

/*
 * Would PATH be refused? To be asked before samples are taken for it; the
 * answer is not binding.
 */
bool save_permitted(const char *path, bool is_forced, struct error *err);

/* Is TO a suffix that can be written: "folded.gz"? */
bool save_knows(const char *to, struct error *err);

/* PATH "-" is standard output; its suffix chooses the format, ".gz" too. */
bool save_profile(const char *path, struct profile *profile,
		  struct names *names, const struct save_options *options,
		  struct error *err);

/* LEN BYTES as the file PATH. */
bool save_bytes(const char *path, const char *bytes, size_t len,
		bool is_forced, struct error *err);

/*
 * "COMM-PID-YYYYMMDD-HHMMSS.folded" for PROFILE's header keys, into OUT.
 * COMM's bytes other than [A-Za-z0-9._-] become '_'.
 */
void save_name(const struct profile *profile, char *out, size_t size);

/*
 * Save under a name of our own in $XDG_STATE_HOME/flametop (which is made,
 * 0700); PATH of SIZE bytes tells where.
 */
bool save_rescue(struct profile *profile, struct names *names, char *path,
		 size_t size, struct error *err);

#endif
