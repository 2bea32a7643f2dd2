/* SPDX-License-Identifier: MIT */
/*
 * diff_picture.c - what changed, as an SVG file.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "app/diff_print.h"
#include "app/save.h"
#include "formats/svg.h"

static bool
write_all(const char *path, const char *bytes, size_t len, bool is_forced,
	  struct error *err)
{
	if (strcmp(path, "-") != 0)
		return save_bytes(path, bytes, len, is_forced, err);
	return (fwrite(bytes, 1, len, stdout) == len &&
		fflush(stdout) == 0) ||
	       fail(err, errno, "cannot write to standard output");
}

bool
diff_is_picture(const char *path)
{
	bool is_gzip;

	return format_by_suffix(path, &is_gzip) == &format_svg && !is_gzip;
}

bool
diff_save_picture(const char *path, bool is_forced,
		  const struct comparison *comparison,
		  const struct diff_titles *titles, struct error *err)
{
	char *bytes = NULL;
	size_t len = 0;
	FILE *memory = open_memstream(&bytes, &len);
	bool ok;

	if (!memory)
		return fail(err, errno, "no memory to save");
	ok = svg_write_difference(memory, comparison, titles->base,
				  titles->other, err);
	if (fclose(memory) != 0)
		ok = fail(err, errno, "no memory to save");
	ok = ok && write_all(path, bytes, len, is_forced, err);
	free(bytes);
	return ok;
}
