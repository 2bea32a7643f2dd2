/* SPDX-License-Identifier: MIT */
/*
 * client_answers.c - answers of the symbols process, which an enemy may have
 * written.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/client_private.h"
#include "core/image.h"

static void
name_frames(struct client *c, uint64_t offset, const struct symbol *symbol)
{
	struct asked key = { .offset = offset }, *at;
	struct asked *end = c->asked + c->request.count;

	at = bsearch(&key, c->asked, c->request.count, sizeof(key),
		     client_by_offset);
	while (at && at > c->asked && at[-1].offset == offset)
		at--;
	for (; at && at < end && at->offset == offset; at++) {
		names_set(c->names, at->frame, symbol);
		c->starts[at->frame] = symbol->start;
		at->is_named = true;
		c->got_name = true;
	}
}

/* True when the answer is complete. */
static bool
take_names(struct client *c, struct wire_answer *answer)
{
	struct known_module *known = &c->modules[c->request.module];
	struct symbol symbol;
	uint64_t offset;

	while (wire_next_name(answer, &offset, &symbol)) {
		client_note_name(c, symbol.name);
		name_frames(c, offset, &symbol);
	}
	if (!answer->is_last)
		return false;
	client_tell_trouble(c, c->request.module, answer->text);
	for (uint32_t i = 0; i < c->request.count; i++)
		if (!c->asked[i].is_named)
			frame_list_add(&known->nameless, c->asked[i].frame);
	return true;
}

/* Nobody may change the bytes while they are read. */
static bool
read_sealed(int fd, struct profile **out, struct error *err)
{
	int wanted = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW;
	struct stat st;
	void *bytes;
	bool ok;

	if (fd < 0 || (fcntl(fd, F_GET_SEALS) & wanted) != wanted ||
	    fcntl(fd, F_GET_SEALS) < 0 || fstat(fd, &st) < 0 ||
	    st.st_size <= 0 || (uint64_t)st.st_size > IMAGE_MAX)
		return fail(err, 0, "the symbols process sent no profile");
	bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (bytes == MAP_FAILED)
		return fail(err, errno, "cannot map the profile");
	ok = image_read(bytes, (size_t)st.st_size, out, err);
	munmap(bytes, (size_t)st.st_size);
	return ok;
}

static void
take_loaded(struct client *c, const struct wire_answer *answer, int fd)
{
	c->is_loaded = true;
	c->report = answer->report;
	c->load_err = (struct error){ 0 };
	if (!answer->ok)
		fail(&c->load_err, 0, "%s", answer->text);
	else
		read_sealed(fd, &c->loaded, &c->load_err);
	close(c->load_fd);
	c->load_fd = -1;
}

bool
client_take_answer(struct client *c, struct wire_answer *answer, int fd)
{
	static const enum wire_type answers[] = {
		[WIRE_OPEN] = WIRE_OPENED, [WIRE_DEBUG] = WIRE_OPENED,
		[WIRE_COMMON] = WIRE_OPENED, [WIRE_CLOSE] = WIRE_OPENED,
		[WIRE_RESOLVE] = WIRE_NAMES, [WIRE_PLACES] = WIRE_PLACED,
		[WIRE_LOAD] = WIRE_LOADED,
	};

	if (answer->id != c->request.id || !c->request.type ||
	    answer->type != answers[c->request.type])
		return false;
	switch (c->request.type) {
	case WIRE_OPEN:
		client_module_opened(c, c->request.module, answer);
		break;
	case WIRE_DEBUG:
		client_debug_opened(c, c->request.module, answer);
		break;
	case WIRE_COMMON:
		client_common_opened(c, c->request.module, answer);
		break;
	case WIRE_CLOSE:
		break;
	case WIRE_RESOLVE:
		if (!take_names(c, answer))
			return true;
		break;
	case WIRE_PLACES:
		if (!client_take_places(c, answer))
			return true;
		break;
	default:
		take_loaded(c, answer, fd);
	}
	c->request.type = 0;
	return true;
}
