/* SPDX-License-Identifier: MIT */
/*
 * parser.c - one that dies of its first task is started less and less often.
 */
#include "app/parser.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/signals.h"
#include "app/supervisor.h"
#include "app/worker.h"
#include "sampler/clock.h"

#define SHORT_LIFE_NS 500000000ull	/* died of its first task */
#define BACKOFF_MAX_NS 30000000000ull
#define HARM_CRASH 3		/* SIGSEGV and the like: surely the file */
#define HARM_KILL 1		/* SIGKILL: perhaps somebody else */

int
parser_start(struct parser *p, leave_fn leave, void *ctx)
{
	int pair[2];
	pid_t parent = getpid();

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return -1;
	p->pid = fork();
	if (p->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(0);
		leave(ctx);
		signals_ignore();
		_exit(worker_run(pair[1], p->name));
	}
	close(pair[1]);
	p->born_ns = clock_now();
	if (p->pid > 0) {
		p->fd = (int)syscall(SYS_pidfd_open, p->pid, 0);
		return pair[0];
	}
	p->pid = 0;
	close(pair[0]);
	return -1;
}

unsigned
parser_harm(int status, bool we_ended)
{
	bool was_killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;

	return was_killed && !we_ended ? HARM_KILL : HARM_CRASH;
}

/* It has ended: note how, and when the next is due. */
static void
bury(struct parser *p)
{
	uint64_t now = clock_now();

	if (waitpid(p->pid, &p->status, WNOHANG) != p->pid)
		return;
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
	p->pid = 0;
	if (now - p->born_ns > SHORT_LIFE_NS)
		p->backoff_ns = 0;
	p->due_ns = now + p->backoff_ns;
	p->backoff_ns = p->backoff_ns ? p->backoff_ns * 2 : 250000000;
	if (p->backoff_ns > BACKOFF_MAX_NS)
		p->backoff_ns = BACKOFF_MAX_NS;
}

void
parser_tend(struct parser *p, leave_fn leave, void *ctx)
{
	struct control message = { .type = CONTROL_SYMBOLS };
	int fd;

	if (p->pid)
		bury(p);
	if (p->pid || clock_now() < p->due_ns)
		return;
	fd = parser_start(p, leave, ctx);
	if (fd < 0) {
		p->due_ns = clock_now() + 1000000000;
		return;
	}
	message.value = p->status;
	message.pid = p->pid;
	control_send(p->control, &message, fd);
	close(fd);
}
