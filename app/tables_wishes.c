/* SPDX-License-Identifier: MIT */
/*
 * tables_wishes.c - which tables are asked for, when, and what came of it.
 *
 * Making one of a whole module takes some milliseconds, so most are asked for
 * whole at once. Of a large file the page that is needed comes first, and the
 * rest when several pages were.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/parser.h"
#include "app/tables_private.h"

#define LARGE_FILE ((uint64_t)64 << 20)
#define MANY_PAGES 3

static struct table_module *
module_of(struct tables *t, module_id id)
{
	while (t->nmodules <= id) {
		t->modules = grow(t->modules, t->nmodules,
				  &t->modules_capacity, sizeof(*t->modules));
		t->modules[t->nmodules++] = (struct table_module){ .fd = -1 };
	}
	return &t->modules[id];
}

static void
add_wish(struct tables *t, const struct row_wish *wish)
{
	t->wishes = grow(t->wishes, t->nwishes, &t->wishes_capacity,
			 sizeof(*t->wishes));
	t->wishes[t->nwishes++] = *wish;
}

static void
drop_wish(struct tables *t, size_t i)
{
	memmove(&t->wishes[i], &t->wishes[i + 1],
		(t->nwishes - i - 1) * sizeof(*t->wishes));
	t->nwishes--;
}

void
tables_take_wishes(struct tables *t)
{
	struct row_wish wish;

	while (row_store_next(t->config.rows, &wish))
		if (wish.is_full ||
		    !module_of(t, wish.module)->is_whole_asked)
			add_wish(t, &wish);
}

/* All of a module instead of a page, or behind it. */
static void
want_whole(struct tables *t, struct row_wish *wish)
{
	struct table_module *module = &t->modules[wish->module];
	struct row_wish whole = *wish;

	if (wish->is_full || module->is_whole_asked ||
	    !row_store_has_room(t->config.rows))
		return;
	whole.is_whole = true;
	if (module->file_size <= LARGE_FILE)
		*wish = whole;
	else if (++module->pages_asked > MANY_PAGES)
		add_wish(t, &whole);
	else
		return;
	module->is_whole_asked = true;
}

/* The module's file, or its debug file. False: it is nowhere. */
static bool
ask_opener(struct tables *t, module_id id, enum opener_kind kind)
{
	struct opener_job *job = xcalloc(1, sizeof(*job));
	const struct table_module *module = &t->modules[id];
	bool is_known = t->config.origin(t->config.ctx, id, &job->mapping);

	job->kind = kind == OPENER_MODULE &&
		    job->mapping.kind == MODULE_VDSO ? OPENER_VDSO : kind;
	job->tag = id;
	job->hint = module->hint;
	job->place = module->debug_place;
	if (is_known)
		opener_ask(t->opener, job);
	t->opening += is_known;
	free(job);
	return is_known;
}

static void
open_module_of(struct tables *t, module_id id)
{
	t->modules[id].state = ask_opener(t, id, OPENER_MODULE) ?
		TABLE_OPENING : TABLE_ASIDE;
}

/* A debug file for MODULE that was not tried yet, if there may be one. */
static void
seek_debug(struct tables *t, module_id id)
{
	struct table_module *module = &t->modules[id];
	bool is_named = module->hint.build_id[0] || module->hint.debuglink[0];

	module->has_sought = !is_named || !ask_opener(t, id, OPENER_DEBUG);
	module->state = module->has_sought ? TABLE_OPEN : TABLE_SEEKING;
}

static void
begin(struct tables *t, enum wire_type type, module_id id)
{
	t->request.type = type;
	t->request.module = id;
	t->request.count = 0;
}

static void
begin_debug(struct tables *t, module_id id, int *fd)
{
	begin(t, WIRE_DEBUG, id);
	*fd = t->modules[id].fd;
	t->modules[id].fd = -1;
	t->modules[id].state = TABLE_OPEN;
}

static void
begin_open(struct tables *t, module_id id, int *fd)
{
	struct table_module *module = &t->modules[id];
	struct stat st;

	if (fstat(module->fd, &st) == 0)
		module->file_size = (uint64_t)st.st_size;
	begin(t, WIRE_OPEN, id);
	t->request.kind = MODULE_LIBRARY;	/* to be read as ELF */
	t->request.page = 0;
	*fd = module->fd;
	module->fd = -1;
}

static bool
is_wished_for(const struct tables *t, module_id id)
{
	for (size_t i = 0; i < t->nwishes; i++)
		if (t->wishes[i].module == id)
			return true;
	return false;
}

/* The one to be closed first; 0: all are needed. *NOPEN are open. */
static module_id
oldest_open(const struct tables *t, size_t *nopen)
{
	module_id oldest = 0;

	*nopen = 0;
	for (module_id id = 0; id < t->nmodules; id++) {
		if (!table_is_open(&t->modules[id]))
			continue;
		++*nopen;
		if (t->modules[id].state == TABLE_OPEN &&
		    (!oldest || t->modules[id].asked_id <
				t->modules[oldest].asked_id) &&
		    !is_wished_for(t, id))
			oldest = id;
	}
	return oldest;
}

