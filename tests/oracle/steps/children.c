/* SPDX-License-Identifier: MIT */
/*
 * children.c - the calls of which one returns twice, or on another stack.
 */
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define KEPT __attribute__((noinline, noclone))

extern char **environ;
static volatile int sink;

KEPT static void
by_vfork(void)
{
	pid_t pid = vfork();

	if (pid == 0)
		_exit(3);
	waitpid(pid, (int *)&sink, 0);
}

KEPT static void
by_fork(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(4);
	waitpid(pid, (int *)&sink, 0);
}

KEPT static void
by_spawn(void)
{
	char *const argv[] = { "true", NULL };
	pid_t pid;

	if (posix_spawn(&pid, "/bin/true", NULL, NULL, argv, environ) == 0)
		waitpid(pid, (int *)&sink, 0);
}

KEPT static int
child(void *arg)
{
	sink += *(int *)arg;
	return 0;
}

KEPT static void
by_clone(void)
{
	static char stack[32768];
	int five = 5;
	pid_t pid = clone(child, stack + sizeof(stack),
			  CLONE_VM | CLONE_VFORK | SIGCHLD, &five);

	waitpid(pid, (int *)&sink, 0);
}

int
main(int argc, char **argv)
{
	int i, times = argc > 1 ? atoi(argv[1]) : 1;

	for (i = 0; i < times; i++) {
		by_vfork();
		by_fork();
		by_spawn();
		by_clone();
	}
	printf("%d\n", sink);
	return 0;
}
