/* SPDX-License-Identifier: MIT */
/*
 * sockets.h - which connection a socket is, by its inode.
 *
 * /proc/PID/task/TID/net/{tcp,tcp6,udp,udp6,unix} list every socket of the
 * thread's network namespace (proc(5)). They may be long, so they are read
 * once, and no more than a megabyte of each.
 */
#ifndef SAMPLER_SOCKETS_H
#define SAMPLER_SOCKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "sampler/target.h"

struct sockets;

/* As seen by TARGET; nothing is read before the first question. */
struct sockets *sockets_new(void);
void sockets_free(struct sockets *sockets);

/*
 * "tcp 10.0.0.7:443 to 10.0.0.9:51312", "tcp 0.0.0.0:443, listening", "unix
 * /run/x.sock" into OUT, not cleaned. False if INODE is not listed.
 */
bool sockets_find(struct sockets *sockets, const struct target *target,
		  pid_t tid, unsigned long inode, char *out, size_t size);

/*
 * The same for one LINE of such a file, of the kind NAME ("tcp6", "unix"), if
 * it is INODE's.
 */
bool sockets_parse(const char *name, const char *line, unsigned long inode,
		   char *out, size_t size);

#endif
