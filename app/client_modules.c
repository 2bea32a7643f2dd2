/* SPDX-License-Identifier: MIT */
/*
 * client_modules.c - which files the symbols process needs, and has.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/client_private.h"
#include "core/sanitise.h"
#include "sampler/clock.h"

#define LOOK_AGAIN_NS 1000000000ull	/* at a perf map, which grows */
#define LOOK_SELDOM_NS 16000000000ull	/* for a jitdump that is not there */

void
frame_list_add(struct frame_list *list, frame_id frame)
{
	list->ids = grow(list->ids, list->count, &list->capacity,
			 sizeof(*list->ids));
	list->ids[list->count++] = frame;
}

struct known_module *
client_module(struct client *c, module_id id)
{
	while (c->nmodules <= id) {
		struct known_module fresh = {
			.fd = -1, .debug_fd = -1, .common_fd = -1,
		};

		c->modules = grow(c->modules, c->nmodules,
				  &c->modules_capacity, sizeof(fresh));
		c->modules[c->nmodules++] = fresh;
	}
	return &c->modules[id];
}

void
client_sort_frames(struct client *c)
{
	size_t count = c->profile ? profile_frames(c->profile) : 0;
	size_t modules = c->profile ? profile_modules(c->profile) : 0;

	for (; c->next_module < modules; c->next_module++)
		client_module(c, c->next_module)->is_met = c->next_module > 0;
	for (; c->next_frame < count; c->next_frame++) {
		const struct frame *frame =
			profile_get_frame(c->profile, c->next_frame);

		if (frame->module)
			frame_list_add(
				&client_module(c, frame->module)->waiting,
				c->next_frame);
		c->starts = grow(c->starts, c->next_frame,
				 &c->starts_capacity, sizeof(*c->starts));
		c->starts[c->next_frame] = 0;
	}
}

/* All frames of MODULE once more: a better file has come. */
static void
ask_all_again(struct client *c, module_id module)
{
	struct known_module *known = &c->modules[module];

	known->waiting.count = known->nameless.count = 0;
	for (frame_id i = 0; i < c->next_frame; i++)
		if (profile_get_frame(c->profile, i)->module == module)
			frame_list_add(&known->waiting, i);
}

static void
ask_nameless_again(struct known_module *known)
{
	for (size_t i = 0; i < known->nameless.count; i++)
		frame_list_add(&known->waiting, known->nameless.ids[i]);
	known->nameless.count = 0;
}

static void
close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static enum opener_kind
job_of(enum module_kind kind)
{
	return kind == MODULE_KERNEL ? OPENER_KALLSYMS :
	       kind == MODULE_VDSO ? OPENER_VDSO :
	       kind == MODULE_JIT ? OPENER_PERF_MAP : OPENER_MODULE;
}

static bool
ask_opener(struct client *c, module_id id, enum opener_kind kind)
{
	struct known_module *known = client_module(c, id);
	struct opener_job *job = xcalloc(1, sizeof(*job));
	bool is_known = capture_origin(c->capture, id, &job->mapping);

	job->kind = kind == OPENER_MODULE ? job_of(job->mapping.kind) : kind;
	job->tag = id;
	job->hint = known->hint;
	job->place = known->debug_place;
	if (is_known)
		known->kind = job->mapping.kind;
	if (is_known && (kind == OPENER_DEBUG || kind == OPENER_COMMON))
		known->opening++;
	if (is_known)
		opener_ask(c->opener, job);
	free(job);
	return is_known;
}

/* A file for a module whose frames wait for names, or soon will. */
static void
want_module(struct client *c, module_id id)
{
	struct known_module *known = &c->modules[id];

	if (known->state != STATE_UNSEEN ||
	    (known->waiting.count + known->unplaced.count == 0 &&
	     !known->is_met))
		return;
	known->state = ask_opener(c, id, OPENER_MODULE) ?
		       STATE_OPENING : STATE_ASIDE;
	known->looked_ns = clock_now();
}

