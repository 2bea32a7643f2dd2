/* SPDX-License-Identifier: MIT */
/*
 * cmd_explain.c - how an address got its name and its unwind rule.
 *
 * Where it lies is found here; what the file says of it is asked of the
 * symbols process, one request after the other: nothing else goes on.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/commands.h"
#include "app/opener.h"
#include "app/say.h"
#include "app/signals.h"
#include "app/wire.h"
#include "core/sanitise.h"
#include "sampler/target.h"

#define ANSWER_MS 120000	/* a large file may take its time */
#define KERNEL_SPACE 0xffff800000000000ull
#define MODULE 1

/* "0x7f12", "+0x1012" or "libc.so.6+0x1012", as frames are written. */
struct place {
	uint64_t at;
	bool is_offset;			/* in a file */
	const char *module;		/* "libc.so.6", MODULE_LEN bytes */
	size_t module_len;
};

struct explainer {
	const struct options *options;
	struct link *link;
	struct opener *opener;
	struct target *target;		/* NULL: a file is asked about */
	struct maps *maps;
	struct open_mapping origin;	/* for the opener */
	enum module_kind kind;
	struct wire_request request;
	uint8_t in[WIRE_MAX];
	struct writer out;
};

static bool
parse_place(const char *word, struct place *out, struct error *err)
{
	const char *plus = strrchr(word, '+');
	const char *digits = plus ? plus + 1 : word;
	char *end;

	*out = (struct place){ .is_offset = plus != NULL, .module = word,
			       .module_len = plus ? (size_t)(plus - word) : 0 };
	if (digits[0] == '0' && (digits[1] | 0x20) == 'x')
		digits += 2;
	errno = 0;
	out->at = strtoull(digits, &end, 16);
	if (!isxdigit((unsigned char)*digits) || *end || errno)
		return fail(err, 0, "\"%.60s\" is no address: hexadecimal as "
			    "0x7f12, or MODULE+0x1012 as in a picture", word);
	return true;
}

static void
print_line(const char *word, const char *text)
{
	char *clean = sanitise(text, strlen(text));

	printf("%-9s %s\n", word, clean);
	free(clean);
}

/* --- the other processes */

/* Ask for REQUEST (with FD, which is closed here; -1: none) and wait. */
static bool
ask(struct explainer *x, enum wire_type type, int fd,
    struct wire_answer *answer, struct error *err)
{
	struct pollfd polls[] = { { x->link->symbols, POLLIN, 0 },
				  { x->link->signals, POLLIN, 0 } };
	enum wire_got got = WIRE_CLOSED;
	size_t len;
	int stray;

	x->request.type = type;
	x->request.id++;
	x->out.len = 0;
	wire_put_request(&x->out, &x->request);
	if (wire_send(x->link->symbols, &x->out, fd, err) &&
	    poll(polls, ARRAY_LEN(polls), ANSWER_MS) > 0 && polls[0].revents)
		got = wire_receive(x->link->symbols, x->in, &len, &stray);
	else if (polls[1].revents)
		fail(err, EINTR, "no answer yet");
	if (fd >= 0)
		close(fd);
	if (got == WIRE_GOT && stray >= 0)
		close(stray);
	if (got == WIRE_GOT && wire_get_answer(x->in, len, answer) &&
	    answer->id == x->request.id)
		return true;
	return fail(err, 0, "the process that reads the file %s: it may be "
		    "damaged", polls[0].revents ? "has ended" : "hangs");
}

/*
 * What the opener brings, or -1 with ERR. *PLACE (may be NULL) is where a
 * debug file is sought first, and was found then.
 */
static int
fetch(struct explainer *x, enum opener_kind kind,
      const struct debug_hint *hint, unsigned *place, struct error *err)
{
	struct opener_job *job = xcalloc(1, sizeof(*job));
	struct opener_result result;

	job->kind = kind;
	job->max = OPEN_MODULE_MAX;
	job->mapping = x->origin;
	if (hint)
		job->hint = *hint;
	if (place)
		job->place = *place;
	opener_ask(x->opener, job);
	free(job);
	while (!opener_next(x->opener, &result)) {
		struct pollfd ready = { opener_fd(x->opener), POLLIN, 0 };

		poll(&ready, 1, 100);
	}
	if (result.fd < 0)
		*err = result.err;
	else if (place)
		*place = result.place;
	return result.fd;
}

/* Which file it came to be in the end. */
static void
print_opened(const char *word, int fd)
{
	char path[32], file[4096];
	ssize_t len;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	len = readlink(path, file, sizeof(file) - 1);
	file[len > 0 ? len : 0] = '\0';
	print_line(word, file);
}

