/* SPDX-License-Identifier: MIT */
/*
 * parser.h - a process that parses (app/worker.h), as the supervisor keeps it:
 * started again when it has died, and its user told of it.
 *
 * There are two, so that neither work nor death of one delays the other: one
 * for names, which main speaks to, and one for tables of unwind rules, which
 * the tables thread speaks to. Each user has a control socket of its own.
 */
#ifndef APP_PARSER_H
#define APP_PARSER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct parser {
	const char *name;		/* as ps shows it */
	int control;			/* to its user; -1: gone */
	pid_t pid;			/* 0: none runs */
	int fd;				/* pidfd; -1: none */
	uint64_t born_ns, due_ns, backoff_ns;
	int status;			/* how the last one ended (waitpid) */
};

/*
 * Start it; the user's end of its socket, or -1. The child calls LEAVE to let
 * go of what is the supervisor's.
 */
typedef void (*leave_fn)(void *ctx);
int parser_start(struct parser *parser, leave_fn leave, void *ctx);

/*
 * What a process that ended with STATUS (waitpid) says against the file that
 * it was at work on; WE_ENDED it if that took too long. A file with
 * PARSER_HARM_MAX is to be set aside.
 */
#define PARSER_HARM_MAX 6
unsigned parser_harm(int status, bool we_ended);

/* Look whether it has died; then start another when it is due. */
void parser_tend(struct parser *parser, leave_fn leave, void *ctx);

#endif