/* OPEN of module ID, or a CLOSE that makes room for it. */
static bool
begin_either(struct tables *t, module_id id, int *fd)
{
	size_t nopen;
	module_id oldest = oldest_open(t, &nopen);

	if (nopen < WIRE_MODULES) {
		begin_open(t, id, fd);
		return true;
	}
	if (!oldest)
		return false;
	begin(t, WIRE_CLOSE, oldest);
	t->modules[oldest].state = TABLE_UNSEEN;
	return true;
}

static void
begin_rows(struct tables *t, const struct row_wish *wish)
{
	t->wish = *wish;
	want_whole(t, &t->wish);
	begin(t, WIRE_ROWS, wish->module);
	t->request.is_full = t->wish.is_full;
	t->request.is_whole = t->wish.is_whole;
	t->request.page = t->wish.page;
}

bool
tables_next_request(struct tables *t, int *fd)
{
	size_t i = 0;

	*fd = -1;
	while (i < t->nwishes) {
		struct row_wish wish = t->wishes[i];

		if (t->modules[wish.module].state == TABLE_UNSEEN)
			open_module_of(t, wish.module);
		switch (t->modules[wish.module].state) {
		case TABLE_READY:
			if (begin_either(t, wish.module, fd))
				return true;
			i++;
			break;
		case TABLE_FOUND:
			begin_debug(t, wish.module, fd);
			return true;
		case TABLE_OPEN:
			drop_wish(t, i);
			begin_rows(t, &wish);
			return true;
		case TABLE_ASIDE:
			drop_wish(t, i);
			wish.is_whole = true;
			row_store_deny(t->config.rows, &wish);
			break;
		default:
			i++;
		}
	}
	return false;
}

void
tables_ask_again(struct tables *t)
{
	add_wish(t, &t->wish);
	memmove(&t->wishes[1], &t->wishes[0],
		(t->nwishes - 1) * sizeof(*t->wishes));
	t->wishes[0] = t->wish;
}

/* Wishes of MODULE for one kind of table, or for both, need not be asked. */
static void
drop_wishes(struct tables *t, module_id module, bool compact, bool full)
{
	size_t i = 0;

	while (i < t->nwishes)
		if (t->wishes[i].module == module &&
		    (t->wishes[i].is_full ? full : compact))
			drop_wish(t, i);
		else
			i++;
}

/*
 * A copy of a file that was opened already, as each container has its own of the
 * same library: what is wished for is looked up there from now on. Tools that
 * change a file and leave its build id (patchelf) change its size.
 */
static void
share_tables(struct tables *t, module_id id)
{
	struct table_module *module = &t->modules[id];

	if (!module->hint.build_id[0] || module->pages_asked ||
	    module->is_whole_asked)
		return;
	for (module_id other = 0; other < t->nmodules; other++) {
		const struct table_module *same = &t->modules[other];

		if (other == id || same->state == TABLE_ASIDE ||
		    same->file_size != module->file_size ||
		    strcmp(same->hint.build_id, module->hint.build_id) != 0)
			continue;
		drop_wishes(t, id, true, true);
		row_store_share(t->config.rows, id, other);
		return;
	}
}

static void
take_opened(struct tables *t, const struct wire_answer *answer)
{
	struct table_module *module = &t->modules[t->request.module];

	module->state = answer->ok ? TABLE_OPEN : TABLE_ASIDE;
	module->hint = answer->hint;
	module->debug_place = 0;
	/* Once the reader has died of them both, the file is tried alone. */
	module->has_sought = module->harm >= PARSER_HARM_MAX / 2;
	if (answer->ok)
		share_tables(t, t->request.module);
}

/* One that is refused may be another build's, and the right one elsewhere. */
static void
take_debug(struct tables *t, const struct wire_answer *answer)
{
	struct table_module *module = &t->modules[t->request.module];

	module->has_sought = answer->ok;
	if (answer->ok)
		return;
	module->debug_place++;
	seek_debug(t, t->request.module);
}

/* Is there a debug file that may know more of what is wished for? */
static bool
waits_for_debug(struct tables *t, const struct wire_answer *answer)
{
	const struct table_module *module = &t->modules[t->wish.module];

	if (!answer->ok || !answer->lacks_rules || module->has_sought)
		return false;
	seek_debug(t, t->wish.module);
	if (module->has_sought)
		return false;
	tables_ask_again(t);
	return true;
}

static bool
take_rows(struct tables *t, const struct wire_answer *answer, int fd)
{
	struct row_store *rows = t->config.rows;

	if (waits_for_debug(t, answer))
		return true;
	if (!answer->ok)
		row_store_deny(rows, &t->wish);
	else if (fd >= 0 ? !row_store_map(rows, &t->wish, fd) :
			   !row_store_put(rows, &t->wish, answer->table.at,
					  reader_left(&answer->table)))
		return false;
	if (t->wish.is_whole)
		drop_wishes(t, t->wish.module, !t->wish.is_full,
			    t->wish.is_full);
	return true;
}

bool
tables_take_answer(struct tables *t, const struct wire_answer *answer, int fd)
{
	bool is_rows = t->request.type == WIRE_ROWS;

	if (!t->request.type || answer->id != t->request.id ||
	    answer->type != (is_rows ? WIRE_ROWS_ARE : WIRE_OPENED))
		return false;
	if (t->request.type == WIRE_OPEN)
		take_opened(t, answer);
	else if (t->request.type == WIRE_DEBUG)
		take_debug(t, answer);
	else if (is_rows && !take_rows(t, answer, fd))
		return false;
	t->request.type = 0;
	return true;
}
