/* SPDX-License-Identifier: MIT */
/*
 * folder.h - names in a folder that begin so, for one who types a path.
 *
 * Files, folders (with a slash) and links to them; no pipes and devices, which
 * nothing here opens. Hidden ones only when their dot is typed. Names that
 * cannot be typed (control characters, no UTF-8) are left out.
 *
 * It may hang (NFS, FUSE): call it on the opener's thread.
 */
#ifndef APP_FOLDER_H
#define APP_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base.h"

#define FOLDER_LISTED 200	/* names, the first in order */
#define FOLDER_READ 200000	/* entries that are looked at */

struct folder {
	char *names[FOLDER_LISTED + 1];
	size_t count, total;	/* listed, and all that begin so */
	char common[300];	/* as far as all of them agree */
	bool is_cut;		/* there are more entries than are read */
};

/* A new list, or NULL with ERR. */
struct folder *folder_list(const char *path, const char *start,
			   struct error *err);
void folder_free(struct folder *folder);

#endif
