/* SPDX-License-Identifier: MIT */
/*
 * worker.c - the processes that parse: one request after the other.
 */
#include "app/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "app/open.h"
#include "app/row_store.h"
#include "app/wire.h"
#include "core/image.h"
#include "symbols/explain.h"
#include "symbols/memfile.h"

#define SOCK 3			/* where the socket lies after lock_in() */
#define FLUSH_AT (WIRE_MAX - WIRE_NAME_MAX - 64)
#define MEMORY_MAX ((rlim_t)3 << 30)	/* address space of this process */
#define LARGE_BLOCK (1 << 20)

struct worker {
	struct symbols *symbols;
	struct wire_request request;
	struct writer out;
	uint8_t bytes[WIRE_MAX];
};

/*
 * What was read for an answer goes back to the system. By itself the limit
 * grows with every large block that is freed, and then all of it stays.
 */
static void
give_memory_back(void)
{
	mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK);
	mallopt(M_TRIM_THRESHOLD, LARGE_BLOCK);
}

/*
 * Nothing but the socket stays open, and limits keep a hostile file from
 * taking the box along. Further locks belong here.
 */
static void
lock_in(int sock, const char *name)
{
	struct rlimit none = { 0, 0 }, files = { 0, 0 };
	struct rlimit memory = { MEMORY_MAX, MEMORY_MAX };
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	prctl(PR_SET_NAME, name);
	for (int fd = 0; fd < SOCK; fd++)
		if (null >= 0)
			dup2(null, fd);
	dup2(sock, SOCK);
	close_range(SOCK + 1, ~0U, 0);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_DUMPABLE, 0);
	setrlimit(RLIMIT_CORE, &none);
	setrlimit(RLIMIT_FSIZE, &(struct rlimit){ IMAGE_MAX, IMAGE_MAX });
	/* Each module keeps its file open, and its debug file. */
	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
#ifndef FLAMETOP_SANITIZED
	setrlimit(RLIMIT_AS, &memory);	/* sanitizers reserve terabytes */
#else
	(void)memory;
#endif
}

static void
answer(struct worker *worker, struct wire_answer *what, int fd)
{
	worker->out.len = 0;
	what->id = worker->request.id;
	wire_put_answer(&worker->out, what);
	if (!wire_send(SOCK, &worker->out, fd, NULL))
		_exit(0);	/* nobody is there to answer to */
}

static void
take_module(struct worker *worker, int fd)
{
	struct wire_answer what = { .type = WIRE_OPENED };
	struct error err = { 0 };

	const struct wire_request *request = &worker->request;

	what.hint.version = request->page;
	if (request->type == WIRE_OPEN)
		what.ok = symbols_open(worker->symbols, request->module,
				       request->kind, fd, &what.hint, &err);
	else if (request->type == WIRE_DEBUG)
		what.ok = symbols_add_debug(worker->symbols, request->module,
					    fd, &what.hint, &err);
	else
		what.ok = symbols_add_common(worker->symbols, request->module,
					     fd, &err);
	if (!what.ok)
		snprintf(what.text, sizeof(what.text), "%.239s", err.text);
	answer(worker, &what, -1);
}

/* An answer that rows are appended to. */
static void
begin_rows(struct worker *worker, enum wire_type type, bool is_last, bool ok)
{
	struct wire_answer what = {
		.type = type, .ok = ok, .is_last = is_last,
		.id = worker->request.id,
	};

	const char *trouble = symbols_trouble(worker->symbols,
					      worker->request.module);

	if (is_last && trouble)
		snprintf(what.text, sizeof(what.text), "%s", trouble);
	worker->out.len = 0;
	wire_put_answer(&worker->out, &what);
}

static void
send_rows(struct worker *worker)
{
	if (!wire_send(SOCK, &worker->out, -1, NULL))
		_exit(0);
}

static void
on_name(void *ctx, uint64_t offset, const struct symbol *symbol)
{
	struct worker *worker = ctx;

	if (worker->out.len >= FLUSH_AT) {
		send_rows(worker);
		begin_rows(worker, WIRE_NAMES, false, true);
	}
	wire_put_name(&worker->out, offset, symbol);
}

static void
resolve(struct worker *worker)
{
	begin_rows(worker, WIRE_NAMES, false, true);
	symbols_resolve(worker->symbols, worker->request.module,
			worker->request.offsets, worker->request.count,
			on_name, worker);
	send_rows(worker);
	begin_rows(worker, WIRE_NAMES, true, true);
	send_rows(worker);
}

static void
on_places(void *ctx, uint64_t offset, const struct symbol_place *places,
	  size_t n)
{
	struct worker *worker = ctx;

	if (worker->out.len >= WIRE_MAX / 2) {
		send_rows(worker);
		begin_rows(worker, WIRE_PLACED, false, true);
	}
	wire_put_places(&worker->out, offset, places, n);
}

static void
find_places(struct worker *worker)
{
	const struct wire_request *request = &worker->request;
	bool ok;

	begin_rows(worker, WIRE_PLACED, false, true);
	ok = symbols_places(worker->symbols, request->module,
			    request->offsets, request->count,
			    request->may_unpack, on_places, worker);
	send_rows(worker);
	begin_rows(worker, WIRE_PLACED, true, ok);
	send_rows(worker);
}

