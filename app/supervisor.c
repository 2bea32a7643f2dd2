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
#include "app/clock.h"
#include "app/restore.h"
#include "app/say.h"
#include "app/signals.h"
#include "app/worker.h"

#define STOP_MAX_NS 250000000ull	/* a target's thread stopped longer */
#define WATCH_MS 50
#define END_NS 5000000000ull		/* grace after a signal to end */
#define SHORT_LIFE_NS 500000000ull	/* symbols died of its first task */
#define BACKOFF_MAX_NS 30000000000ull

struct supervisor {
	const struct plan *plan;
	struct shared *shared;
	struct terminal_state terminal;
	int signals;			/* signalfd */
	int control;			/* our end */
	pid_t app, symbols, command;
	int app_fd, symbols_fd, command_fd;	/* pidfds; -1: none */
	int command_gate;		/* closed without a byte: do not run */
	uint64_t symbols_born_ns, symbols_due_ns, backoff_ns;
	int symbols_status;		/* how the last one ended */
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
leave_supervisor(struct supervisor *s)
{
	close_fd(&s->signals);
	close_fd(&s->control);
	close_fd(&s->app_fd);
	close_fd(&s->symbols_fd);
	close_fd(&s->command_fd);
	close_fd(&s->command_gate);
}

/* A new symbols process; the app's end of its socket, or -1. */
static int
start_symbols(struct supervisor *s)
{
	int pair[2];
	pid_t parent = getpid();

	if (!make_pair(pair, NULL))
		return -1;
	s->symbols = fork();
	if (s->symbols == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(0);
		leave_supervisor(s);
		signals_ignore();
		_exit(worker_run(pair[1]));
	}
	close(pair[1]);
	s->symbols_born_ns = now_ns();
	if (s->symbols > 0) {
		s->symbols_fd = pidfd_of(s->symbols);
		return pair[0];
	}
	s->symbols = 0;
	close(pair[0]);
	return -1;
}

static bool
start_app(struct supervisor *s, int symbols, struct error *err)
{
	int pair[2];
	pid_t parent = getpid();

	if (!make_pair(pair, err))
		return false;
	fflush(NULL);
	s->app = fork();
	if (s->app < 0)
		return fail(err, errno, "cannot start a process");
	if (s->app == 0) {
		struct link link = {
			.control = pair[1], .symbols = symbols,
			.symbols_pid = s->symbols, .command = s->command,
			.supervisor_pid = parent, .shared = s->shared,
		};
		int status;

		prctl(PR_SET_PDEATHSIG, SIGHUP);
		if (getppid() != parent)
			_exit(1);
		leave_supervisor(s);
		close(pair[0]);
		link.signals = signals_open();
		status = s->plan->app(s->plan->ctx, &link);
		if (getppid() != parent && link.command)
			child_end(link.command);	/* nobody else will */
		fflush(NULL);
		exit(status);
	}
	close(pair[1]);
	s->control = pair[0];
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

/* The symbols process has ended: note how, and when the next is due. */
static void
bury_symbols(struct supervisor *s)
{
	uint64_t now = now_ns();

	if (waitpid(s->symbols, &s->symbols_status, WNOHANG) != s->symbols)
		return;
	close_fd(&s->symbols_fd);
	s->symbols = 0;
	if (now - s->symbols_born_ns > SHORT_LIFE_NS)
		s->backoff_ns = 0;
	s->symbols_due_ns = now + s->backoff_ns;
	s->backoff_ns = s->backoff_ns ? s->backoff_ns * 2 : 250000000;
	if (s->backoff_ns > BACKOFF_MAX_NS)
		s->backoff_ns = BACKOFF_MAX_NS;
}

static void
renew_symbols(struct supervisor *s)
{
	struct control message = { .type = CONTROL_SYMBOLS };
	int fd;

	if (s->symbols || now_ns() < s->symbols_due_ns)
		return;
	fd = start_symbols(s);
	if (fd < 0) {
		s->symbols_due_ns = now_ns() + 1000000000;
		return;
	}
	message.value = s->symbols_status;
	message.pid = s->symbols;
	control_send(s->control, &message, fd);
	close(fd);
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
	control_send(s->control, &message, -1);
}

/*
 * Stop the whole job as ^Z would. The app is stopped first, so that it sees
 * nothing before the shell continues us; a job without a shell to continue it
 * (orphaned) is not stopped by SIGTSTP at all.
 */
static void
suspend(struct supervisor *s)
{
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
}

static void
take_control(struct supervisor *s)
{
	struct control message;
	bool has_gone;
	int fd;

	while (control_receive(s->control, &message, &fd, &has_gone)) {
		close_fd(&fd);
		if (message.type == CONTROL_READY && s->command_gate >= 0) {
			ssize_t ignored = write(s->command_gate, "", 1);

			(void)ignored;
			close_fd(&s->command_gate);
		} else if (message.type == CONTROL_SUSPEND) {
			suspend(s);
		} else if (message.type == CONTROL_HANGS && s->symbols > 0) {
			kill(s->symbols, SIGKILL);
		}
	}
	if (has_gone)
		close_fd(&s->control);
}

/*
 * What the terminal sends goes to the whole group, so the app has it; what
 * somebody sent to us alone is passed on. Patience with an app that was told
 * to end is limited.
 */
static void
take_signal(struct supervisor *s)
{
	struct signalfd_siginfo info;

	if (read(s->signals, &info, sizeof(info)) != sizeof(info))
		return;
	if (info.ssi_signo == SIGCHLD)
		return;
	if (info.ssi_code <= 0)
		kill(s->app, (int)info.ssi_signo);
	if (info.ssi_signo == SIGTERM || info.ssi_signo == SIGHUP)
		s->kill_app_ns = now_ns() + END_NS;
}

/* A thread of the target that we keep stopped costs us the app. */
static void
mind_the_clock(struct supervisor *s)
{
	uint64_t now = now_ns();

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
	renew_symbols(s);
}

static int
patience_ms(const struct supervisor *s)
{
	if (atomic_load(&s->shared->is_stopping))
		return WATCH_MS;
	return s->kill_app_ns || !s->symbols ? 100 : 1000;
}

/* Until the app has ended; its wait status. */
static int
watch(struct supervisor *s)
{
	int status;

	while (waitpid(s->app, &status, WNOHANG) != s->app) {
		struct pollfd polls[] = {
			{ s->signals, POLLIN, 0 }, { s->app_fd, POLLIN, 0 },
			{ s->control, POLLIN, 0 }, { s->symbols_fd, POLLIN, 0 },
			{ s->command_fd, POLLIN, 0 },
		};

		poll(polls, ARRAY_LEN(polls), patience_ms(s));
		if (polls[0].revents)
			take_signal(s);
		if (polls[2].revents)
			take_control(s);
		if (s->symbols)
			bury_symbols(s);
		if (s->command)
			bury_command(s);
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
clean_up(struct supervisor *s)
{
	terminal_restore(&s->terminal, atomic_load(&s->shared->has_screen));
	for (size_t i = 0; i < SHARED_TARGETS; i++)
		if (atomic_load(&s->shared->targets[i]))
			restore_check_target(s->shared->targets[i]);
	if (s->symbols)
		kill(s->symbols, SIGKILL);
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
	int symbols;
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
	symbols = start_symbols(s);
	ok = start_app(s, symbols, err);
	close_fd(&symbols);
	return ok;
}

int
supervise(const struct plan *plan)
{
	struct supervisor s = {
		.plan = plan, .signals = -1, .control = -1, .app_fd = -1,
		.symbols_fd = -1, .command_fd = -1, .command_gate = -1,
	};
	struct error err;
	int status;

	if (!start_all(&s, &err)) {
		say("%s", err.text);
		status = 1;
		if (s.command)
			child_end(s.command);
		if (s.symbols)
			kill(s.symbols, SIGKILL);
	} else {
		status = watch(&s);
		clean_up(&s);
		status = tell_end(&s, status);
	}
	leave_supervisor(&s);
	return status;
}
