/* SPDX-License-Identifier: MIT */
/*
 * wait_text.c - a wait in words, and what a descriptor is.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sanitise.h"
#include "sampler/sockets.h"
#include "sampler/wait.h"

/* "anon_inode:[eventfd]" is "eventfd", "pipe:[12]" is "pipe 12". */
static void
name_link(struct wait *wait, const char *link, size_t len)
{
	static const char anonymous[] = "anon_inode:[";
	size_t skip = strlen(anonymous);
	char kind[32], text[64];
	unsigned long inode;

	if (sscanf(link, "%31[a-z]:[%lu]", kind, &inode) == 2) {
		snprintf(text, sizeof(text), "%s %lu", kind, inode);
		link = text;
		len = strlen(text);
	} else if (len > skip && !strncmp(link, anonymous, skip)) {
		link += skip;
		len -= skip + 1;
	}
	sanitise_into(wait->subject, sizeof(wait->subject), link, len);
}

void
wait_name(const struct target *target, pid_t tid, struct sockets *sockets,
	  struct wait *wait)
{
	char name[32], link[PATH_MAX], text[sizeof(wait->subject)];
	unsigned long inode;
	ssize_t len;

	if (!wait->nfds)
		return;
	snprintf(name, sizeof(name), "fd/%d", wait->fds[0]);
	len = target_read_link(target, tid, name, link, sizeof(link));
	if (len <= 0)
		return;
	if (sockets && sscanf(link, "socket:[%lu]", &inode) == 1 &&
	    sockets_find(sockets, target, tid, inode, text, sizeof(text)))
		sanitise_into(wait->subject, sizeof(wait->subject), text,
			      strlen(text));
	else
		name_link(wait, link, (size_t)len);
}

/* --- words */

char *
wait_time_text(uint64_t ns, char *out, size_t size)
{
	double s = (double)ns / 1e9;

	if (s < 1e-3)
		snprintf(out, size, "%.0f us", s * 1e6);
	else if (s < 1)
		snprintf(out, size, "%.0f ms", s * 1e3);
	else if (s < 600)
		snprintf(out, size, "%.3g s", s);
	else if (s < 7200)
		snprintf(out, size, "%.0f min", s / 60);
	else if (s < 172800)
		snprintf(out, size, "%.1f h", s / 3600);
	else
		snprintf(out, size, "%.0f days", s / 86400);
	return out;
}

static void
append(char *out, size_t size, const char *text)
{
	size_t len = strlen(out);

	snprintf(out + len, size - len, "%s", text);
}

static void
append_fds(const struct wait *wait, char *out, size_t size)
{
	size_t n = wait->nfds < WAIT_SET ? wait->nfds : WAIT_SET;
	char text[256];

	if (wait->nfds == 1 || wait->call->shape == CALL_FD) {
		snprintf(text, sizeof(text), " on fd %d%s%s", wait->fds[0],
			 *wait->subject ? ", " : "", wait->subject);
		append(out, size, text);
		return;
	}
	snprintf(text, sizeof(text), " on %zu descriptors (", wait->nfds);
	append(out, size, text);
	for (size_t i = 0; i < n; i++) {
		snprintf(text, sizeof(text), "%s%d", i ? ", " : "",
			 wait->fds[i]);
		append(out, size, text);
	}
	append(out, size, wait->nfds > n ? ", ...)" : ")");
}

static const char *
place_text(const struct wait *wait, char state)
{
	switch (state) {
	case 'T':
		return "stopped by a signal";
	case 't':
		return "stopped by a tracer";
	case 'Z':
	case 'X':
		return "ended";
	case 'R':
		return "running";
	case 'D':
		return "in the kernel, outside of a call (a page fault)";
	}
	return wait->line.place == PLACE_RUNNING ? "running" :
	       "in the kernel, outside of a call";
}

static void
append_subject(const struct wait *wait, char *out, size_t size)
{
	char text[128];

	if (wait->address) {
		snprintf(text, sizeof(text), " at %#" PRIx64, wait->address);
		append(out, size, text);
	}
	if (wait->lock != LOCK_NONE) {
		snprintf(text, sizeof(text), ", a lock of thread %d",
			 (int)wait->owner);
		append(out, size, text);
	}
	if (wait->nfds)
		append_fds(wait, out, size);
	else if (wait->is_for_child && !wait->child)
		append(out, size, " for any child");
	if (wait->child) {
		snprintf(text, sizeof(text), " for child %d",
			 (int)wait->child);
		append(out, size, text);
	}
}

char *
wait_text(const struct wait *wait, char state, char *out, size_t size)
{
	char text[64];

	if (wait->line.place != PLACE_CALL || state == 'T' || state == 't') {
		snprintf(out, size, "%s", place_text(wait, state));
		return out;
	}
	if (!wait->call) {
		snprintf(out, size, "system call %ld", wait->line.number);
		return out;
	}
	snprintf(out, size, "%s", wait->call->name);
	append_subject(wait, out, size);
	if (wait->has_limit) {
		append(out, size, wait->call->shape == CALL_SLEEP ?
				  " for " : ", at most ");
		append(out, size, wait_time_text(wait->limit_ns, text,
						 sizeof(text)));
	}
	return out;
}
