/* SPDX-License-Identifier: MIT */
/*
 * jvm.c - jcmd PID Compiler.perfmap.
 */
#include "app/jvm.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

pid_t
jvm_find(const struct profile *profile)
{
	bool has_vm = false;
	pid_t pid = 0;

	for (module_id id = 1; id < profile_modules(profile); id++) {
		const struct module *module = profile_get_module(profile, id);
		const char *path = profile_text(profile, module->path);
		const char *slash = strrchr(path, '/');

		if (module->kind == MODULE_JIT)
			pid = (pid_t)module->inode;
		else if (slash && strcmp(slash, "/libjvm.so") == 0)
			has_vm = true;
	}
	return has_vm ? pid : 0;
}

/* No terminal, no signals of ours, none of the keyboard's. */
static int
spawn(pid_t *child, char *const *argv)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t all, none;
	int status;

	sigfillset(&all);
	sigemptyset(&none);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF |
				 POSIX_SPAWN_SETSIGMASK |
				 POSIX_SPAWN_SETPGROUP);
	posix_spawnattr_setsigdefault(&attr, &all);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawn_file_actions_init(&files);
	for (int fd = 0; fd < 3; fd++)
		posix_spawn_file_actions_addopen(&files, fd, "/dev/null",
						 O_RDWR, 0);
	status = posix_spawnp(child, argv[0], &files, &attr, argv, environ);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attr);
	return status;
}

bool
jvm_ask(struct jvm *jvm, pid_t pid, struct error *err)
{
	char name[] = "jcmd", number[16], command[] = "Compiler.perfmap";
	char *argv[] = { name, number, command, NULL };
	int status;

	if (jvm->child)
		return fail(err, 0, "jcmd is still at work");
	snprintf(number, sizeof(number), "%d", (int)pid);
	status = spawn(&jvm->child, argv);
	if (!status)
		return true;
	jvm->child = 0;
	return fail(err, status, "cannot run jcmd, which is part of the JDK");
}

bool
jvm_has_answered(struct jvm *jvm, bool *ok, struct error *err)
{
	int status;

	if (!jvm->child || waitpid(jvm->child, &status, WNOHANG) == 0)
		return false;
	jvm->child = 0;
	*ok = WIFEXITED(status) && WEXITSTATUS(status) == 0;
	if (!*ok)
		fail(err, 0, "jcmd failed: it has to be of Java 17 or later, "
			     "and run by the VM's own user");
	return true;
}
