/* SPDX-License-Identifier: MIT */
/*
 * wire.c - records of the symbols socket, written and read.
 */
#include "app/wire.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base.h"

/* Copy the next string into OUT; one that does not fit fails the record. */
static void
get_text(struct reader *r, char *out, size_t size)
{
	const char *text = reader_cstr(r);
	size_t len = strlen(text);

	if (len >= size) {
		r->failed = true;
		len = 0;
	}
	memcpy(out, text, len);
	out[len] = '\0';
}

void
wire_put_request(struct writer *w, const struct wire_request *request)
{
	writer_u32(w, request->type);
	writer_u32(w, request->id);
	writer_u32(w, request->module);
	writer_u32(w, request->kind);
	writer_u8(w, request->is_full);
	writer_u8(w, request->is_whole);
	writer_u32(w, request->page);
	writer_u8(w, request->is_vaddr);
	writer_u8(w, request->may_unpack);
	writer_cstr(w, request->read.type);
	writer_u32(w, request->count);
	for (uint32_t i = 0; i < request->count; i++)
		writer_u64(w, request->offsets[i]);
}

bool
wire_get_request(const void *bytes, size_t len, struct wire_request *out)
{
	struct reader r = reader_of(bytes, len);

	out->type = reader_u32(&r);
	out->id = reader_u32(&r);
	out->module = reader_u32(&r);
	out->kind = reader_u32(&r);
	out->is_full = reader_u8(&r) == 1;
	out->is_whole = reader_u8(&r) == 1;
	out->page = reader_u32(&r);
	out->is_vaddr = reader_u8(&r) == 1;
	out->may_unpack = reader_u8(&r) == 1;
	get_text(&r, out->read.type, sizeof(out->read.type));
	out->count = reader_u32(&r);
	if (r.failed || out->type < WIRE_OPEN || out->type > WIRE_EXPLAIN ||
	    out->kind > MODULE_JIT || out->count > WIRE_OFFSETS)
		return false;
	for (uint32_t i = 0; i < out->count; i++)
		out->offsets[i] = reader_u64(&r);
	return !r.failed && reader_left(&r) == 0;
}

static void
put_report(struct writer *w, const struct read_report *report)
{
	writer_u64(w, report->lines);
	writer_u64(w, report->ignored);
	writer_u64(w, report->extended);
	writer_u64(w, report->duplicates);
	writer_u64(w, report->empties);
	for (size_t i = 0; i < ARRAY_LEN(report->first_ignored); i++)
		writer_u64(w, report->first_ignored[i]);
	writer_cstr(w, report->note);
}

static void
get_report(struct reader *r, struct read_report *report)
{
	report->lines = reader_u64(r);
	report->ignored = reader_u64(r);
	report->extended = reader_u64(r);
	report->duplicates = reader_u64(r);
	report->empties = reader_u64(r);
	for (size_t i = 0; i < ARRAY_LEN(report->first_ignored); i++)
		report->first_ignored[i] = reader_u64(r);
	get_text(r, report->note, sizeof(report->note));
}

void
wire_put_answer(struct writer *w, const struct wire_answer *answer)
{
	writer_u32(w, answer->type);
	writer_u32(w, answer->id);
	writer_u8(w, answer->ok);
	writer_cstr(w, answer->text);
	switch (answer->type) {
	case WIRE_OPENED:
		writer_cstr(w, answer->hint.build_id);
		writer_cstr(w, answer->hint.debuglink);
		writer_u8(w, answer->hint.is_wanted);
		writer_u32(w, answer->hint.version);
		writer_cstr(w, answer->hint.common);
		writer_cstr(w, answer->hint.common_id);
		break;
	case WIRE_NAMES:
	case WIRE_PLACED:
		writer_u8(w, answer->is_last);
		break;
	case WIRE_LOADED:
		put_report(w, &answer->report);
		break;
	case WIRE_ROWS_ARE:
		writer_u8(w, answer->lacks_rules);
		writer_bytes(w, answer->table.at, reader_left(&answer->table));
		break;
	case WIRE_EXPLAINED:
		writer_bytes(w, answer->lines.at, reader_left(&answer->lines));
		break;
	default:
		break;
	}
}

void
wire_put_name(struct writer *w, uint64_t offset, const struct symbol *symbol)
{
	size_t len = strnlen(symbol->name, WIRE_NAME_MAX);

	writer_u64(w, offset);
	writer_u64(w, symbol->start);
	writer_bytes(w, symbol->name, len);
	writer_u8(w, 0);
}

static void
put_cut(struct writer *w, const char *text)
{
	writer_bytes(w, text, strnlen(text, WIRE_PLACE_MAX));
	writer_u8(w, 0);
}

void
wire_put_places(struct writer *w, uint64_t offset,
		const struct symbol_place *places, size_t n)
{
	size_t count_at, full = w->len + WIRE_MAX / 2 - 2 * WIRE_PLACE_MAX - 16;
	uint16_t count = 0;

	writer_u64(w, offset);
	count_at = w->len;
	writer_u16(w, 0);
	for (; count < n && count < WIRE_DEPTH_MAX && w->len < full; count++) {
		put_cut(w, places[count].name);
		put_cut(w, places[count].file);
		writer_u32(w, places[count].line);
	}
	w->bytes[count_at] = (uint8_t)count;
	w->bytes[count_at + 1] = (uint8_t)(count >> 8);
}

