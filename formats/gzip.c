/* SPDX-License-Identifier: MIT */
/*
 * gzip.c - gzip files (RFC 1952) in and out, within bounds.
 */
#include "formats/gzip.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define GZIP_BITS (15 + 16)	/* largest window; gzip header, not zlib's */
#define CHUNK ((size_t)64 << 10)

/*
 * Deflate cannot do better than 1032:1, and gets there on a single byte
 * repeated only. No profile is that.
 */
#define RATIO_MAX 1000
#define RATIO_FROM ((size_t)16 << 20)	/* bytes out, before which all goes */

bool
gzip_open(struct gzip *gzip, struct lines *in, uint64_t max,
	  struct error *err)
{
	*gzip = (struct gzip){ .in = in, .max = max };
	gzip->z = xcalloc(1, sizeof(*gzip->z));
	if (inflateInit2(gzip->z, GZIP_BITS) == Z_OK)
		return true;
	free(gzip->z);
	return fail(err, 0, "zlib does not start");
}

void
gzip_close(struct gzip *gzip)
{
	inflateEnd(gzip->z);
	free(gzip->z);
}

static bool
check_bounds(const struct gzip *gzip, struct error *err)
{
	if (gzip->given >= gzip->max)
		return fail(err, 0, "it inflates to more than %llu MiB",
			    (unsigned long long)gzip->max >> 20);
	if (gzip->given > RATIO_FROM &&
	    gzip->given / RATIO_MAX > gzip->taken)
		return fail(err, 0, "it inflates to more than %d times its "
			    "size, which no profile does", RATIO_MAX);
	return true;
}

/* One call of inflate(), whose counters are 32 bits wide. */
static int
step(struct gzip *gzip, void *into, size_t room, size_t *got)
{
	struct lines *in = gzip->in;
	size_t left = lines_fill(in, 1);
	int status;

	if (room > gzip->max - gzip->given)
		room = (size_t)(gzip->max - gzip->given);
	room = room > UINT_MAX ? UINT_MAX : room;
	left = left > UINT_MAX ? UINT_MAX : left;
	gzip->z->next_in = (unsigned char *)in->at;
	gzip->z->avail_in = (uInt)left;
	gzip->z->next_out = into;
	gzip->z->avail_out = (uInt)room;
	status = inflate(gzip->z, Z_NO_FLUSH);
	in->at += left - gzip->z->avail_in;
	gzip->taken += left - gzip->z->avail_in;
	*got = room - gzip->z->avail_out;
	gzip->given += *got;
	return status;
}

static bool
is_member(struct lines *in)
{
	return lines_fill(in, 2) >= 2 && memcmp(in->at, "\x1f\x8b", 2) == 0;
}

ssize_t
gzip_read_some(void *ctx, void *into, size_t room, struct error *err)
{
	struct gzip *gzip = ctx;
	size_t got = 0;
	int status;

	while (!got && !gzip->has_ended) {
		if (!check_bounds(gzip, err))
			return -1;
		status = step(gzip, into, room, &got);
		if (gzip->in->has_failed) {
			*err = gzip->in->err;
			return -1;
		}
		if (status == Z_STREAM_END) {
			inflateReset(gzip->z);
			gzip->has_ended = !is_member(gzip->in);
		} else if (status == Z_BUF_ERROR) {
			fail(err, 0, "the gzip data is cut short after %llu "
			     "bytes", (unsigned long long)gzip->taken);
			return -1;
		} else if (status != Z_OK) {
			fail(err, 0, "the gzip data is damaged near byte %llu",
			     (unsigned long long)gzip->taken);
			return -1;
		}
	}
	return (ssize_t)got;
}

uint64_t
gzip_trailing(struct gzip *gzip)
{
	struct lines *in = gzip->in;
	uint64_t count = 0;
	size_t left;

	while (gzip->has_ended && (left = lines_fill(in, 1))) {
		count += left;
		in->at += left;
	}
	return count;
}

bool
gzip_read(const void *bytes, size_t len, size_t max, char **out,
	  size_t *out_len, size_t *trailing, struct error *err)
{
	struct lines in = lines_of(bytes, len);
	char *inflated = NULL;
	size_t capacity = 0;
	struct gzip gzip;
	ssize_t got;

	if (!gzip_open(&gzip, &in, max, err))
		return false;
	*out_len = 0;
	do {
		inflated = grow(inflated, *out_len + CHUNK, &capacity, 1);
		got = gzip_read_some(&gzip, inflated + *out_len, CHUNK, err);
		*out_len += got > 0 ? (size_t)got : 0;
	} while (got > 0);
	*trailing = (size_t)gzip_trailing(&gzip);
	gzip_close(&gzip);
	if (got == 0) {
		*out = inflated;
		return true;
	}
	free(inflated);
	return false;
}

bool
gzip_write(FILE *out, const void *bytes, size_t len, struct error *err)
{
	unsigned char buffer[CHUNK];
	z_stream z = { 0 };
	size_t used = 0, room;
	bool ok = true;
	int status;

	if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_BITS, 8,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		return fail(err, 0, "zlib does not start");
	do {
		room = len - used > UINT_MAX ? UINT_MAX : len - used;
		z.next_in = (unsigned char *)bytes + used;
		z.avail_in = (uInt)room;
		z.next_out = buffer;
		z.avail_out = sizeof(buffer);
		status = deflate(&z, used + room == len ? Z_FINISH :
							  Z_NO_FLUSH);
		used += room - z.avail_in;
		room = sizeof(buffer) - z.avail_out;
		ok = fwrite(buffer, 1, room, out) == room;
	} while (ok && status != Z_STREAM_END);
	deflateEnd(&z);
	return ok || fail(err, errno, "cannot write");
}
