/* SPDX-License-Identifier: MIT */
/*
 * load.c - open, hand over, wait.
 */
#include "app/load.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "app/open.h"
#include "app/say.h"
#include "app/signals.h"
#include "symbols/memfile.h"

#define PIECE 65536

static void
tell_ignored(const char *path, const struct read_report *report)
{
	if (*report->note)
		say("%s: %s", path, report->note);
	if (report->ignored)
		say("%s: %llu lines ignored, the first is line %llu", path,
		    (unsigned long long)report->ignored,
		    (unsigned long long)report->first_ignored[0]);
}

/* The signal is taken: who asks must end. */
static bool
must_end(const struct recording *r)
{
	return r->is_orphaned || signals_ask_end(r->link->signals);
}

/* Wait for FD (-1: none) or a while; true when it can be read. */
static bool
wait_for(struct recording *r, int fd)
{
	struct pollfd polls[RECORDING_POLLS + 2];

	recording_turn(r);
	recording_polls(r, polls);
	polls[RECORDING_POLLS] = (struct pollfd){ r->link->signals, POLLIN,
						  0 };
	polls[RECORDING_POLLS + 1] = (struct pollfd){ fd, POLLIN, 0 };
	poll(polls, ARRAY_LEN(polls), 50);
	return polls[RECORDING_POLLS + 1].revents;
}

/* All of standard input into FD. */
static bool
copy_input(struct recording *r, int fd, struct error *err)
{
	static const char what[] = "standard input";
	char piece[PIECE];
	uint64_t size = 0, least = open_left(STDIN_FILENO);
	ssize_t got;

	while (!must_end(r)) {
		if (!wait_for(r, STDIN_FILENO))
			continue;
		got = read(STDIN_FILENO, piece, sizeof(piece));
		if (got < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (got < 0)
			return fail(err, errno, what);
		if (got == 0)
			return size >= least ||
			       fail(err, 0, "%s: %s", what, OPEN_SHRUNK);
		size += (uint64_t)got;
		if (size > OPEN_PROFILE_MAX)
			return fail(err, EFBIG, what);
		if (!memfile_write(fd, piece, (size_t)got))
			return fail(err, errno, "no memory for what comes");
	}
	return fail(err, 0, "%s was not read to its end", what);
}

static int
open_input(struct recording *r, struct error *err)
{
	int fd = memfd_create("input", MFD_CLOEXEC);

	if (fd < 0)
		fail(err, errno, "no memory for what comes");
	else if (copy_input(r, fd, err) && lseek(fd, 0, SEEK_SET) == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

struct profile *
load_profile(struct recording *r, const char *path, struct error *err)
{
	int fd = strcmp(path, "-") == 0 ? open_input(r, err) :
		 opener_open_now(r->opener, path, OPEN_PROFILE_MAX, err);
	struct read_report report;
	struct profile *profile;

	if (fd < 0)
		return NULL;
	client_load(r->client, fd, &r->options->read);
	while (!client_loaded(r->client, &profile, &report, err)) {
		if (must_end(r)) {
			fail(err, 0, "%.150s was not read to its end", path);
			return NULL;
		}
		wait_for(r, -1);
	}
	if (profile) {
		tell_ignored(path, &report);
	} else {
		struct error inner = *err;

		fail(err, 0, "%.100s: %.300s", path, inner.text);
	}
	return profile;
}

void
load_suggest(const char *path, struct error *err)
{
	size_t used = strlen(err->text);

	if (err->errnum == ENOENT && !strpbrk(path, "./"))
		snprintf(err->text + used, sizeof(err->text) - used,
			 "; a process of that name: -n %.60s", path);
}