bool
wire_get_answer(const void *bytes, size_t len, struct wire_answer *out)
{
	struct reader r = reader_of(bytes, len);

	memset(out, 0, sizeof(*out));
	out->type = reader_u32(&r);
	out->id = reader_u32(&r);
	out->ok = reader_u8(&r) == 1;
	get_text(&r, out->text, sizeof(out->text));
	switch (out->type) {
	case WIRE_OPENED:
		get_text(&r, out->hint.build_id, sizeof(out->hint.build_id));
		get_text(&r, out->hint.debuglink,
			 sizeof(out->hint.debuglink));
		out->hint.is_wanted = reader_u8(&r) == 1;
		out->hint.version = reader_u32(&r);
		get_text(&r, out->hint.common, sizeof(out->hint.common));
		get_text(&r, out->hint.common_id,
			 sizeof(out->hint.common_id));
		break;
	case WIRE_NAMES:
	case WIRE_PLACED:
		out->is_last = reader_u8(&r) == 1;
		out->rows = r;
		return !r.failed;
	case WIRE_ROWS_ARE:
		out->lacks_rules = reader_u8(&r) == 1;
		out->table = r;
		return !r.failed;
	case WIRE_LOADED:
		get_report(&r, &out->report);
		break;
	case WIRE_EXPLAINED:
		out->lines = r;
		return !r.failed;
	default:
		return false;
	}
	return !r.failed && reader_left(&r) == 0;
}

bool
wire_next_name(struct wire_answer *answer, uint64_t *offset,
	       struct symbol *symbol)
{
	struct reader *r = &answer->rows;

	if (reader_left(r) == 0)
		return false;
	*offset = reader_u64(r);
	*symbol = (struct symbol){ .start = reader_u64(r) };
	symbol->name = reader_cstr(r);
	return !r->failed;
}

bool
wire_next_places(struct wire_answer *answer, uint64_t *offset,
		 struct symbol_place places[WIRE_DEPTH_MAX], size_t *n)
{
	struct reader *r = &answer->rows;

	if (reader_left(r) == 0)
		return false;
	*offset = reader_u64(r);
	*n = reader_u16(r);
	if (*n > WIRE_DEPTH_MAX)
		r->failed = true;
	for (size_t i = 0; i < *n && !r->failed; i++) {
		places[i].name = reader_cstr(r);
		places[i].file = reader_cstr(r);
		places[i].line = reader_u32(r);
	}
	return !r->failed;
}

bool
wire_send(int sock, const struct writer *record, int fd, struct error *err)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} room = { { 0 } };
	struct iovec part = { record->bytes, record->len };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
	ssize_t sent;

	if (record->len > WIRE_MAX)
		return fail(err, EMSGSIZE, "symbols socket");
	if (fd >= 0) {
		struct cmsghdr *header = &room.align;

		message.msg_control = room.bytes;
		message.msg_controllen = sizeof(room.bytes);
		header->cmsg_level = SOL_SOCKET;
		header->cmsg_type = SCM_RIGHTS;
		header->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(header), &fd, sizeof(int));
	}
	do
		sent = sendmsg(sock, &message, MSG_NOSIGNAL);
	while (sent < 0 && errno == EINTR);
	return sent >= 0 || fail(err, errno, "symbols socket");
}

/* Take every descriptor that came; only a single one is welcome. */
static bool
take_fd(struct msghdr *message, int *fd)
{
	bool is_good = !(message->msg_flags & MSG_CTRUNC);

	*fd = -1;
	for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c;
	     c = CMSG_NXTHDR(message, c)) {
		size_t count;

		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		for (size_t i = 0; i < count; i++) {
			int got;

			memcpy(&got, CMSG_DATA(c) + i * sizeof(int),
			       sizeof(int));
			if (*fd >= 0) {
				close(got);
				is_good = false;
			} else {
				*fd = got;
			}
		}
	}
	return is_good;
}

enum wire_got
wire_receive(int sock, uint8_t *bytes, size_t *len, int *fd)
{
	union {
		char bytes[CMSG_SPACE(4 * sizeof(int))];
		struct cmsghdr align;
	} room;
	struct iovec part = { bytes, WIRE_MAX };
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1,
		.msg_control = room.bytes, .msg_controllen = sizeof(room),
	};
	ssize_t got;
	bool is_good;

	*fd = -1;
	do
		got = recvmsg(sock, &message, MSG_CMSG_CLOEXEC);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return errno == EAGAIN ? WIRE_NOTHING : WIRE_CLOSED;
	is_good = take_fd(&message, fd);
	if (got > 0 && is_good && !(message.msg_flags & MSG_TRUNC)) {
		*len = (size_t)got;
		return WIRE_GOT;
	}
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
	return WIRE_CLOSED;
}
