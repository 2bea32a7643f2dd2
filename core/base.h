/* SPDX-License-Identifier: MIT */
/*
 * base.h - the few words every file may use without a prefix.
 *
 * fail(), explain() report a failure the world caused; return false
 * xcalloc() &c      allocate or end the program; never NULL, never zero bytes
 * grow()            room for one more element of a growing array
 * add_saturating()  a sum that stops at the largest number
 * ARRAY_LEN         length of a real array
 *
 * Keep this list short: a word here is a word every reader must learn.
 */
#ifndef CORE_BASE_H
#define CORE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

/* Why an operation failed. Lives in the caller's frame; owns nothing. */
struct error {
	int errnum;		/* errno value, or 0 if no system call failed */
	char text[480];		/* one clause: no newline, no full stop */
};

/*
 * Fill ERR (which may be NULL) and return false. The text is one clause for
 * the user: what, which, and the next command if there is one. A non-zero
 * ERRNUM appends ": " and its message.
 */
bool fail(struct error *err, int errnum, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The same, where the text says it all and ERRNUM only tells its class. */
bool explain(struct error *err, int errnum, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Memory, zeroed where it is new. Out of memory ends the process with status
 * 1 and one line on standard error; the supervisor then frees the target and
 * the terminal (app/supervisor.h).
 */
void *xcalloc(size_t count, size_t size);
void *xreallocarray(void *old, size_t count, size_t size);
char *xstrdup(const char *text);
char *xstrndup(const char *bytes, size_t len);	/* stops at a NUL */

/*
 * Make room for element number COUNT of ARRAY (elements of SIZE bytes) and
 * return the array, moved or not; *CAPACITY is kept by the callee. New room
 * is not zeroed.
 */
void *grow(void *array, size_t count, size_t *capacity, size_t size);

/* A + B, or UINT64_MAX when that does not fit. */
static inline uint64_t
add_saturating(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

#endif
