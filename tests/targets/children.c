/* SPDX-License-Identifier: MIT */
/*
 * children.c - the parent is busy in parent_work(), and so are children: one
 * after the other in child_work() after fork(), in grandchild by fork and
 * exec ("children exec": exec_work()), while vfork() holds the parent.
 */
#include <string.h>
#include <sys/wait.h>

#include "tests/targets/target.h"

FRAME static void
parent_work(void)
{
	spin(100000000);
	STAY;
}

FRAME static void
child_work(void)
{
	spin(100000000);
	STAY;
}

FRAME static void
exec_work(void)
{
	spin(100000000);
	STAY;
}

FRAME static void
by_vfork(void)
{
	pid_t pid = vfork();

	if (pid == 0) {
		execl("/proc/self/exe", "children", "exec", (char *)NULL);
		_exit(1);
	}
	waitpid(pid, NULL, 0);
}

int
main(int argc, char **argv)
{
	pid_t pid;

	target_begin();
	if (argc > 1 && !strcmp(argv[1], "exec")) {
		exec_work();
		return 0;
	}
	for (;;) {
		parent_work();
		pid = fork();
		if (pid == 0) {
			child_work();
			_exit(0);
		}
		waitpid(pid, NULL, 0);
		by_vfork();
	}
}
