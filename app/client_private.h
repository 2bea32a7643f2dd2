/* SPDX-License-Identifier: MIT */
/*
 * client_private.h - what client.c and client_modules.c share.
 */
#ifndef APP_CLIENT_PRIVATE_H
#define APP_CLIENT_PRIVATE_H

#include "app/client.h"
#include "app/patience.h"
#include "app/wire.h"

#define PROBLEMS_MAX 64

/* A list of frames. */
struct frame_list {
	frame_id *ids;
	size_t count, capacity;
};

enum module_state {
	STATE_UNSEEN,		/* its file was not asked for, or has to be
				   again */
	STATE_OPENING,		/* the opener has it */
	STATE_READY,		/* FD is to be handed over */
	STATE_OPEN,		/* the symbols process has it */
	STATE_ASIDE,		/* no names from here */
};

struct known_module {
	enum module_state state;
	enum module_kind kind;
	int fd, debug_fd, common_fd;	/* -1: none */
	struct debug_hint hint;		/* for a debug file, */
	unsigned debug_place;		/* and where the last one was found */
	unsigned harm;			/* grows when the process died of it */
	uint32_t asked_id;		/* of the last request about it */
	bool is_met;			/* a stack leads there: frames come */
	struct frame_list waiting;	/* to be asked for */
	struct frame_list nameless;	/* asked for, in vain so far */
	struct frame_list unplaced;	/* to be asked where they are */
	bool is_packed;			/* its debug sections are compressed, */
	bool may_unpack;		/* and somebody wants to know */
	uint64_t size, looked_ns;	/* perf map */
	bool is_looking;		/* perf map: the opener has it */
	/* The same for a jitdump, which becomes DEBUG_FD. */
	uint64_t dump_size, dump_looked_ns, dump_wait_ns;
	bool is_looking_dump;
	uint32_t version;		/* of generated code, in its frames */
	unsigned opening;		/* debug files that the opener has */
};

/* One offset of the RESOLVE under way. */
struct asked {
	uint64_t offset;
	frame_id frame;
	bool is_named;
};

struct client {
	int sock;
	struct opener *opener;
	struct profile *profile;
	struct names *names;
	struct capture *capture;
	frame_id next_frame;		/* the first that was not looked at */
	module_id next_module;		/* likewise */
	uint64_t *starts;		/* by frame: where its function
					   begins; 0: not known */
	size_t starts_capacity;
	struct known_module *modules;	/* by module_id */
	size_t nmodules, modules_capacity;
	char *problems[PROBLEMS_MAX];	/* the newest last */
	size_t nproblems, nmore;
	char more_problems[64];
	char jit_problem[480];		/* no perf map, so far */
	bool runs_python;		/* CPython's interpreter has a frame */
	char build_id[41];		/* of the program */
	bool got_name;

	/* The request under way; request.type 0: none. */
	struct wire_request request;
	struct patience patience;
	uint64_t alive_ns;		/* heard of the process */
	struct asked asked[WIRE_OFFSETS];
	uint32_t next_id;

	/* Places in the source. */
	bool *was_asked;		/* by frame: or is to be */
	size_t nasked, asked_capacity;
	bool hides_inlined;

	/* A file to load. */
	int load_fd;
	struct read_options load_options;
	bool is_loaded;
	struct profile *loaded;
	struct read_report report;
	struct error load_err;

	struct writer out;
	uint8_t in[WIRE_MAX];
};

void frame_list_add(struct frame_list *list, frame_id frame);

/* Put new frames into their modules' lists, and note new modules. */
void client_sort_frames(struct client *client);

/* Ask the opener for what is needed, take what it brought. */
void client_open_modules(struct client *client);

/* The module's file has been accepted, or not (ANSWER). */
void client_module_opened(struct client *client, uint32_t module,
			  const struct wire_answer *answer);
void client_debug_opened(struct client *client, uint32_t module,
			 const struct wire_answer *answer);
void client_common_opened(struct client *client, uint32_t module,
			  const struct wire_answer *answer);

/* The last part of MODULE's path, or "". */
const char *client_module_name(const struct client *client, uint32_t module);

/* For the health view: what went WRONG with MODULE, if it is not "". */
void client_tell_trouble(struct client *client, uint32_t module,
			 const char *wrong);

struct known_module *client_module(struct client *client, module_id id);

/* --- client_problems.c */

void client_add_problem(struct client *client, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* A frame is called NAME: does that tell what cannot be seen? */
void client_note_name(struct client *client, const char *name);

/* Order of c->asked, for qsort() and bsearch(). */
int client_by_offset(const void *a, const void *b);

/*
 * An answer to the request under way, with FD (borrowed) or -1. False if it
 * is none: the other end cannot be trusted any more.
 */
bool client_take_answer(struct client *client, struct wire_answer *answer,
			int fd);

/* Ask where frames of module ID are, if any wait for that. */
bool client_ask_places(struct client *client, module_id id);

/* Their answer; true when it is complete. */
bool client_take_places(struct client *client, struct wire_answer *answer);

/* A better file has come for MODULE: ask where its frames are once more. */
void client_forget_places(struct client *client, module_id module);

/* Begin a request to be filled in, and send it with FD (or -1). */
void client_begin(struct client *client, enum wire_type type,
		  module_id module);
bool client_send(struct client *client, int fd);

/*
 * Is there room for one more module in the symbols process? If not, the one
 * that was not asked for longest is closed now, unless all are needed.
 */
bool client_has_room(struct client *client);

/* Every file has to be handed over again. */
void client_forget_open(struct client *client);

#endif