/* What several debug files share, if one needs it. */
static void
add_common(struct explainer *x, struct wire_answer *answer)
{
	struct debug_hint hint = answer->hint;
	struct error err = { 0 };
	int fd = hint.common[0] ? fetch(x, OPENER_COMMON, &hint, NULL, &err) :
				  -1;

	if (fd >= 0) {
		print_opened("shared", fd);
		if (ask(x, WIRE_COMMON, fd, answer, &err) && !answer->ok)
			fail(&err, 0, "%s", answer->text);
	}
	if (err.text[0])
		print_line("shared", err.text);
}

/* The first that fits of the files that may be the debug file. */
static void
find_debug(struct explainer *x, const struct debug_hint *hint,
	   struct wire_answer *answer)
{
	struct error err = { 0 };
	unsigned place = 0;
	int fd;

	while ((fd = fetch(x, OPENER_DEBUG, hint, &place, &err)) >= 0) {
		print_opened("debug", fd);
		if (!ask(x, WIRE_DEBUG, fd, answer, &err))
			break;
		if (answer->ok) {
			add_common(x, answer);
			return;
		}
		print_line("debug", answer->text);
		place++;
	}
	print_line("debug", err.text);
}

static void
add_debug(struct explainer *x, struct wire_answer *opened)
{
	struct wire_answer *answer;

	if (!opened->hint.is_wanted) {
		print_line("debug", "not looked for: the file has symbols and "
			   "lines");
		add_common(x, opened);
		return;
	}
	answer = xcalloc(1, sizeof(*answer));
	find_debug(x, &opened->hint, answer);
	free(answer);
}

/* Lines that were made of foreign bytes. */
static void
print_answer(const struct reader *lines)
{
	const char *at = (const char *)lines->at;
	const char *end = (const char *)lines->end;

	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		size_t len = (size_t)((newline ? newline : end) - at);
		char *clean = sanitise(at, len);

		puts(clean);
		free(clean);
		at += len + 1;
	}
}

static enum opener_kind
job_of(const struct explainer *x)
{
	return !x->target		     ? OPENER_FILE
	       : x->kind == MODULE_KERNEL ? OPENER_KALLSYMS
	       : x->kind == MODULE_VDSO   ? OPENER_VDSO
	       : x->kind == MODULE_JIT    ? OPENER_PERF_MAP
					     : OPENER_MODULE;
}

/* Open the module and have AT in it explained. */
static bool
explain_module(struct explainer *x, uint64_t at, bool is_vaddr,
	       struct error *err)
{
	struct wire_answer *answer = xcalloc(1, sizeof(*answer));
	int fd = fetch(x, job_of(x), NULL, NULL, err);
	bool ok = fd >= 0;

	x->request = (struct wire_request){ .module = MODULE, .kind = x->kind };
	if (ok) {
		if (x->kind == MODULE_VDSO)
			print_line("opened", "a copy of its memory");
		else
			print_opened("opened", fd);
		ok = ask(x, WIRE_OPEN, fd, answer, err) &&
		     (answer->ok || fail(err, 0, "%s", answer->text));
	}
	if (ok && x->kind == MODULE_LIBRARY)
		add_debug(x, answer);
	x->request.count = 1;
	x->request.offsets[0] = at;
	x->request.is_vaddr = is_vaddr;
	ok = ok && ask(x, WIRE_EXPLAIN, -1, answer, err);
	if (ok)
		print_answer(&answer->lines);
	free(answer);
	return ok;
}

/* --- where it lies */

static void
print_mapping(const char *word, const struct mapping *m)
{
	char text[4400];

	snprintf(text, sizeof(text), "%#" PRIx64 "-%#" PRIx64 " %s, offset %#"
		 PRIx64 " of %s%s", m->start, m->end,
		 m->is_executable ? "code" : "data", m->file_offset,
		 *m->path ? m->path : "no file",
		 m->is_deleted ? " (deleted)" : "");
	print_line(word, text);
}

static bool
is_named(const struct mapping *m, const struct place *place)
{
	const char *slash = strrchr(m->path, '/');
	const char *name = slash ? slash + 1 : m->path;

	return strlen(name) == place->module_len &&
	       !memcmp(name, place->module, place->module_len);
}

