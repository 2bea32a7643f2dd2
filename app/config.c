/* SPDX-License-Identifier: MIT */
/*
 * config.c - the user's own files.
 */
#include "app/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/sanitise.h"

#define CONFIG_MAX (1u << 20)

/*
 * Under sudo the environment may point to files of somebody else: only those
 * of root, of ourselves and of who called sudo are read.
 */
static bool
may_read(int fd)
{
	const char *caller = getenv("SUDO_UID");
	struct stat st;

	if (fstat(fd, &st) < 0)
		return false;
	return st.st_uid == 0 || st.st_uid == getuid() ||
	       (caller && geteuid() == 0 &&
		strtoul(caller, NULL, 10) == st.st_uid);
}

bool
config_path(const char *name, char *out, size_t size)
{
	const char *config = getenv("XDG_CONFIG_HOME");
	const char *home = getenv("HOME");
	int len;

	if (config && config[0] == '/')
		len = snprintf(out, size, "%s/flametop/%s", config, name);
	else
		len = snprintf(out, size, "%s/.config/flametop/%s",
			       home ? home : "", name);
	return len > 0 && (size_t)len < size && out[0] == '/';
}

void
config_blame(const char *name, struct error *err)
{
	const char *home = getenv("HOME");
	size_t len = home ? strlen(home) : 0;
	char path[4096], why[280];
	bool is_at_home;

	if (!config_path(name, path, sizeof(path)))
		return;
	is_at_home = len > 1 && strncmp(path, home, len) == 0 &&
		     path[len] == '/';
	snprintf(why, sizeof(why), "%.279s", err->text);
	fail(err, 0, "%s%.180s, %.260s", is_at_home ? "~" : "",
	     path + (is_at_home ? len : 0), why);
}

char *
config_file(struct opener *opener, const char *name, size_t *len)
{
	char path[4096], *text = NULL;
	ssize_t got = -1;
	int fd;

	if (!config_path(name, path, sizeof(path)))
		return NULL;
	fd = opener_open_now(opener, path, CONFIG_MAX, NULL);
	if (fd < 0)
		return NULL;
	if (may_read(fd)) {
		text = xcalloc(1, CONFIG_MAX + 1);
		got = read(fd, text, CONFIG_MAX);
	}
	close(fd);
	if (got < 0) {
		free(text);
		return NULL;
	}
	*len = (size_t)got;
	return text;
}

/* "theme dusk" or "theme=dusk"; blanks around and a comment do not count. */
static bool
take_line(struct options *options, const struct options *given, char *line,
	  struct error *err)
{
	char *word = line + strspn(line, " \t\r"), *value, *end;

	if (*word == '\0' || *word == '#')
		return true;
	value = word + strcspn(word, " \t\r=");
	if (*value)
		*value++ = '\0';
	value += strspn(value, " \t\r=");
	end = value + strlen(value);
	while (end > value && strchr(" \t\r", end[-1]))
		*--end = '\0';
	return options_set(options, given, word, *value ? value : NULL, err);
}

bool
config_take(struct options *options, char *text, struct error *err)
{
	struct options given = *options;
	size_t number = 0;
	struct error why;
	bool ok = true;

	for (char *line = text; line; number++) {
		char *next = strchr(line, '\n');

		if (next)
			*next++ = '\0';
		if (!take_line(options, &given, line, &why) && ok) {
			ok = false;
			fail(err, 0, "line %zu: %.200s", number + 1,
			     why.text);
		}
		line = next;
	}
	return ok;
}
