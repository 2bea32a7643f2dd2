/* SPDX-License-Identifier: MIT */
#include "app/supervisor.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static uint64_t
now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

/* supervise() in a child of its own, without its talk. */
static int
run(const struct plan *plan)
{
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
		_exit(supervise(plan));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* The next message within two seconds; -1 if there is none. */
static int
await(struct link *link, struct control *message, int *fd)
{
	uint64_t end = now_ms() + 2000;
	bool has_gone = false;

	while (now_ms() < end && !has_gone) {
		struct pollfd ready = { link->control, POLLIN, 0 };

		poll(&ready, 1, 100);
		if (control_receive(link->control, message, fd, &has_gone))
			return (int)message->type;
	}
	return -1;
}

static int
app_returns_seven(void *ctx, struct link *link)
{
	(void)ctx;
	(void)link;
	return 7;
}

static int
app_crashes(void *ctx, struct link *link)
{
	(void)ctx;
	(void)link;
	signal(SIGSEGV, SIG_DFL);
	raise(SIGSEGV);
	return 0;
}

/* As an app does that runs out of memory while its screen is up. */
static int
app_starves(void *ctx, struct link *link)
{
	(void)ctx;
	atomic_store(&link->shared->has_screen, true);
	_exit(1);
}

static void
what_went_with_the_screen_is_said_again(void **state)
{
	struct plan plan = { .app = app_starves };
	char said[256] = "";
	int ends[2];
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		dup2(ends[1], STDERR_FILENO);
		_exit(supervise(&plan));
	}
	waitpid(pid, NULL, 0);
	assert_true(read(ends[0], said, sizeof(said) - 1) > 0);
	assert_string_equal(said, "flametop: out of memory\n");
	close(ends[0]);
	close(ends[1]);
}

static void
the_status_is_the_apps(void **state)
{
	struct plan plan = { .app = app_returns_seven };

	(void)state;
	assert_int_equal(run(&plan), 7);
}

static void
a_crash_of_the_app_is_status_one(void **state)
{
	struct plan plan = { .app = app_crashes };

	(void)state;
	assert_int_equal(run(&plan), 1);
}

/* A child that is stopped by us; the kernel lets it go when we die. */
static pid_t
stopped_child(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		poll(NULL, 0, 20000);
		_exit(0);
	}
	ptrace(PTRACE_SEIZE, pid, NULL, NULL);
	ptrace(PTRACE_INTERRUPT, pid, NULL, NULL);
	waitpid(pid, NULL, __WALL);
	return pid;
}

/* A thread of the target has been stopped since now, and stays so. */
static int
app_keeps_a_thread_stopped(void *ctx, struct link *link)
{
	pid_t pid = stopped_child();

	(void)ctx;
	stop_watch_beat(&link->shared->watch, &pid, 1);
	atomic_store(&link->shared->is_stopping, true);
	poll(NULL, 0, 10000);
	return 0;
}

static void
an_app_that_keeps_a_thread_stopped_is_killed(void **state)
{
	struct plan plan = { .app = app_keeps_a_thread_stopped };
	uint64_t began = now_ms();

	(void)state;
	assert_int_equal(run(&plan), 1);
	assert_true(now_ms() - began >= 250);
	assert_true(now_ms() - began < 5000);
}

static int
app_loses_its_symbols(void *ctx, struct link *link)
{
	pid_t first = link->symbols_pid;
	struct control message;
	int fd;

	(void)ctx;
	kill(first, SIGKILL);
	if (await(link, &message, &fd) != CONTROL_SYMBOLS)
		return 1;
	if (fd < 0 || message.pid == first || message.pid <= 0)
		return 2;
	if (!WIFSIGNALED(message.value) || WTERMSIG(message.value) != SIGKILL)
		return 3;
	/* One that hangs is killed when the app says so. */
	first = message.pid;
	kill(first, SIGSTOP);
	message = (struct control){ .type = CONTROL_HANGS, .pid = first };
	if (!control_send(link->control, &message, -1))
		return 4;
	close(fd);
	if (await(link, &message, &fd) != CONTROL_SYMBOLS)
		return 5;
	return message.pid == first ? 6 : 0;
}

static void
the_symbols_process_is_started_again(void **state)
{
	struct plan plan = { .app = app_loses_its_symbols };

	(void)state;
	assert_int_equal(run(&plan), 0);
}

