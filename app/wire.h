/* SPDX-License-Identifier: MIT */
/*
 * wire.h - what the app and the processes that parse say to each other.
 *
 * One SOCK_SEQPACKET socket, records of at most WIRE_MAX bytes, descriptors
 * by SCM_RIGHTS. A request carries an id and its answers carry it back. Both
 * ends are the same binary, so the bytes are no format; but the app reads
 * them as if an enemy had sent them, because such a process may have been
 * taken over by a file that it parsed.
 *
 *	app				symbols, or tables (OPEN, DEBUG, CLOSE,
 *					ROWS)
 *	OPEN module kind + fd	->	OPENED (hint for a debug file)
 *	DEBUG module + fd	->	OPENED (hint for a common file)
 *	COMMON module + fd	->	OPENED
 *	CLOSE module		->	OPENED
 *	ROWS module page	->	ROWS_ARE (+ sealed memory, core/rows.h)
 *	RESOLVE module offsets	->	NAMES ... NAMES (last)
 *	PLACES module offsets	->	PLACED ... PLACED (last)
 *	LOAD + fd		->	LOADED + sealed memory (core/image.h)
 *	EXPLAIN module offset	->	EXPLAINED lines of text
 */
#ifndef APP_WIRE_H
#define APP_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/names.h"
#include "core/profile.h"
#include "core/reader.h"
#include "formats/format.h"
#include "symbols/symbols.h"

#define WIRE_MAX 65536
#define WIRE_MODULES 128	/* at most so many are open at once */
#define WIRE_OFFSETS 1024	/* at most so many in one RESOLVE */
#define WIRE_NAME_MAX 16384	/* longer names are cut */
#define WIRE_DEPTH_MAX 256	/* places of one offset */
#define WIRE_PLACE_MAX 4096	/* and longer names and paths of places */

enum wire_type {
	WIRE_OPEN = 1, WIRE_DEBUG, WIRE_COMMON, WIRE_RESOLVE, WIRE_PLACES,
	WIRE_LOAD, WIRE_ROWS, WIRE_CLOSE, WIRE_EXPLAIN,
	WIRE_OPENED, WIRE_NAMES, WIRE_PLACED, WIRE_LOADED, WIRE_ROWS_ARE,
	WIRE_EXPLAINED,
};

struct wire_request {
	enum wire_type type;
	uint32_t id;
	uint32_t module;
	enum module_kind kind;			/* OPEN */
	bool is_full, is_whole;			/* ROWS: which table */
	uint32_t page;				/* ROWS, if it is not whole;
						   OPEN: hint.version */
	bool is_vaddr;				/* EXPLAIN: no file offset */
	bool may_unpack;			/* PLACES: debug sections */
	uint32_t count;				/* RESOLVE, PLACES */
	uint64_t offsets[WIRE_OFFSETS];
	struct read_options read;		/* LOAD */
};

struct wire_answer {
	enum wire_type type;
	uint32_t id;
	bool ok;
	char text[240];				/* not ok: why; NAMES, PLACED:
						   what went wrong */
	struct debug_hint hint;			/* OPENED */
	struct read_report report;		/* LOADED */
	struct reader lines;			/* EXPLAINED: foreign bytes */
	bool is_last;				/* NAMES, PLACED: no more to
						   come */
	struct reader rows;			/* wire_next_name() and
						   wire_next_places() */
	bool lacks_rules;			/* ROWS_ARE: a debug file may
						   have more */
	struct reader table;			/* ROWS_ARE; empty: in memory
						   that comes with it */
};

void wire_put_request(struct writer *w, const struct wire_request *request);
bool wire_get_request(const void *bytes, size_t len,
		      struct wire_request *out);

/*
 * Rows are not written: wire_put_name() appends those of NAMES,
 * wire_put_places() those of PLACED (which need up to half of WIRE_MAX: what
 * is too much is left out from the inside).
 */
void wire_put_answer(struct writer *w, const struct wire_answer *answer);
void wire_put_name(struct writer *w, uint64_t offset,
		   const struct symbol *symbol);
void wire_put_places(struct writer *w, uint64_t offset,
		     const struct symbol_place *places, size_t n);

/* ANSWER borrows BYTES as long as its names are read. */
bool wire_get_answer(const void *bytes, size_t len,
		     struct wire_answer *out);

/* The next name of a NAMES answer, borrowed; false at the end. */
bool wire_next_name(struct wire_answer *answer, uint64_t *offset,
		    struct symbol *symbol);

/* The next offset of a PLACED answer and its *N places. */
bool wire_next_places(struct wire_answer *answer, uint64_t *offset,
		      struct symbol_place places[WIRE_DEPTH_MAX], size_t *n);

/*
 * Send one record, with FD unless it is -1 (borrowed). False with errno in
 * ERR; EAGAIN when the socket is non-blocking and full.
 */
bool wire_send(int sock, const struct writer *record, int fd,
	       struct error *err);

enum wire_got { WIRE_GOT, WIRE_NOTHING, WIRE_CLOSED };

/*
 * Receive one record of at most WIRE_MAX bytes into BYTES. *FD is a
 * descriptor that came with it, now the caller's, or -1. A record that was
 * longer, or brought more than one descriptor, closes the conversation.
 */
enum wire_got wire_receive(int sock, uint8_t *bytes, size_t *len, int *fd);

#endif
