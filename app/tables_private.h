/* SPDX-License-Identifier: MIT */
/*
 * tables_private.h - what tables.c and tables_wishes.c share.
 */
#ifndef APP_TABLES_PRIVATE_H
#define APP_TABLES_PRIVATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "app/opener.h"
#include "app/patience.h"
#include "app/tables.h"
#include "app/wire.h"

enum table_state {
	TABLE_UNSEEN,		/* its file was not asked for, or has to be
				   again */
	TABLE_OPENING,		/* the opener has it */
	TABLE_READY,		/* FD is to be handed over */
	TABLE_OPEN,		/* the tables process has it */
	TABLE_SEEKING,		/* and the opener looks for its debug file */
	TABLE_FOUND,		/* FD is that, to be handed over */
	TABLE_ASIDE,		/* no tables from here */
};

struct table_module {
	enum table_state state;
	int fd;			/* READY, FOUND */
	uint64_t file_size;
	struct debug_hint hint;
	unsigned debug_place;	/* the next one to look for that file in */
	bool has_sought;	/* there is none that was not tried */
	unsigned harm;		/* grows when the process died of it */
	uint32_t asked_id;	/* of the last request about it */
	unsigned pages_asked;
	bool is_whole_asked;
};

struct tables {
	struct tables_config config;
	pthread_t thread;
	int stop;			/* eventfd */
	_Atomic pid_t pid;
	_Atomic unsigned set_aside;

	/* The thread's own from here on. */
	int sock, control;		/* -1: none */
	struct opener *opener;
	unsigned opening;		/* files that it has */
	struct table_module *modules;	/* by module_id */
	size_t nmodules, modules_capacity;
	struct row_wish *wishes;	/* to be asked for, in order */
	size_t nwishes, wishes_capacity;
	struct row_wish wish;		/* that ROWS asks for */
	struct wire_request request;	/* under way; type 0: none */
	uint32_t next_id;
	struct patience patience;
	struct writer out;
	uint8_t in[WIRE_MAX];
};

/* Take over what the capture thread wishes for. */
void tables_take_wishes(struct tables *tables);

/*
 * Make a request of the first wish that can be asked for now; modules that are
 * not open are, on the way. False: nothing to send. If it is an OPEN or a DEBUG
 * *FD is its file, which is the caller's, else -1.
 */
bool tables_next_request(struct tables *tables, int *fd);

/* Does the tables process have MODULE's file? */
static inline bool
table_is_open(const struct table_module *module)
{
	return module->state == TABLE_OPEN ||
	       module->state == TABLE_SEEKING ||
	       module->state == TABLE_FOUND;
}

/* The request was not answered: its wish is the first again. */
void tables_ask_again(struct tables *tables);

/*
 * An answer to the request under way, with FD (borrowed) or -1. False if it
 * is none: the other end cannot be trusted any more.
 */
bool tables_take_answer(struct tables *tables,
			const struct wire_answer *answer, int fd);

#endif
