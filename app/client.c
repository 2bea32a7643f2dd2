/* SPDX-License-Identifier: MIT */
/*
 * client.c - requests to the symbols process, one at a time.
 */
#include "app/client.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "app/client_private.h"
#include "app/parser.h"
#include "sampler/clock.h"

#define LARGE_JIT_BYTES ((uint64_t)8 << 20)	/* a moment to read */

#define HANGS_NS 10000000000ull		/* names should come at once */
#define HANGS_LONG_NS 30000000000ull	/* a file may be large */
#define STUCK_NS 2000000000ull

static void
take_socket(struct client *c, int sock)
{
	c->sock = sock;
	if (sock >= 0)
		fcntl(sock, F_SETFL, fcntl(sock, F_GETFL) | O_NONBLOCK);
}

struct client *
client_new(int sock, struct opener *opener)
{
	struct client *c = xcalloc(1, sizeof(*c));

	c->opener = opener;
	c->load_fd = -1;
	take_socket(c, sock);
	return c;
}

static void
free_modules(struct client *c)
{
	for (size_t i = 0; i < c->nmodules; i++) {
		struct known_module *known = &c->modules[i];

		if (known->fd >= 0)
			close(known->fd);
		if (known->debug_fd >= 0)
			close(known->debug_fd);
		if (known->common_fd >= 0)
			close(known->common_fd);
		free(known->waiting.ids);
		free(known->nameless.ids);
		free(known->unplaced.ids);
	}
	free(c->modules);
}

void
client_free(struct client *c)
{
	if (!c)
		return;
	free_modules(c);
	if (c->sock >= 0)
		close(c->sock);
	if (c->load_fd >= 0)
		close(c->load_fd);
	profile_free(c->loaded);
	writer_free(&c->out);
	for (size_t i = 0; i < c->nproblems; i++)
		free(c->problems[i]);
	free(c->was_asked);
	free(c->starts);
	free(c);
}

void
client_watch(struct client *c, struct profile *profile, struct names *names,
	     struct capture *capture)
{
	c->profile = profile;
	c->names = names;
	c->capture = capture;
}

int
client_fd(const struct client *c)
{
	return c->sock;
}

/* --- asking */

bool
client_send(struct client *c, int fd)
{
	struct error err;

	c->request.id = ++c->next_id;
	if (c->request.module < c->nmodules)
		c->modules[c->request.module].asked_id = c->next_id;
	c->out.len = 0;
	wire_put_request(&c->out, &c->request);
	patience_begin(&c->patience);
	if (wire_send(c->sock, &c->out, fd, &err))
		return true;
	c->request.type = 0;	/* it is gone; another one will come */
	return false;
}

void
client_begin(struct client *c, enum wire_type type, module_id module)
{
	c->request.type = type;
	c->request.module = module;
	c->request.count = 0;
}

static bool
ask_load(struct client *c)
{
	if (c->load_fd < 0)
		return false;
	client_begin(c, WIRE_LOAD, 0);
	c->request.read = c->load_options;
	return client_send(c, c->load_fd);
}

static bool
hand_over(struct client *c, module_id id)
{
	struct known_module *known = &c->modules[id];
	bool is_main = known->state == STATE_READY;
	bool is_jit = known->kind == MODULE_JIT;
	bool is_debug = !is_main && known->debug_fd >= 0;
	int *fd = is_main ? &known->fd : is_debug ? &known->debug_fd :
		  &known->common_fd;

	/* A jitdump needs no perf map. */
	if (*fd < 0 || (!is_main && known->state != STATE_OPEN &&
			!(is_jit && known->state == STATE_ASIDE)))
		return false;
	if (is_main && !client_has_room(c))
		return c->request.type;
	client_begin(c, is_main || is_jit ? WIRE_OPEN : is_debug ? WIRE_DEBUG :
		     WIRE_COMMON, id);
	c->request.kind = known->kind;
	c->request.page = known->version;
	if (!client_send(c, *fd))
		return false;
	close(*fd);
	*fd = -1;
	return true;
}

