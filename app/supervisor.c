/* SPDX-License-Identifier: MIT */
/*
 * supervisor.c - starting, watching, cleaning up.
 */
#include "app/supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "app/child.h"
#include "app/editor.h"
#include "app/parser.h"
#include "app/restore.h"
#include "app/say.h"
#include "app/signals.h"
#include "app/worker.h"
#include "sampler/clock.h"

#define STOP_MAX_NS 250000000ull	/* a target's thread stopped longer */
#define WATCH_MS 50
#define END_NS 5000000000ull		/* grace after a signal to end */

/* Which parser; the app's thread that uses it hears on its control socket. */
enum { NAMES, TABLES, PARSERS };

struct supervisor {
	const struct plan *plan;
	struct shared *shared;
	struct terminal_state terminal;
	int signals;			/* signalfd */
	struct parser parsers[PARSERS];
	pid_t app, command, editor;
	int app_fd, command_fd;		/* pidfds; -1: none */
	int command_gate;		/* closed without a byte: do not run */
	uint64_t kill_app_ns;		/* patience ends; 0: none asked */
	bool was_stopped_long;		/* we killed the app for it */
};

static int
pidfd_of(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

static void
close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static bool
make_pair(int pair[2], struct error *err)
{
	return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0,
			  pair) == 0 ||
	       fail(err, errno, "cannot make a socket");
}

/* What a child must not keep of ours. */
static void
leave_supervisor(void *ctx)
{
	struct supervisor *s = ctx;

	close_fd(&s->signals);
	for (int i = 0; i < PARSERS; i++) {
		close_fd(&s->parsers[i].control);
		close_fd(&s->parsers[i].fd);
	}
	close_fd(&s->app_fd);
	close_fd(&s->command_fd);
	close_fd(&s->command_gate);
}

static void
run_app(const struct plan *plan, struct link *link, pid_t parent)
{
	int status;

	link->signals = signals_open();
	status = plan->app(plan->ctx, link);
	if (getppid() != parent && link->command)
		child_end(link->command);	/* nobody else will */
	fflush(NULL);
	exit(status);
}

/* ENDS are the app's of the parsers' sockets. */
static bool
start_app(struct supervisor *s, const int ends[PARSERS], struct error *err)
{
	int pairs[PARSERS][2];
	pid_t parent = getpid();

	for (int i = 0; i < PARSERS; i++)
		if (!make_pair(pairs[i], err))
			return false;
	fflush(NULL);
	s->app = fork();
	if (s->app < 0)
		return fail(err, errno, "cannot start a process");
	if (s->app == 0) {
		struct link link = {
			.control = pairs[NAMES][1], .symbols = ends[NAMES],
			.symbols_pid = s->parsers[NAMES].pid,
			.tables_control = pairs[TABLES][1],
			.tables = ends[TABLES],
			.tables_pid = s->parsers[TABLES].pid,
			.command = s->command, .supervisor_pid = parent,
			.shared = s->shared,
		};

		prctl(PR_SET_PDEATHSIG, SIGHUP);
		if (getppid() != parent)
			_exit(1);
		leave_supervisor(s);
		for (int i = 0; i < PARSERS; i++)
			close(pairs[i][0]);
		run_app(s->plan, &link, parent);
	}
	for (int i = 0; i < PARSERS; i++) {
		close(pairs[i][1]);
		s->parsers[i].control = pairs[i][0];
	}
	s->app_fd = pidfd_of(s->app);
	return true;
}

static bool
start_command(struct supervisor *s, struct error *err)
{
	struct child child = {
		.command = s->plan->command, .run = s->plan->child,
		.is_apart = s->plan->is_screen, .output = s->plan->output,
	};

	if (!child.command && !child.run)
		return true;
	if (!child_start(&child, err))
		return false;
	s->command = child.pid;
	s->command_gate = child.gate;
	s->command_fd = pidfd_of(child.pid);
	return true;
}

static void
bury_command(struct supervisor *s)
{
	struct control message = { .type = CONTROL_ENDED };

	message.pid = s->command;
	if (waitpid(s->command, &message.value, WNOHANG) != s->command)
		return;
	close_fd(&s->command_fd);
	s->command = 0;
	control_send(s->parsers[NAMES].control, &message, -1);
}

/* Back to us and to the modes of before; the app takes it from there. */
static void
take_terminal(struct supervisor *s)
{
	tcsetpgrp(STDIN_FILENO, getpgrp());
	terminal_restore(&s->terminal, false);
}

