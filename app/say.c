/* SPDX-License-Identifier: MIT */
/*
 * say.c - a line to standard error in one piece; the end of standard output.
 */
#include "app/say.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app/options.h"
#include "core/sanitise.h"

#define SAY_MAX 4608		/* a path and some words */

void
say(const char *fmt, ...)
{
	char raw[SAY_MAX], clean[SAY_MAX];
	va_list args;

	va_start(args, fmt);
	vsnprintf(raw, sizeof(raw), fmt, args);
	va_end(args);
	fprintf(stderr, "flametop: %s\n",
		sanitise_into(clean, sizeof(clean), raw, strlen(raw)));
}

int
say_flush(void)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return STATUS_DONE;
	if (errno == EPIPE)
		return STATUS_DONE;
	say("cannot write to standard output: %s", strerror(errno));
	return STATUS_FAILED;
}
