/* SPDX-License-Identifier: MIT */
/*
 * sockets.c - which connection a socket is.
 */
#include "sampler/sockets.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"

#define TEXT_MAX (1 << 20)
#define STATE_LISTEN 0x0a	/* of tcp: net/tcp_states.h */

static const char *const names[] = { "tcp", "tcp6", "unix", "udp", "udp6" };

struct sockets {
	char *texts[ARRAY_LEN(names)];	/* NULL: not read yet */
};

struct sockets *
sockets_new(void)
{
	return xcalloc(1, sizeof(struct sockets));
}

void
sockets_free(struct sockets *sockets)
{
	if (!sockets)
		return;
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		free(sockets->texts[i]);
	free(sockets);
}

/*
 * "0100007F:1F90": words of an address as they lie in memory, so that each is
 * turned round, and a port.
 */
static bool
address_text(const char *hex, char *out, size_t size)
{
	char text[INET6_ADDRSTRLEN];
	uint32_t words[4] = { 0 };
	size_t n = strcspn(hex, ":") / 8;
	unsigned port;

	if ((n != 1 && n != 4) || hex[n * 8] != ':' ||
	    sscanf(hex + n * 8, ":%4x", &port) != 1)
		return false;
	for (size_t i = 0; i < n; i++)
		if (sscanf(hex + i * 8, "%8x", &words[i]) != 1)
			return false;
	if (!inet_ntop(n == 1 ? AF_INET : AF_INET6, words, text, sizeof(text)))
		return false;
	snprintf(out, size, n == 1 ? "%s:%u" : "[%s]:%u", text, port);
	return true;
}

/* sl local remote state queues timer retries uid timeout inode */
static bool
parse_inet(const char *name, const char *line, unsigned long inode, char *out,
	   size_t size)
{
	char local[48], remote[48], near[64], far[64];
	unsigned long found;
	unsigned state;
	bool is_tcp = name[0] == 't';

	if (sscanf(line, " %*d: %47s %47s %x %*s %*s %*s %*d %*d %lu", local,
		   remote, &state, &found) != 4 || found != inode ||
	    !address_text(local, near, sizeof(near)) ||
	    !address_text(remote, far, sizeof(far)))
		return false;
	if (is_tcp && state == STATE_LISTEN)
		snprintf(out, size, "tcp %s, listening", near);
	else if (strlen(far) > 2 && !strcmp(far + strlen(far) - 2, ":0"))
		snprintf(out, size, "%.3s %s", name, near);
	else
		snprintf(out, size, "%.3s %s to %s", name, near, far);
	return true;
}

/* num refcount protocol flags type state inode [path] */
static bool
parse_unix(const char *line, unsigned long inode, char *out, size_t size)
{
	unsigned long found;
	int path = 0;

	if (sscanf(line, "%*[^:]: %*s %*s %*s %*s %*s %lu%n", &found,
		   &path) != 1 || found != inode)
		return false;
	line += path;
	while (*line == ' ')
		line++;
	if (*line && *line != '\n')
		snprintf(out, size, "unix %.*s", (int)strcspn(line, "\n"),
			 line);
	else
		snprintf(out, size, "unix socket %lu", inode);
	return true;
}

bool
sockets_parse(const char *name, const char *line, unsigned long inode,
	      char *out, size_t size)
{
	return name[0] == 'u' && name[1] == 'n' ?
	       parse_unix(line, inode, out, size) :
	       parse_inet(name, line, inode, out, size);
}

static void
read_text(struct sockets *sockets, const struct target *target, pid_t tid,
	  size_t i)
{
	char path[32];

	snprintf(path, sizeof(path), "net/%s", names[i]);
	sockets->texts[i] = xcalloc(1, TEXT_MAX);
	target_read_task(target, tid, path, sockets->texts[i], TEXT_MAX);
}

bool
sockets_find(struct sockets *sockets, const struct target *target, pid_t tid,
	     unsigned long inode, char *out, size_t size)
{
	char digits[24];

	snprintf(digits, sizeof(digits), " %lu", inode);
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		const char *at, *text;

		if (!sockets->texts[i])
			read_text(sockets, target, tid, i);
		text = sockets->texts[i];
		/* The line that has these digits somewhere. */
		for (at = text; (at = strstr(at, digits)); at++) {
			const char *line = at;

			while (line > text && line[-1] != '\n')
				line--;
			if (sockets_parse(names[i], line, inode, out, size))
				return true;
		}
	}
	return false;
}
