/* SPDX-License-Identifier: MIT */
/*
 * bell.c - eventfds.
 */
#include "app/bell.h"

#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

int
bell_new(void)
{
	return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

/* It fails only when it is full, and then it rings. */
void
bell_ring(int bell)
{
	uint64_t one = 1;
	ssize_t ignored = write(bell, &one, sizeof(one));

	(void)ignored;
}

/* It fails only when it is silent. */
void
bell_silence(int bell)
{
	uint64_t rings;
	ssize_t ignored = read(bell, &rings, sizeof(rings));

	(void)ignored;
}
