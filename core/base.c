/* SPDX-License-Identifier: MIT */
/*
 * base.c - errors and memory.
 */
#include "core/base.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool
fail(struct error *err, int errnum, const char *fmt, ...)
{
	va_list args;
	size_t len;

	if (!err)
		return false;
	err->errnum = errnum;
	va_start(args, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, args);
	va_end(args);
	len = strlen(err->text);
	if (errnum)
		snprintf(err->text + len, sizeof(err->text) - len, ": %s",
			 strerror(errnum));
	return false;
}

bool
explain(struct error *err, int errnum, const char *fmt, ...)
{
	va_list args;

	if (!err)
		return false;
	err->errnum = errnum;
	va_start(args, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, args);
	va_end(args);
	return false;
}

/* Nothing here may need memory, nor run what exit() would. */
static void
die_of_hunger(void)
{
	static const char text[] = "flametop: out of memory\n";
	ssize_t ignored = write(STDERR_FILENO, text, sizeof(text) - 1);

	(void)ignored;
	_exit(1);
}

void *
xcalloc(size_t count, size_t size)
{
	void *new = calloc(count ? count : 1, size ? size : 1);

	if (!new)
		die_of_hunger();
	return new;
}

void *
xreallocarray(void *old, size_t count, size_t size)
{
	void *new = reallocarray(old, count ? count : 1, size ? size : 1);

	if (!new)
		die_of_hunger();
	return new;
}

char *
xstrdup(const char *text)
{
	return xstrndup(text, strlen(text));
}

char *
xstrndup(const char *bytes, size_t len)
{
	char *new = strndup(bytes, len);

	if (!new)
		die_of_hunger();
	return new;
}

void *
grow(void *array, size_t count, size_t *capacity, size_t size)
{
	size_t wanted = *capacity ? *capacity : 16;

	if (count < *capacity)
		return array;
	while (wanted <= count) {
		if (wanted > SIZE_MAX / 2)
			die_of_hunger();
		wanted *= 2;
	}
	*capacity = wanted;
	return xreallocarray(array, wanted, size);
}
