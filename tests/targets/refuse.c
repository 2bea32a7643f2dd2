/* SPDX-License-Identifier: MIT */
/*
 * refuse.c - run a command whose system calls are refused, as a container's
 * filter (seccomp(2)) would.
 *
 *	refuse perf=EACCES [ptrace=EPERM] COMMAND [ARGUMENT...]
 *
 * perf, ptrace, and memory (process_vm_readv). Exits with 77 where filters
 * are not available.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct {
	const char *word;
	int number;
} calls[] = {
	{ "perf=", SYS_perf_event_open }, { "ptrace=", SYS_ptrace },
	{ "memory=", SYS_process_vm_readv },
};

static const struct {
	const char *word;
	int number;
} errors[] = {
	{ "EACCES", EACCES }, { "EPERM", EPERM }, { "ENOSYS", ENOSYS },
	{ "ENODEV", ENODEV },
};

static int
refuse(int number, int errnum)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1),
		BPF_STMT(BPF_RET | BPF_K,
			 SECCOMP_RET_ERRNO | (unsigned)errnum),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {
		sizeof(filter) / sizeof(filter[0]), filter,
	};

	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* "perf=EPERM"; 0 if WORD is none of these. */
static int
take(const char *word)
{
	for (size_t c = 0; c < sizeof(calls) / sizeof(calls[0]); c++) {
		size_t len = strlen(calls[c].word);

		if (strncmp(word, calls[c].word, len) != 0)
			continue;
		for (size_t e = 0; e < sizeof(errors) / sizeof(errors[0]); e++)
			if (strcmp(word + len, errors[e].word) == 0)
				return refuse(calls[c].number,
					      errors[e].number) == 0 ? 1 : -1;
	}
	return 0;
}

int
main(int argc, char **argv)
{
	int i = 1, taken = 1;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return 77;
	for (; i < argc && taken == 1; i += taken == 1)
		taken = take(argv[i]);
	if (taken < 0)
		return 77;
	if (i < argc)
		execvp(argv[i], argv + i);
	perror(i < argc ? argv[i] : "refuse: no command");
	return 1;
}
