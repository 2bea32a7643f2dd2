/* SPDX-License-Identifier: MIT */
/*
 * state.c - files of our own that outlive a session.
 */
#include "app/state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "app/save.h"
#include "core/reader.h"
#include "core/sanitise.h"

#define TYPED_MAX (2 * HISTORY_MAX * (PROMPT_MAX + 2))	/* bytes */

static bool
state_path(char *out, size_t size)
{
	const char *state = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");
	int len = state && state[0] == '/' ?
		  snprintf(out, size, "%s/flametop", state) :
		  snprintf(out, size, "%s/.local/state/flametop",
			   home && home[0] == '/' ? home : "/tmp");

	return len > 0 && (size_t)len < size;
}

bool
state_folder(char *out, size_t size, struct error *err)
{
	if (!state_path(out, size))
		return fail(err, ENAMETOOLONG, "no place to save");
	for (char *at = out + 1; *at; at++)
		if (*at == '/') {
			*at = '\0';
			mkdir(out, 0700);
			*at = '/';
		}
	return mkdir(out, 0700) == 0 || errno == EEXIST ||
	       fail(err, errno, "cannot make %.150s", out);
}

bool
state_text(const char *text, char *path, size_t size, struct error *err)
{
	time_t now = time(NULL);
	size_t len;
	struct tm tm;
	FILE *file;
	int fd;
	bool ok;

	if (!state_folder(path, size, err))
		return false;
	len = strlen(path);
	localtime_r(&now, &tm);
	if (!strftime(path + len, size - len, "/copied-%Y%m%d-%H%M%S.txt",
		      &tm))
		return fail(err, ENAMETOOLONG, "no place to save");
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		  0600);
	file = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (!file) {
		fail(err, errno, "cannot write %.150s", path);
		if (fd >= 0)
			close(fd);
		return false;
	}
	ok = fprintf(file, "%s\n", text) >= 0;
	ok = fclose(file) == 0 && ok;
	return ok || fail(err, errno, "cannot write %.150s", path);
}

bool
state_is_first_time(void)
{
	char path[4000];
	struct error err;
	int fd;

	if (!state_folder(path, sizeof(path) - 16, &err))
		return false;
	strcat(path, "/greeted");
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		  0600);
	if (fd < 0)
		return false;
	close(fd);
	return true;
}

/* The whole file; NULL when there is none that is ours. */
static char *
read_typed(struct opener *opener, const char *path)
{
	int fd = opener_open_now(opener, path, TYPED_MAX, NULL);
	char *text = NULL;
	struct stat st;
	ssize_t len;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) == 0 && st.st_uid == geteuid()) {
		text = xcalloc(1, TYPED_MAX + 1);
		len = read(fd, text, TYPED_MAX);
		text[len > 0 ? len : 0] = '\0';
	}
	close(fd);
	return text;
}

/* Lines that are none of ours do not count; the others are cleaned. */
static void
take_typed(char *text, struct history *commands, struct history *searches)
{
	char *line, *rest = text, clean[PROMPT_MAX];

	while (rest && (line = strsep(&rest, "\n"))) {
		if (strlen(line) > PROMPT_MAX)
			continue;
		if (*line == ':' || *line == '/')
			sanitise_into(clean, sizeof(clean), line + 1,
				      strlen(line + 1));
		if (*line == ':')
			history_recall(commands, clean);
		else if (*line == '/')
			history_recall(searches, clean);
	}
}

static void
recall_from(struct opener *opener, const char *path,
	    struct history *commands, struct history *searches)
{
	char *text = read_typed(opener, path);

	if (text)
		take_typed(text, commands, searches);
	free(text);
}

/* Its path, without making anything. */
static bool
typed_path(char *out, size_t size)
{
	return state_path(out, size - sizeof("/history")) &&
	       strcat(out, "/history");
}

void
state_recall(struct opener *opener, struct history *commands,
	     struct history *searches)
{
	char path[4000];

	if (typed_path(path, sizeof(path)))
		recall_from(opener, path, commands, searches);
}

static void
add_fresh(struct history *to, const struct history *from)
{
	for (size_t i = from->count - from->fresh; i < from->count; i++)
		history_add(to, from->lines[i]);
}

static void
put_lines(struct writer *out, char sign, const struct history *history)
{
	for (size_t i = 0; i < history->count; i++) {
		writer_u8(out, (uint8_t)sign);
		writer_bytes(out, history->lines[i],
			     strlen(history->lines[i]));
		writer_u8(out, '\n');
	}
}

/* Ours, so that a file of ours in it takes nothing from anybody. */
static bool
is_own_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && st.st_uid == geteuid();
}

void
state_keep(struct opener *opener, const struct history *commands,
	   const struct history *searches)
{
	struct history all_commands = { 0 }, all_searches = { 0 };
	struct writer out = { 0 };
	char path[4000];
	struct error err;

	if (commands->fresh + searches->fresh == 0 ||
	    !state_folder(path, sizeof(path) - sizeof("/history"), &err) ||
	    !is_own_folder(path))
		return;
	strcat(path, "/history");
	recall_from(opener, path, &all_commands, &all_searches);
	add_fresh(&all_commands, commands);
	add_fresh(&all_searches, searches);
	put_lines(&out, ':', &all_commands);
	put_lines(&out, '/', &all_searches);
	save_bytes(path, (const char *)out.bytes, out.len, true,
		   &err);
	writer_free(&out);
	history_fini(&all_commands);
	history_fini(&all_searches);
}
