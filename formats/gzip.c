/* SPDX-License-Identifier: MIT */
/*
 * gzip.c - gzip files (RFC 1952) in and out, within bounds.
 */
#include "formats/format.h"

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

struct inflater {
	z_stream z;
	const unsigned char *bytes;
	size_t len, used;	/* input */
	char *out;
	size_t out_len, capacity, max;
};

/* Room for one more byte at least, within the bounds. */
static bool
make_room(struct inflater *in, struct error *err)
{
	if (in->out_len >= in->max)
		return fail(err, 0, "it inflates to more than %zu MiB",
			    in->max >> 20);
	if (in->out_len > RATIO_FROM && in->out_len / RATIO_MAX > in->used)
		return fail(err, 0, "it inflates to more than %d times its "
			    "size, which no profile does", RATIO_MAX);
	in->out = grow(in->out, in->out_len + CHUNK, &in->capacity, 1);
	return true;
}

/* One call of inflate(), whose counters are 32 bits wide. */
static int
step(struct inflater *in)
{
	size_t in_room = in->len - in->used;
	size_t out_room = in->capacity - in->out_len;
	int status;

	if (out_room > in->max - in->out_len)
		out_room = in->max - in->out_len;
	in->z.next_in = (unsigned char *)in->bytes + in->used;
	in->z.avail_in = in_room > UINT_MAX ? UINT_MAX : (uInt)in_room;
	in->z.next_out = (unsigned char *)in->out + in->out_len;
	in->z.avail_out = out_room > UINT_MAX ? UINT_MAX : (uInt)out_room;
	status = inflate(&in->z, Z_NO_FLUSH);
	in->used = (size_t)(in->z.next_in - in->bytes);
	in->out_len = (size_t)((char *)in->z.next_out - in->out);
	return status;
}

static bool
inflate_member(struct inflater *in, struct error *err)
{
	int status;

	do {
		if (!make_room(in, err))
			return false;
		status = step(in);
	} while (status == Z_OK);
	if (status == Z_STREAM_END)
		return true;
	if (status == Z_BUF_ERROR)
		return fail(err, 0, "the gzip data is cut short after %zu "
			    "bytes", in->len);
	return fail(err, 0, "the gzip data is damaged near byte %zu",
		    in->used);
}

static bool
is_member(const struct inflater *in)
{
	return in->len - in->used >= 2 &&
	       memcmp(in->bytes + in->used, "\x1f\x8b", 2) == 0;
}

bool
gzip_read(const void *bytes, size_t len, size_t max, char **out,
	  size_t *out_len, size_t *trailing, struct error *err)
{
	struct inflater in = { .bytes = bytes, .len = len, .max = max };
	bool ok = true;

	if (inflateInit2(&in.z, GZIP_BITS) != Z_OK)
		return fail(err, 0, "zlib does not start");
	while (ok && (in.used == 0 || is_member(&in))) {
		ok = inflate_member(&in, err);
		inflateReset(&in.z);
	}
	inflateEnd(&in.z);
	if (!ok) {
		free(in.out);
		return false;
	}
	*out = in.out;
	*out_len = in.out_len;
	*trailing = in.len - in.used;
	return true;
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