/* An editor that stops itself goes on: there is no shell above it to say fg. */
static void
bury_editor(struct supervisor *s)
{
	struct control message = { .type = CONTROL_EDITED };
	pid_t pid = waitpid(s->editor, &message.value, WNOHANG | WUNTRACED);

	if (pid == s->editor && WIFSTOPPED(message.value)) {
		editor_to_front(s->editor);
		kill(-s->editor, SIGCONT);
	} else if (pid == s->editor) {
		s->editor = 0;
		take_terminal(s);
		control_send(s->parsers[NAMES].control, &message, -1);
	}
}

static void
start_editor(struct supervisor *s, struct control *message)
{
	struct control failed = { .type = CONTROL_EDITED, .value = 127 << 8 };

	if (s->editor)
		return;
	message->text[sizeof(message->text) - 1] = '\0';
	terminal_restore(&s->terminal, false);
	s->editor = editor_start(message->text, message->value);
	if (!s->editor)
		control_send(s->parsers[NAMES].control, &failed, -1);
}

/*
 * Stop the whole job as ^Z would. The app is stopped first, so that it sees
 * nothing before the shell continues us; a job without a shell to continue it
 * (orphaned) is not stopped by SIGTSTP at all.
 */
static void
suspend(struct supervisor *s)
{
	struct control resumed = { .type = CONTROL_RESUMED };
	sigset_t stop;

	terminal_restore(&s->terminal, atomic_load(&s->shared->has_screen));
	kill(s->app, SIGSTOP);
	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	signal(SIGTSTP, SIG_DFL);
	kill(0, SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &stop, NULL);
	sigprocmask(SIG_BLOCK, &stop, NULL);
	kill(s->app, SIGCONT);
	control_send(s->parsers[NAMES].control, &resumed, -1);
}

static void
take_control(struct supervisor *s, struct parser *parser)
{
	struct control message;
	bool has_gone;
	int fd;

	while (control_receive(parser->control, &message, &fd, &has_gone)) {
		close_fd(&fd);
		if (message.type == CONTROL_READY && s->command_gate >= 0) {
			ssize_t ignored = write(s->command_gate, "", 1);

			(void)ignored;
			close_fd(&s->command_gate);
		} else if (message.type == CONTROL_SUSPEND) {
			suspend(s);
		} else if (message.type == CONTROL_EDIT) {
			start_editor(s, &message);
		} else if (message.type == CONTROL_HANGS && parser->pid &&
			   message.pid == parser->pid) {
			kill(parser->pid, SIGKILL);
		}
	}
	if (has_gone)
		close_fd(&parser->control);
}

/*
 * What the terminal sends goes to the whole group, so the app has it, unless
 * it IS_EARLY; what somebody sent to us alone is passed on. Patience with an
 * app that was told to end is limited. False: no signal was there.
 */
static bool
take_signal(struct supervisor *s, bool is_early)
{
	struct signalfd_siginfo info;

	if (read(s->signals, &info, sizeof(info)) != sizeof(info))
		return false;
	if (info.ssi_signo == SIGCHLD)
		return true;
	if (info.ssi_code <= 0 || is_early)
		kill(s->app, (int)info.ssi_signo);
	if (info.ssi_signo == SIGTERM || info.ssi_signo == SIGHUP)
		s->kill_app_ns = clock_now() + END_NS;
	return true;
}

/* A thread of the target that we keep stopped costs us the app. */
static void
mind_the_clock(struct supervisor *s)
{
	uint64_t now = clock_now();

	if (atomic_load(&s->shared->is_stopping) &&
	    stop_watch_is_late(&s->shared->watch, STOP_MAX_NS)) {
		s->was_stopped_long = true;
		kill(s->app, SIGKILL);
		atomic_store(&s->shared->watch.since_ns, 0);
	}
	if (s->kill_app_ns && now > s->kill_app_ns) {
		kill(s->app, SIGKILL);
		s->kill_app_ns = 0;
	}
	for (int i = 0; i < PARSERS; i++)
		parser_tend(&s->parsers[i], leave_supervisor, s);
}

static int
patience_ms(const struct supervisor *s)
{
	if (atomic_load(&s->shared->is_stopping))
		return WATCH_MS;
	return s->kill_app_ns || !s->parsers[NAMES].pid ||
	       !s->parsers[TABLES].pid ? 100 : 1000;
}