/*
 * A perf map may have grown, or come into being. One that names all is looked
 * at, too: it may name the same addresses anew.
 */
static void
look_again(struct client *c, module_id id)
{
	struct known_module *known = &c->modules[id];

	if (known->kind != MODULE_JIT || known->is_looking ||
	    (known->state != STATE_OPEN && known->state != STATE_ASIDE) ||
	    clock_now() - known->looked_ns < LOOK_AGAIN_NS)
		return;
	known->looked_ns = clock_now();
	known->is_looking = ask_opener(c, id, OPENER_PERF_MAP);
}

/* The same for a jitdump, which is searched for less and less often. */
static void
look_for_dump(struct client *c, module_id id)
{
	struct known_module *known = &c->modules[id];
	uint64_t wait = known->dump_size ? LOOK_AGAIN_NS : known->dump_wait_ns;

	if (known->kind != MODULE_JIT || known->is_looking_dump ||
	    known->state == STATE_UNSEEN ||
	    clock_now() - known->dump_looked_ns < wait)
		return;
	known->dump_looked_ns = clock_now();
	known->dump_wait_ns = wait * 2 < LOOK_AGAIN_NS ? LOOK_AGAIN_NS :
			      wait * 2 < LOOK_SELDOM_NS ? wait * 2 :
			      LOOK_SELDOM_NS;
	known->is_looking_dump = ask_opener(c, id, OPENER_JITDUMP);
}

static void
dump_arrived(struct client *c, struct known_module *known,
	     struct opener_result *result)
{
	known->is_looking_dump = false;
	if (result->fd < 0)
		return;
	if (result->size == known->dump_size) {
		close(result->fd);
		return;
	}
	close_fd(&known->debug_fd);
	known->debug_fd = result->fd;
	known->dump_size = result->size;
	c->jit_problem[0] = '\0';
}

static void
module_arrived(struct client *c, struct known_module *known,
	       struct opener_result *result)
{
	bool is_same = known->kind == MODULE_JIT &&
		       known->state == STATE_OPEN &&
		       result->size == known->size;

	known->is_looking = false;
	if (result->fd < 0) {
		if (known->state == STATE_OPENING)
			known->state = STATE_ASIDE;
		if (known->kind != MODULE_JIT)
			client_add_problem(c, "%s", result->err.text);
		else if (result->err.errnum != ESRCH && !known->dump_size)
			snprintf(c->jit_problem, sizeof(c->jit_problem),
				 "JIT code has no names, %.200s (node "
				 "--perf-basic-prof; jcmd PID "
				 "Compiler.perfmap)", result->err.text);
		return;
	}
	if (known->kind == MODULE_JIT)
		c->jit_problem[0] = '\0';
	if (is_same) {
		close(result->fd);
		return;
	}
	close_fd(&known->fd);
	known->fd = result->fd;
	known->size = result->size;
	known->state = STATE_READY;
}

static void
debug_arrived(struct known_module *known, const struct opener_result *result)
{
	bool is_debug = result->kind == OPENER_DEBUG;
	int *fd = is_debug ? &known->debug_fd : &known->common_fd;

	known->opening--;
	if (result->fd < 0)
		return;
	close_fd(fd);
	*fd = result->fd;
	if (is_debug)
		known->debug_place = result->place;
}

void
client_open_modules(struct client *c)
{
	struct opener_result result;

	while (opener_next(c->opener, &result)) {
		struct known_module *known = client_module(c, result.tag);

		if (result.kind == OPENER_JITDUMP)
			dump_arrived(c, known, &result);
		else if (result.kind == OPENER_DEBUG ||
			 result.kind == OPENER_COMMON)
			debug_arrived(known, &result);
		else
			module_arrived(c, known, &result);
	}
	for (module_id id = 0; id < c->nmodules; id++) {
		want_module(c, id);
		look_again(c, id);
		look_for_dump(c, id);
	}
}

