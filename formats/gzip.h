/* SPDX-License-Identifier: MIT */
/*
 * gzip.h - gzip files (RFC 1952) in and out, within bounds.
 */
#ifndef FORMATS_GZIP_H
#define FORMATS_GZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "core/base.h"
#include "formats/lines.h"

/* A gzip file that is inflated as it is read. */
struct gzip {
	struct z_stream_s *z;	/* owned */
	struct lines *in;	/* borrowed: the file's bytes */
	uint64_t taken, given;	/* bytes so far, in and out */
	uint64_t max;		/* out */
	bool has_ended;		/* behind the last member */
};

/* Begin at the front of IN. On failure there is nothing to close. */
bool gzip_open(struct gzip *gzip, struct lines *in, uint64_t max,
	       struct error *err);
void gzip_close(struct gzip *gzip);

/* A source's read(); CTX is the struct gzip. */
ssize_t gzip_read_some(void *ctx, void *into, size_t room, struct error *err);

/* How many bytes there are behind the last member; they are taken. */
uint64_t gzip_trailing(struct gzip *gzip);

/*
 * Inflate all members of a gzip file into *OUT (the caller frees), at most
 * MAX bytes. Bytes behind the last member are reported in *TRAILING.
 */
bool gzip_read(const void *bytes, size_t len, size_t max, char **out,
	       size_t *out_len, size_t *trailing, struct error *err);

/* Deflate; reproducible (no time, no name in the header). */
bool gzip_write(FILE *out, const void *bytes, size_t len, struct error *err);

#endif
