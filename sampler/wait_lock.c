/* SPDX-License-Identifier: MIT */
/*
 * wait_lock.c - the lock behind a futex, and who holds it.
 *
 * A futex is a word, and only its user knows what it means. Two kinds tell
 * their owner. A mutex of glibc's (struct __pthread_mutex_s, the same since
 * 2.4) has these words:
 *
 *	0  lock: 0 free, 1 held, 2 held and waited for
 *	1  count, of a recursive one
 *	2  owner: a thread's id
 *	3  users
 *	4  kind
 *
 * and is waited for while its first word is 2. Others, those of priority
 * inheritance (futex(2)) and robust ones, have the owner in the word itself.
 */
#include "sampler/wait.h"

#include <linux/futex.h>

#ifndef FUTEX_LOCK_PI2
#define FUTEX_LOCK_PI2 13
#endif

enum { WORD_LOCK, WORD_COUNT, WORD_OWNER, WORD_USERS, WORD_KIND, WORDS };
#define WAITED_FOR 2
#define KINDS 0x400		/* of pthread_mutex_t, with all its flags */

static bool
is_mutex(const uint32_t words[WORDS], size_t n)
{
	return words[WORD_LOCK] == WAITED_FOR && words[WORD_KIND] < KINDS &&
	       words[WORD_USERS] > 0 && words[WORD_USERS] <= n &&
	       words[WORD_COUNT] < INT32_MAX;
}

void
wait_find_lock(const struct memory *memory, const pid_t *tids, size_t n,
	       struct wait *wait)
{
	int op = (int)wait->line.arguments[1] & FUTEX_CMD_MASK;
	bool is_plain = op == FUTEX_WAIT || op == FUTEX_WAIT_BITSET;
	bool is_pi = op == FUTEX_LOCK_PI || op == FUTEX_LOCK_PI2;
	uint32_t value = (uint32_t)wait->line.arguments[2], words[WORDS];
	pid_t owner;

	if ((!is_plain && !is_pi) ||
	    !memory->read(memory->ctx, wait->address, words,
			  is_pi || value != WAITED_FOR ? sizeof(*words) :
							 sizeof(words)))
		return;
	owner = (pid_t)(words[WORD_LOCK] & FUTEX_TID_MASK);
	if ((is_pi || value == words[WORD_LOCK]) &&
	    words[WORD_LOCK] & FUTEX_WAITERS &&
	    thread_list_has(tids, n, owner)) {
		wait->lock = LOCK_OWNED;
		wait->owner = owner;
		return;
	}
	if (!is_plain || value != WAITED_FOR || !is_mutex(words, n))
		return;
	owner = (pid_t)words[WORD_OWNER];
	if (thread_list_has(tids, n, owner)) {
		wait->lock = LOCK_MUTEX;
		wait->owner = owner;
	}
}