void
client_module_opened(struct client *c, uint32_t module,
		     const struct wire_answer *answer)
{
	struct known_module *known = &c->modules[module];

	if (!answer->ok) {
		/* A jitdump may be bad beside a perf map that is not. */
		if (known->kind != MODULE_JIT || known->state != STATE_OPEN)
			known->state = STATE_ASIDE;
		client_add_problem(c, "%s", answer->text);
		return;
	}
	known->state = STATE_OPEN;
	ask_nameless_again(known);
	if (known->kind == MODULE_JIT) {
		known->version = answer->hint.version;
		capture_version(c->capture, module, known->version);
	}
	if (known->kind == MODULE_PROGRAM &&
	    answer->hint.build_id[strspn(answer->hint.build_id,
					 "0123456789abcdef")] == '\0')
		memcpy(c->build_id, answer->hint.build_id,
		       sizeof(c->build_id));
	known->hint = answer->hint;
	known->debug_place = 0;
	if (answer->hint.is_wanted && known->kind != MODULE_JIT &&
	    (answer->hint.build_id[0] || answer->hint.debuglink[0]))
		ask_opener(c, module, OPENER_DEBUG);
	if (answer->hint.common[0])
		ask_opener(c, module, OPENER_COMMON);
}

const char *
client_module_name(const struct client *c, uint32_t id)
{
	const char *path = "", *slash;

	/* Main may not have taken over yet what the capture thread asks for. */
	if (id < profile_modules(c->profile))
		path = profile_text(c->profile, profile_get_module(
			c->profile, id)->path);
	slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

void
client_tell_trouble(struct client *c, uint32_t id, const char *wrong)
{
	char clean[240];

	if (!*wrong)
		return;
	sanitise_into(clean, sizeof(clean), wrong, strlen(wrong));
	client_add_problem(c, "%.200s: %s", client_module_name(c, id), clean);
}

void
client_debug_opened(struct client *c, uint32_t module,
		    const struct wire_answer *answer)
{
	struct known_module *known = &c->modules[module];

	/* Another one may fit, as after an upgrade. */
	if (!answer->ok) {
		client_tell_trouble(c, module, answer->text);
		known->debug_place++;
		ask_opener(c, module, OPENER_DEBUG);
		return;
	}
	ask_all_again(c, module);
	client_forget_places(c, module);
	if (!answer->hint.common[0])
		return;
	known->hint = answer->hint;
	ask_opener(c, module, OPENER_COMMON);
}

void
client_common_opened(struct client *c, uint32_t module,
		     const struct wire_answer *answer)
{
	if (answer->ok)
		client_forget_places(c, module);
	else
		client_tell_trouble(c, module, answer->text);
}

/* Not asked for: its file has to be handed over again. */
static void
forget_open(struct known_module *known)
{
	known->state = STATE_UNSEEN;
	known->size = known->dump_size = 0;
	known->dump_wait_ns = 0;
}

void
client_forget_open(struct client *c)
{
	for (size_t i = 0; i < c->nmodules; i++)
		if (c->modules[i].state == STATE_OPEN)
			forget_open(&c->modules[i]);
}

/* Nothing is or will soon be asked of it, and nothing is on its way to it. */
static bool
is_at_rest(const struct known_module *known)
{
	return known->state == STATE_OPEN && known->fd < 0 &&
	       known->debug_fd < 0 && known->common_fd < 0 &&
	       !known->waiting.count && !known->unplaced.count &&
	       !known->is_met && !known->opening && !known->is_looking &&
	       !known->is_looking_dump;
}

bool
client_has_room(struct client *c)
{
	struct known_module *oldest = NULL;
	size_t nopen = 0;

	for (size_t i = 0; i < c->nmodules; i++) {
		struct known_module *known = &c->modules[i];

		nopen += known->state == STATE_OPEN;
		if (is_at_rest(known) &&
		    (!oldest || known->asked_id < oldest->asked_id))
			oldest = known;
	}
	if (nopen < WIRE_MODULES)
		return true;
	if (!oldest)
		return false;
	client_begin(c, WIRE_CLOSE, (module_id)(oldest - c->modules));
	if (client_send(c, -1))
		forget_open(oldest);
	return false;
}