/* Until the app has ended; its wait status. */
static int
watch(struct supervisor *s)
{
	struct parser *names = &s->parsers[NAMES];
	struct parser *tables = &s->parsers[TABLES];
	int status;

	while (waitpid(s->app, &status, WNOHANG) != s->app) {
		struct pollfd polls[] = {
			{ s->signals, POLLIN, 0 }, { s->app_fd, POLLIN, 0 },
			{ names->control, POLLIN, 0 }, { names->fd, POLLIN, 0 },
			{ tables->control, POLLIN, 0 },
			{ tables->fd, POLLIN, 0 }, { s->command_fd, POLLIN, 0 },
		};

		poll(polls, ARRAY_LEN(polls), patience_ms(s));
		if (polls[0].revents)
			take_signal(s, false);
		if (polls[2].revents)
			take_control(s, names);
		if (polls[4].revents)
			take_control(s, tables);
		if (s->command)
			bury_command(s);
		if (s->editor)
			bury_editor(s);
		mind_the_clock(s);
	}
	return status;
}

/* Say how the app ended, if not by itself. Returns the exit status. */
static int
tell_end(const struct supervisor *s, int status)
{
	if (WIFEXITED(status)) {
		/* Only a lack of memory ends it with the screen still up, and
		   what it said of that went with the screen. */
		if (atomic_load(&s->shared->has_screen) && WEXITSTATUS(status))
			say("out of memory");
		return WEXITSTATUS(status);
	}
	if (s->was_stopped_long)
		say("a thread of the target was held for more than 250 ms, so "
		    "sampling was ended and the thread let go; try --sampler "
		    "perf");
	else
		say("ended by signal %d (%s)", WTERMSIG(status),
		    strsignal(WTERMSIG(status)));
	return 1;
}

static void
end_parsers(const struct supervisor *s)
{
	for (int i = 0; i < PARSERS; i++)
		if (s->parsers[i].pid)
			kill(s->parsers[i].pid, SIGKILL);
}

static void
clean_up(struct supervisor *s)
{
	if (s->editor) {	/* what is typed there is not ours to end */
		waitpid(s->editor, NULL, 0);
		take_terminal(s);
	}
	terminal_restore(&s->terminal, atomic_load(&s->shared->has_screen));
	for (size_t i = 0; i < SHARED_TARGETS; i++)
		if (atomic_load(&s->shared->targets[i]))
			restore_check_target(s->shared->targets[i]);
	end_parsers(s);
	close_fd(&s->command_gate);
	if (s->command)
		child_end(s->command);
}

static bool
open_signals(struct supervisor *s, struct error *err)
{
	sigset_t set;

	signals_set(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGTTOU, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	s->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return s->signals >= 0 || fail(err, errno, "cannot wait for signals");
}

static bool
start_all(struct supervisor *s, struct error *err)
{
	int ends[PARSERS];
	bool ok;

	/* First, so that the command inherits nothing of ours. */
	if (!start_command(s, err))
		return false;
	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
	terminal_save(&s->terminal);
	s->shared = mmap(NULL, sizeof(*s->shared), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (s->shared == MAP_FAILED)
		return fail(err, errno, "no memory");
	atomic_store(&s->shared->is_stopping, true);
	if (!open_signals(s, err))
		return false;
	for (int i = 0; i < PARSERS; i++)
		ends[i] = parser_start(&s->parsers[i], leave_supervisor, s);
	ok = start_app(s, ends, err);
	/* What came while there was no app would wait here for ever. */
	while (ok && take_signal(s, true))
		;
	for (int i = 0; i < PARSERS; i++)
		close_fd(&ends[i]);
	return ok;
}

int
supervise(const struct plan *plan)
{
	struct supervisor s = {
		.plan = plan, .signals = -1, .app_fd = -1, .command_fd = -1,
		.command_gate = -1,
		.parsers = {
			{ .name = "flametop-symbol", .control = -1, .fd = -1 },
			{ .name = "flametop-tables", .control = -1, .fd = -1 },
		},
	};
	struct error err;
	int status;

	if (!start_all(&s, &err)) {
		say("%s", err.text);
		status = 1;
		if (s.command)
			child_end(s.command);
		end_parsers(&s);
	} else {
		status = watch(&s);
		clean_up(&s);
		status = tell_end(&s, status);
	}
	leave_supervisor(&s);
	return status;
}