/* Where MODULE+OFFSET lies in the process. */
static bool
find_module(const struct explainer *x, struct place *place, struct error *err)
{
	static const char jit[] = "[jit]";

	if (place->module_len == sizeof(jit) - 1 &&
	    !memcmp(place->module, jit, place->module_len))
		return true;
	for (size_t i = 0; i < maps_count(x->maps); i++) {
		const struct mapping *m = maps_at(x->maps, i);

		if (!is_named(m, place) || place->at < m->file_offset ||
		    place->at - m->file_offset >= m->end - m->start ||
		    !m->is_executable)
			continue;
		place->at = place->at - m->file_offset + m->start;
		return true;
	}
	return fail(err, 0, "process %d has no code of %.*s at offset %#"
		    PRIx64, (int)target_pid(x->target),
		    place->module_len < 100 ? (int)place->module_len : 100,
		    place->module, place->at);
}

/* Nothing is there: what is next to it. */
static void
print_neighbours(const struct explainer *x, uint64_t at)
{
	const struct mapping *before = NULL, *after = NULL;

	for (size_t i = 0; i < maps_count(x->maps); i++) {
		const struct mapping *m = maps_at(x->maps, i);

		if (m->end <= at)
			before = m;
		else if (!after)
			after = m;
	}
	if (before)
		print_mapping("before it", before);
	if (after)
		print_mapping("behind it", after);
}

/* The mapping as the opener and the symbols process know it. */
static uint64_t
enter_mapping(struct explainer *x, const struct mapping *m, uint64_t at)
{
	x->kind = m->kind;
	x->origin.start = m->start;
	x->origin.end = m->end;
	x->origin.inode = m->inode;
	x->origin.is_deleted = m->is_deleted;
	snprintf(x->origin.path, sizeof(x->origin.path), "%s", m->path);
	return m->kind == MODULE_JIT ? at : at - m->start + m->file_offset;
}

static bool
explain_process(struct explainer *x, struct place place, struct error *err)
{
	const struct mapping *mapping;
	char text[160];

	x->origin.pid = target_pid(x->target);
	if (place.is_offset && !find_module(x, &place, err))
		return false;
	snprintf(text, sizeof(text), "%#" PRIx64 " of %s %d", place.at,
		 target_comm(x->target), (int)target_pid(x->target));
	print_line("address", text);
	mapping = maps_find(x->maps, place.at);
	if (mapping) {
		print_mapping("mapping", mapping);
		place.at = enter_mapping(x, mapping, place.at);
		if (x->kind == MODULE_NONE) {
			print_line("name", "none: there is no code");
			return true;
		}
		return explain_module(x, place.at, false, err);
	}
	if (place.at >= KERNEL_SPACE) {
		x->kind = MODULE_KERNEL;
		return explain_module(x, place.at, false, err);
	}
	print_neighbours(x, place.at);
	return fail(err, 0, "nothing is mapped at %#" PRIx64 " of process %d",
		    place.at, (int)target_pid(x->target));
}

static int
open_target(struct explainer *x, struct error *err)
{
	x->maps = maps_new();
	if (!target_open(x->options->pids[0], &x->target, err))
		return err->errnum == EPERM || err->errnum == EACCES ?
		       STATUS_REFUSED : STATUS_NO_TARGET;
	if (!target_read_maps(x->target, x->maps, err))
		return err->errnum == EPERM || err->errnum == EACCES ?
		       STATUS_REFUSED : STATUS_FAILED;
	return STATUS_DONE;
}

static bool
explain_file(struct explainer *x, const struct place *place,
	     struct error *err)
{
	x->kind = MODULE_LIBRARY;
	x->origin.pid = getpid();
	if (place->module_len)
		return fail(err, 0, "of a file: an address as 0x4012, or "
			    "+0x1012 for an offset in the file");
	snprintf(x->origin.path, sizeof(x->origin.path), "%s",
		 x->options->file);
	return explain_module(x, place->at, !place->is_offset, err);
}

static int
explain_app(void *ctx, struct link *link)
{
	struct explainer *x = xcalloc(1, sizeof(*x));
	struct error err = { 0 };
	struct place place;
	int status = STATUS_USAGE;

	x->options = ctx;
	x->link = link;
	x->opener = opener_new();
	if (parse_place(x->options->address, &place, &err))
		status = x->options->file ? STATUS_DONE :
					    open_target(x, &err);
	if (status == STATUS_DONE &&
	    !(x->target ? explain_process(x, place, &err) :
			  explain_file(x, &place, &err)))
		status = STATUS_FAILED;
	if (err.text[0])
		say("%s", err.text);
	maps_free(x->maps);
	target_free(x->target);
	opener_free(x->opener);
	writer_free(&x->out);
	free(x);
	return status == STATUS_DONE ? say_flush() : status;
}

int
cmd_explain(const struct options *options)
{
	struct plan plan = { .app = explain_app, .ctx = (void *)options };

	return supervise(&plan);
}
