/* SPDX-License-Identifier: MIT */
/*
 * tables.h - the thread that brings tables of unwind rules.
 *
 * It takes the wishes of app/row_store.h, has the files opened, asks the
 * tables process and puts what comes back, checked, into the store:
 *
 *	wish -> module unseen -> opener -> OPEN -> ROWS -> row_store_put()
 *
 * Where much of the code has no rule in there, a debug file that has more is
 * looked for first (opener, DEBUG), and the table made again.
 *
 * Nothing that it needs comes from main, which a terminal or a disk may hold
 * up for as long as they like: opener, process and the supervisor's messages
 * are its own. It waits in poll() and nowhere else.
 *
 * When the tables process dies, what was under way is asked anew of the next
 * one; a module that kills again and again gets no table.
 */
#ifndef APP_TABLES_H
#define APP_TABLES_H

#include <stdbool.h>
#include <sys/types.h>

#include "app/open.h"
#include "app/row_store.h"

struct tables_config {
	int sock, control;	/* taken: app/wire.h, app/supervisor.h */
	pid_t pid;		/* of the process at the other end of SOCK */
	struct row_store *rows;	/* borrowed */

	/* Where the code of MODULE is mapped; called on the thread. */
	bool (*origin)(void *ctx, module_id module, struct open_mapping *out);
	void *ctx;
};

struct tables;

/* Start the thread; NULL with ERR. */
struct tables *tables_start(const struct tables_config *config,
			    struct error *err);

/* End it; what the store does not have is missing from now on. */
void tables_free(struct tables *tables);

/* The process that makes tables now. */
pid_t tables_pid(struct tables *tables);

/* How many modules were set aside because their reader died of them. */
unsigned tables_set_aside(struct tables *tables);

#endif
