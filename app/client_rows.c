/* SPDX-License-Identifier: MIT */
/*
 * client_rows.c - tables of unwind rules: which are asked for, and when.
 *
 * Making one of a whole module takes some milliseconds, so most are asked for
 * whole at once. Of a large file the page that is needed comes first, and the
 * rest when several pages were.
 */
#include <string.h>

#include "app/client_private.h"

#define LARGE_FILE ((uint64_t)64 << 20)
#define MANY_PAGES 3

static void
add_wish(struct client *c, const struct row_wish *wish)
{
	c->wishes = grow(c->wishes, c->nwishes, &c->wishes_capacity,
			 sizeof(*c->wishes));
	c->wishes[c->nwishes++] = *wish;
	client_module(c, wish->module)->wishes++;
}

static void
drop_wish(struct client *c, size_t i)
{
	c->modules[c->wishes[i].module].wishes--;
	memmove(&c->wishes[i], &c->wishes[i + 1],
		(c->nwishes - i - 1) * sizeof(*c->wishes));
	c->nwishes--;
}

void
client_take_wishes(struct client *c)
{
	struct row_wish wish;

	while (c->rows && row_store_next(c->rows, &wish))
		if (wish.is_full ||
		    !client_module(c, wish.module)->is_whole_asked)
			add_wish(c, &wish);
}

bool
client_wishes_for(const struct client *c, module_id id)
{
	return c->modules[id].wishes && c->modules[id].state == STATE_READY;
}

/* All of a module instead of a page, or behind it. */
static void
want_whole(struct client *c, struct row_wish *wish)
{
	struct known_module *known = &c->modules[wish->module];
	struct row_wish whole = *wish;

	if (wish->is_full || known->is_whole_asked ||
	    !row_store_has_room(c->rows))
		return;
	whole.is_whole = true;
	if (known->file_size <= LARGE_FILE)
		*wish = whole;
	else if (++known->pages_asked > MANY_PAGES)
		add_wish(c, &whole);
	else
		return;
	c->modules[wish->module].is_whole_asked = true;
}

bool
client_begin_rows(struct client *c)
{
	size_t i = 0;

	while (i < c->nwishes) {
		struct row_wish wish = c->wishes[i];
		enum module_state state = c->modules[wish.module].state;

		if (state != STATE_OPEN && state != STATE_ASIDE) {
			i++;
			continue;
		}
		drop_wish(c, i);
		if (state == STATE_ASIDE) {
			wish.is_whole = true;
			row_store_deny(c->rows, &wish);
			continue;
		}
		want_whole(c, &wish);
		c->wish = wish;
		c->request.type = WIRE_ROWS;
		c->request.module = wish.module;
		c->request.count = 0;
		c->request.is_full = wish.is_full;
		c->request.is_whole = wish.is_whole;
		c->request.page = wish.page;
		return true;
	}
	return false;
}

void
client_rows_failed(struct client *c)
{
	add_wish(c, &c->wish);
	memmove(&c->wishes[1], &c->wishes[0],
		(c->nwishes - 1) * sizeof(*c->wishes));
	c->wishes[0] = c->wish;
}

/* Pages of what has come as a whole need not be asked for. */
static void
drop_pages(struct client *c, const struct row_wish *whole)
{
	size_t i = 0;

	while (i < c->nwishes)
		if (c->wishes[i].module == whole->module &&
		    c->wishes[i].is_full == whole->is_full)
			drop_wish(c, i);
		else
			i++;
}

bool
client_take_rows(struct client *c, const struct wire_answer *answer, int fd)
{
	if (!answer->ok)
		row_store_deny(c->rows, &c->wish);
	else if (fd >= 0 ? !row_store_map(c->rows, &c->wish, fd) :
			   !row_store_put(c->rows, &c->wish, answer->table.at,
				      reader_left(&answer->table)))
		return false;
	if (c->wish.is_whole)
		drop_pages(c, &c->wish);
	return true;
}
