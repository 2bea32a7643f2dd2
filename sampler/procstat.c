/* SPDX-License-Identifier: MIT */
/*
 * procstat.c - one /proc stat line.
 *
 * The name in the second field may hold anything, brackets and blanks too; the
 * last ')' of the line ends it. Newlines and backslashes in it are escaped.
 */
#include "sampler/procstat.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KERNEL_THREAD 0x00200000u	/* PF_KTHREAD of linux/sched.h */

/* Positions after the name, the first of which is field 3 of proc(5). */
enum { STATE = 3, PPID = 4, FLAGS = 9, UTIME = 14, STIME = 15, START = 22,
       CODE_START = 26, STACK_START = 28, PROCESSOR = 39, FIELDS };

ssize_t
proc_read(int dir, const char *path, char *text, size_t size)
{
	int fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	size_t len = 0;
	ssize_t n;

	if (fd < 0)
		return -1;
	do {
		n = read(fd, text + len, size - 1 - len);
		if (n > 0)
			len += (size_t)n;
	} while ((n > 0 && len < size - 1) || (n < 0 && errno == EINTR));
	close(fd);
	text[len] = '\0';
	return n < 0 && !len ? -1 : (ssize_t)len;
}

static void
copy_name(char *out, size_t size, const char *from, const char *end)
{
	size_t len = 0;

	while (from < end && len + 1 < size) {
		char c = *from++;

		if (c == '\\' && from < end)
			c = *from++ == 'n' ? '\n' : '\\';
		out[len++] = c;
	}
	memset(out + len, 0, size - len);
}

bool
procstat_parse(const char *text, size_t len, struct proc_stat *out)
{
	const char *open = memchr(text, '(', len);
	const char *shut = memrchr(text, ')', len);
	const char *at, *end = text + len;
	uint64_t field[FIELDS] = { 0 };
	unsigned i;

	if (!open || !shut || shut < open || end - shut < 4)
		return false;
	copy_name(out->comm, sizeof(out->comm), open + 1, shut);
	out->state = shut[2];
	at = shut + 3;
	for (i = PPID; i < FIELDS && at < end && *at == ' '; i++) {
		bool is_negative = *++at == '-';

		at += is_negative;
		for (; at < end && *at >= '0' && *at <= '9'; at++)
			field[i] = field[i] * 10 + (uint64_t)(*at - '0');
		if (is_negative)
			field[i] = 0 - field[i];
	}
	if (i <= START)
		return false;
	out->ppid = (pid_t)field[PPID];
	out->is_kernel_thread = field[FLAGS] & KERNEL_THREAD;
	out->cpu_ticks = field[UTIME] + field[STIME];
	out->start = field[START];
	out->cpu = (int)field[PROCESSOR];
	/* Both are random with every exec; 0 or 1 stand for "not for you". */
	out->image = field[STACK_START] > 1 ?
		     field[CODE_START] ^ field[STACK_START] << 1 : 0;
	return true;
}

bool
procstat_read(int dir, const char *path, struct proc_stat *out)
{
	char text[1024];
	ssize_t len = proc_read(dir, path, text, sizeof(text));

	return len > 0 && procstat_parse(text, (size_t)len, out);
}
