/* SPDX-License-Identifier: MIT */
/*
 * client.h - the app's side of the symbols process.
 *
 * Frames that came in since the last turn wait at their module; the module's
 * file is opened (app/opener.h) and handed over; offsets are asked for in
 * batches, one request at a time; answers become names. Nothing here waits:
 * each turn does what can be done now.
 *
 *	new frame -> module unseen -> opener -> OPEN -> RESOLVE -> names_set()
 *	                                          \-> a debug file -> again
 *
 * A module is opened and indexed as soon as a stack leads there, while that
 * stack may still wait for its unwind rules.
 *
 * When the symbols process dies, the request that was under way is asked
 * anew of the next one; a module that kills again and again is set aside.
 */
#ifndef APP_CLIENT_H
#define APP_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "app/capture.h"
#include "app/opener.h"
#include "core/names.h"
#include "core/profile.h"
#include "formats/format.h"

struct client;

/* Speaks over SOCK, which it takes. OPENER is borrowed. */
struct client *client_new(int sock, struct opener *opener);
void client_free(struct client *client);

/* Name the frames of PROFILE, whose modules CAPTURE knows, in NAMES. */
void client_watch(struct client *client, struct profile *profile,
		  struct names *names, struct capture *capture);

/* A new symbols process; the last one ended with STATUS (waitpid). */
void client_reconnect(struct client *client, int sock, int status);

/* Polls readable when an answer is there; -1 without a process. */
int client_fd(const struct client *client);

/* Take in results and answers, ask on. True when a name has come. */
bool client_turn(struct client *client);

/* Nothing is under way and nothing is left to ask. */
bool client_is_idle(const struct client *client);

/* Has a frame no name yet that may still get one? */
bool client_lacks_names(const struct client *client);

/*
 * What is not read to its end: "libc.so.6 and 2 others", the one that the
 * symbols process is at first. False: nothing.
 */
bool client_unfinished(const struct client *client, char *out, size_t size);

/*
 * No answer for so long that the process should be killed; said once. CPU_NS
 * is what it has used so far: on a busy machine one that works is waited for,
 * and one that works on and on is not.
 */
bool client_hangs(struct client *client, uint64_t cpu_ns);

/*
 * Something is to be asked, but there is no process, or it has not moved for
 * two seconds: whoever waits for the last names need not wait any longer.
 */
bool client_is_stuck(const struct client *client);

/*
 * Find out where FRAME is in the source and what was inlined there, once; if
 * debug sections have to be unpacked for it, only if MAY_UNPACK. The answers
 * change names, as others do.
 */
void client_ask_place(struct client *client, frame_id frame, bool may_unpack);

/* The same for all frames there are; and is any of them not found yet? */
void client_ask_all_places(struct client *client);
bool client_is_placing(const struct client *client);

/* Keep the places alone, not what was inlined. */
void client_hide_inlined(struct client *client);

/*
 * The I-th thing that went wrong with a module, the newest first; NULL when
 * there are no more. Valid until the next turn.
 */
const char *client_problem(const struct client *client, size_t i);

/* Of the program, in hex; "" when not known. */
const char *client_build_id(const struct client *client);

/*
 * Have the file in FD (taken) read as a profile, as READ says. The result
 * comes in a later turn: true when it is there; then *OUT is the profile,
 * which the caller frees, or NULL and ERR says why.
 */
void client_load(struct client *client, int fd,
		 const struct read_options *read);

/*
 * How much of that file was taken, in percent: the process that reads it
 * shares the descriptor's position with us.
 */
unsigned client_load_percent(const struct client *client);

bool client_loaded(struct client *client, struct profile **out,
		   struct read_report *report, struct error *err);

#endif