int
client_by_offset(const void *a, const void *b)
{
	const struct asked *x = a, *y = b;

	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static bool
ask_names(struct client *c, module_id id)
{
	struct known_module *known = &c->modules[id];
	uint32_t count = 0;

	if (known->state != STATE_OPEN || known->waiting.count == 0)
		return false;
	known->is_met = false;
	client_begin(c, WIRE_RESOLVE, id);
	while (count < WIRE_OFFSETS && known->waiting.count > 0) {
		frame_id frame = known->waiting.ids[--known->waiting.count];

		c->asked[count++] = (struct asked){
			profile_get_frame(c->profile, frame)->offset, frame,
			false,
		};
	}
	qsort(c->asked, count, sizeof(c->asked[0]),
	      client_by_offset);
	for (uint32_t i = 0; i < count; i++)
		c->request.offsets[i] = c->asked[i].offset;
	c->request.count = count;
	if (client_send(c, -1))
		return true;
	for (uint32_t i = 0; i < count; i++)
		frame_list_add(&known->waiting, c->asked[i].frame);
	return false;
}

/*
 * While the first stack that leads there still waits for unwind rules, the
 * other process can make its index: asked for no names, it does no more. Not
 * before the debug file is there, or it would have to be made twice.
 */
static bool
ask_index(struct client *c, module_id id)
{
	struct known_module *known = &c->modules[id];

	if (!known->is_met || known->state != STATE_OPEN || known->opening ||
	    known->debug_fd >= 0)
		return false;
	known->is_met = false;
	client_begin(c, WIRE_RESOLVE, id);
	return client_send(c, -1);
}

/* Will names of this file be asked for before anything else happens? */
static bool
is_soon_named(const struct known_module *known)
{
	return known->kind != MODULE_JIT &&
	       (known->state == STATE_OPENING || known->state == STATE_READY ||
		(known->state == STATE_OPEN && known->waiting.count));
}

/*
 * What a JIT wrote may take seconds to be read, in which nothing else has a
 * name: a large one is handed over when names of files have come.
 */
static bool
must_wait(const struct client *c, module_id id)
{
	const struct known_module *known = &c->modules[id];
	uint64_t size = known->state == STATE_READY ? known->size :
						      known->dump_size;

	if (known->kind != MODULE_JIT || size < LARGE_JIT_BYTES)
		return false;
	for (size_t i = 0; i < c->nmodules; i++)
		if (is_soon_named(&c->modules[i]))
			return true;
	return false;
}

/* Whatever is most needed; nothing when a request is under way. */
static void
ask_on(struct client *c)
{
	if (c->sock < 0 || c->request.type || ask_load(c))
		return;
	for (module_id id = 0; id < c->nmodules; id++)
		if (!must_wait(c, id) && hand_over(c, id))
			return;
	for (module_id id = 0; id < c->nmodules; id++)
		if (ask_names(c, id))
			return;
	for (module_id id = 0; id < c->nmodules; id++)
		if (ask_index(c, id))
			return;
	for (module_id id = 0; id < c->nmodules; id++)
		if (client_ask_places(c, id))
			return;
}

static void
hang_up(struct client *c)
{
	close(c->sock);
	c->sock = -1;
	c->alive_ns = clock_now();
}

/* One record; false when there is none. */
static bool
receive(struct client *c)
{
	struct wire_answer answer;
	enum wire_got got;
	bool is_good;
	size_t len;
	int fd;

	if (c->sock < 0)
		return false;
	got = wire_receive(c->sock, c->in, &len, &fd);
	if (got == WIRE_NOTHING)
		return false;
	c->alive_ns = clock_now();
	is_good = got == WIRE_GOT && wire_get_answer(c->in, len, &answer) &&
		  client_take_answer(c, &answer, fd);
	if (fd >= 0)
		close(fd);
	if (!is_good)
		hang_up(c);
	return is_good;
}

bool
client_turn(struct client *c)
{
	c->got_name = false;
	for (int i = 0; i < 64 && receive(c); i++)
		ask_on(c);
	client_sort_frames(c);
	if (c->capture)
		client_open_modules(c);
	ask_on(c);
	return c->got_name;
}

/* Give back what was under way, and hold its module to account. */
static void
give_up_request(struct client *c, int status)
{
	struct known_module *known;

	if (c->request.type == WIRE_LOAD && c->load_fd >= 0) {
		c->is_loaded = true;
		if (c->patience.has_ended)
			fail(&c->load_err, 0, "reading it takes too long");
		else if (WIFEXITED(status) && WEXITSTATUS(status))
			fail(&c->load_err, ENOMEM, "too large to be read");
		else
			fail(&c->load_err, 0, "the process that reads "
			     "profiles died of this file (signal %d)",
			     WIFSIGNALED(status) ? WTERMSIG(status) : 0);
		close(c->load_fd);
		c->load_fd = -1;
	}
	if (c->request.type && c->request.module < c->nmodules) {
		known = &c->modules[c->request.module];
		known->harm += parser_harm(status, c->patience.has_ended);
		if (known->state == STATE_READY)
			known->state = STATE_UNSEEN;
		if (c->request.type == WIRE_RESOLVE)
			for (uint32_t i = 0; i < c->request.count; i++)
				frame_list_add(&known->waiting,
					       c->asked[i].frame);
		if (known->harm >= PARSER_HARM_MAX) {
			known->state = STATE_ASIDE;
			client_add_problem(c, "a symbol file was set aside: "
					   "its reader died of it");
		}
	}
	c->request.type = 0;
}

void
client_reconnect(struct client *c, int sock, int status)
{
	if (c->sock >= 0)
		close(c->sock);
	client_forget_open(c);
	give_up_request(c, status);
	c->alive_ns = clock_now();
	take_socket(c, sock);
}

/* Is there more to come of module I? */
static bool
is_unfinished(const struct client *c, size_t i)
{
	const struct known_module *known = &c->modules[i];

	return known->state == STATE_OPENING || known->fd >= 0 ||
	       known->debug_fd >= 0 || known->common_fd >= 0 ||
	       known->is_looking || known->is_looking_dump ||
	       known->opening ||
	       (known->waiting.count + known->unplaced.count &&
		known->state != STATE_ASIDE) ||
	       (c->request.type && c->request.module == i);
}

bool
client_is_idle(const struct client *c)
{
	if (c->request.type || (c->profile &&
	    c->next_frame < profile_frames(c->profile)))
		return false;
	for (size_t i = 0; i < c->nmodules; i++)
		if (is_unfinished(c, i))
			return false;
	return true;
}

bool
client_lacks_names(const struct client *c)
{
	if (c->next_frame < profile_frames(c->profile))
		return true;
	for (frame_id i = 0; i < c->next_frame; i++) {
		module_id module = profile_get_frame(c->profile, i)->module;

		if (module && is_unfinished(c, module) &&
		    !names_get(c->names, names_of(c->names, i))->is_named)
			return true;
	}
	return false;
}

bool
client_unfinished(const struct client *c, char *out, size_t size)
{
	size_t first = 0, others = 0;

	/* Module 0 is none. */
	for (size_t i = 1; i < c->nmodules; i++) {
		if (!is_unfinished(c, i))
			continue;
		others += first != 0;
		if (!first || (c->request.type && c->request.module == i))
			first = i;
	}
	if (!first)
		return false;
	snprintf(out, size, "%.200s", client_module_name(c, first));
	if (others)
		snprintf(out + strlen(out), size - strlen(out),
			 " and %zu other%s", others, others > 1 ? "s" : "");
	return true;
}

bool
client_hangs(struct client *c, uint64_t cpu_ns)
{
	bool is_short = c->request.type == WIRE_RESOLVE;

	return c->request.type &&
	       patience_ends(&c->patience, cpu_ns,
			     is_short ? HANGS_NS : HANGS_LONG_NS);
}

bool
client_is_stuck(const struct client *c)
{
	return (c->request.type || c->sock < 0) &&
	       clock_now() - c->alive_ns > STUCK_NS &&
	       patience_still_ns(&c->patience) > STUCK_NS;
}

const char *
client_build_id(const struct client *c)
{
	return c->build_id;
}

void
client_load(struct client *c, int fd, const struct read_options *read)
{
	if (c->load_fd >= 0)
		close(c->load_fd);
	c->load_fd = fd;
	c->load_options = *read;
	c->is_loaded = false;
}

unsigned
client_load_percent(const struct client *c)
{
	off_t at = c->load_fd < 0 ? 0 : lseek(c->load_fd, 0, SEEK_CUR);
	struct stat st;

	if (at <= 0 || fstat(c->load_fd, &st) < 0 || st.st_size <= 0)
		return 0;
	return at < st.st_size ? (unsigned)(at / (st.st_size / 100 + 1)) : 100;
}

bool
client_loaded(struct client *c, struct profile **out,
	      struct read_report *report, struct error *err)
{
	if (!c->is_loaded)
		return false;
	c->is_loaded = false;
	*report = c->report;
	*out = c->loaded;
	*err = c->load_err;
	c->loaded = NULL;
	return true;
}