static void
explain_place(struct worker *worker)
{
	struct wire_answer what = { .type = WIRE_EXPLAINED, .ok = true };
	struct writer lines = { 0 };

	explain_code(worker->symbols, worker->request.module,
		     worker->request.offsets[0], worker->request.is_vaddr,
		     &lines);
	what.lines = reader_of(lines.bytes, lines.len);
	answer(worker, &what, -1);
	writer_free(&lines);
}

/* A file, and how much of it there must be yet. */
struct file {
	int fd;
	uint64_t left;
};

/* A source's read(). What a file has lost meanwhile is not its end. */
static ssize_t
read_file(void *ctx, void *into, size_t room, struct error *err)
{
	struct file *file = ctx;
	ssize_t got;

	do
		got = read(file->fd, into, room);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		fail(err, errno, "cannot read the file");
	else if (got == 0 && file->left)
		fail(err, 0, OPEN_SHRUNK);
	if (got < 0 || (got == 0 && file->left))
		return -1;
	file->left -= file->left < (size_t)got ? file->left : (size_t)got;
	return got;
}

/* IMAGE as memory that nobody can change any more; -1 with ERR. */
static int
sealed(const struct writer *image, const char *what, struct error *err)
{
	int fd = memfd_create(what, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	bool has_room = image->len <= IMAGE_MAX;

	if (!has_room)
		errno = EFBIG;
	if (fd >= 0 && has_room &&
	    memfile_write(fd, image->bytes, image->len) &&
	    fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK |
		  F_SEAL_GROW | F_SEAL_SEAL) == 0)
		return fd;
	fail(err, errno, "no memory to hand the %s over", what);
	if (fd >= 0)
		close(fd);
	return -1;
}

static void
load(struct worker *worker, int fd)
{
	struct wire_answer what = { .type = WIRE_LOADED };
	struct profile *profile = profile_new();
	struct writer image = { 0 };
	struct file file = { fd, open_left(fd) };
	struct source source = { read_file, &file };
	struct error err = { 0 };
	int memory = -1;

	profile_set_bound(profile, PROFILE_BOUND_FILE);
	if (format_read_from(&source, &worker->request.read, profile,
			     &what.report, &err)) {
		image_write(profile, &image);
		memory = sealed(&image, "profile", &err);
	}
	close(fd);
	profile_free(profile);
	writer_free(&image);
	what.ok = memory >= 0;
	if (!what.ok)
		memcpy(what.text, err.text, sizeof(what.text));
	answer(worker, &what, memory);
	if (memory >= 0)
		close(memory);
}

/* Small ones go in the record. */
static void
make_rows(struct worker *worker)
{
	const struct wire_request *request = &worker->request;
	struct wire_answer what = { .type = WIRE_ROWS_ARE };
	struct writer table = { 0 };
	struct error err = { 0 };
	int memory = -1;

	what.ok = symbols_rows(worker->symbols, request->module,
			       request->is_whole ? 0 : request->page,
			       !request->is_whole, request->is_full, &table);
	if (what.ok && table.len <= ROW_STORE_SMALL)
		what.table = reader_of(table.bytes, table.len);
	else if (what.ok)
		memory = sealed(&table, "rules", &err);
	what.ok &= memory >= 0 || reader_left(&what.table) > 0;
	what.lacks_rules = symbols_lacks_rules(worker->symbols,
					       request->module);
	answer(worker, &what, memory);
	if (memory >= 0)
		close(memory);
	writer_free(&table);
}

/* What was asked of it is forgotten with its files. */
static void
close_module(struct worker *worker)
{
	struct wire_answer what = { .type = WIRE_OPENED, .ok = true };

	symbols_close(worker->symbols, worker->request.module);
	answer(worker, &what, -1);
}

static bool
serve(struct worker *worker, int fd)
{
	bool needs_fd = worker->request.type == WIRE_OPEN ||
			worker->request.type == WIRE_DEBUG ||
			worker->request.type == WIRE_COMMON ||
			worker->request.type == WIRE_LOAD;

	if (needs_fd != (fd >= 0))
		return false;
	switch (worker->request.type) {
	case WIRE_OPEN:
	case WIRE_DEBUG:
	case WIRE_COMMON:
		take_module(worker, fd);
		return true;
	case WIRE_RESOLVE:
		resolve(worker);
		return true;
	case WIRE_PLACES:
		find_places(worker);
		return true;
	case WIRE_ROWS:
		make_rows(worker);
		return true;
	case WIRE_CLOSE:
		close_module(worker);
		return true;
	case WIRE_EXPLAIN:
		explain_place(worker);
		return true;
	default:
		load(worker, fd);
		return true;
	}
}

int
worker_run(int sock, const char *name)
{
	struct worker *worker = xcalloc(1, sizeof(*worker));
	size_t len;
	int fd;

	lock_in(sock, name);
	give_memory_back();
	worker->symbols = symbols_new();
	while (wire_receive(SOCK, worker->bytes, &len, &fd) == WIRE_GOT)
		if (!wire_get_request(worker->bytes, len, &worker->request) ||
		    !serve(worker, fd))
			break;
	symbols_free(worker->symbols);
	writer_free(&worker->out);
	free(worker);
	return 0;
}