static int
app_lets_the_command_go(void *ctx, struct link *link)
{
	struct control message = { .type = CONTROL_READY };
	const char *path = ctx;
	int fd;

	poll(NULL, 0, 200);
	if (access(path, F_OK) == 0)
		return 1;	/* it did not wait */
	if (!control_send(link->control, &message, -1))
		return 2;
	if (await(link, &message, &fd) != CONTROL_ENDED)
		return 3;
	if (!WIFEXITED(message.value) || WEXITSTATUS(message.value) != 3)
		return 4;
	return access(path, F_OK) == 0 ? 0 : 5;
}

static void
a_command_waits_until_it_is_let_go(void **state)
{
	char path[] = "/tmp/flametop-command-XXXXXX", script[128];
	char shell[] = "sh", option[] = "-c";
	char *command[] = { shell, option, script, NULL };
	struct plan plan = {
		.app = app_lets_the_command_go, .ctx = path,
		.command = command, .is_screen = true,
	};

	(void)state;
	close(mkstemp(path));
	unlink(path);
	snprintf(script, sizeof(script), "touch %s; exit 3", path);
	assert_int_equal(run(&plan), 0);
	unlink(path);
}

static int
app_tells_of_the_command(void *ctx, struct link *link)
{
	pid_t *shared = ctx;

	*shared = link->command;
	return 0;
}

static void
a_command_never_let_go_never_runs(void **state)
{
	char path[] = "/tmp/flametop-command-XXXXXX";
	char touch[] = "touch";
	char *command[] = { touch, path, NULL };
	pid_t pid = 0;
	struct plan plan = {
		.app = app_tells_of_the_command, .ctx = &pid,
		.command = command,
	};

	(void)state;
	close(mkstemp(path));
	unlink(path);
	assert_int_equal(run(&plan), 0);
	poll(NULL, 0, 100);
	assert_int_equal(access(path, F_OK), -1);
}

/* Kills the supervisor; what is left must end by itself. */
static int
app_is_orphaned(void *ctx, struct link *link)
{
	struct control message = { .type = CONTROL_READY };
	int out = *(int *)ctx;

	signal(SIGHUP, SIG_IGN);
	control_send(link->control, &message, -1);
	poll(NULL, 0, 200);
	kill(link->supervisor_pid, SIGKILL);
	while (getppid() == link->supervisor_pid)
		poll(NULL, 0, 1);
	return write(out, &link->command, sizeof(pid_t)) < 0;
}

static void
a_command_ends_with_the_app_whoever_is_left(void **state)
{
	char sleep[] = "sleep", seconds[] = "100";
	char *command[] = { sleep, seconds, NULL };
	int ends[2];
	struct plan plan = {
		.app = app_is_orphaned, .ctx = &ends[1], .command = command,
	};
	pid_t pid, left = 0;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	fflush(NULL);
	pid = fork();
	if (pid == 0)
		_exit(supervise(&plan));
	waitpid(pid, NULL, 0);
	assert_int_equal(read(ends[0], &left, sizeof(left)), sizeof(left));
	for (int i = 0; i < 200 && kill(left, 0) == 0; i++)
		poll(NULL, 0, 10);
	assert_int_equal(kill(left, 0), -1);
	close(ends[0]);
	close(ends[1]);
}

static void
a_command_that_is_not_there_is_no_start(void **state)
{
	char nothing[] = "no-such-command-anywhere";
	char *command[] = { nothing, NULL };
	struct plan plan = { .app = app_returns_seven, .command = command };

	(void)state;
	assert_int_equal(run(&plan), 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_status_is_the_apps),
		cmocka_unit_test(a_crash_of_the_app_is_status_one),
		cmocka_unit_test(an_app_that_keeps_a_thread_stopped_is_killed),
		cmocka_unit_test(the_symbols_process_is_started_again),
		cmocka_unit_test(a_command_waits_until_it_is_let_go),
		cmocka_unit_test(a_command_never_let_go_never_runs),
		cmocka_unit_test(what_went_with_the_screen_is_said_again),
		cmocka_unit_test(a_command_ends_with_the_app_whoever_is_left),
		cmocka_unit_test(a_command_that_is_not_there_is_no_start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
