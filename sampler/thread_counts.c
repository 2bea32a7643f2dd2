/* SPDX-License-Identifier: MIT */
/*
 * thread_counts.c - what the kernel has counted of a thread.
 */
#include "sampler/thread_counts.h"

#include <stdlib.h>
#include <string.h>

#include "sampler/ptrace_lines.h"

static bool
find_number(const char *text, const char *key, uint64_t *out)
{
	const char *at = strstr(text, key);

	if (at)
		*out = strtoull(at + strlen(key), NULL, 10);
	return at;
}

bool
thread_counts_parse(const char *text, struct thread_counts *out)
{
	return find_number(text, "\nvoluntary_ctxt_switches:",
			   &out->voluntary) &&
	       find_number(text, "\nnonvoluntary_ctxt_switches:",
			   &out->involuntary);
}

bool
thread_counts_read(const struct target *target, pid_t tid,
		   struct thread_counts *out)
{
	char text[4096];
	ssize_t len;

	*out = (struct thread_counts){ .has_times = false };
	if (target_read_task(target, tid, "status", text, sizeof(text)) <= 0)
		return false;
	thread_counts_parse(text, out);
	len = target_read_task(target, tid, "schedstat", text, sizeof(text));
	out->has_times = len > 0 && lines_schedstat(text, (size_t)len,
						    &out->run_ns,
						    &out->wait_ns);
	return true;
}
