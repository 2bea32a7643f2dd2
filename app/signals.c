/* SPDX-License-Identifier: MIT */
/*
 * signals.c - signalfd(2).
 */
#include "app/signals.h"

#include <signal.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "core/base.h"

static const int taken[] = {
	SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGTSTP, SIGCONT, SIGUSR1,
};

void
signals_set(sigset_t *set)
{
	struct sigaction hup;

	sigemptyset(set);
	for (size_t i = 0; i < ARRAY_LEN(taken); i++)
		sigaddset(set, taken[i]);
	if (sigaction(SIGHUP, NULL, &hup) == 0 && hup.sa_handler == SIG_IGN)
		sigdelset(set, SIGHUP);
}

void
signals_ignore(void)
{
	for (size_t i = 0; i < ARRAY_LEN(taken); i++)
		signal(taken[i], SIG_IGN);
}

int
signals_open(void)
{
	sigset_t set;

	signals_set(&set);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGTTOU, SIG_IGN);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int
signals_next(int fd)
{
	struct signalfd_siginfo info;

	return read(fd, &info, sizeof(info)) == sizeof(info) ?
	       (int)info.ssi_signo : 0;
}

bool
signals_ask_end(int fd)
{
	bool is_asked = false;
	int number;

	while ((number = signals_next(fd)))
		is_asked |= number != SIGCONT && number != SIGUSR1 &&
			    number != SIGTSTP;
	return is_asked;
}

void
signals_end_us(void)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGQUIT, SIGHUP };
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_LEN(ends); i++)
		sigaddset(&set, ends[i]);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

void
signals_quiet(sigset_t *before)
{
	static const int faults[] = {
		SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS,
	};
	sigset_t all;

	sigfillset(&all);
	for (size_t i = 0; i < ARRAY_LEN(faults); i++)
		sigdelset(&all, faults[i]);
	pthread_sigmask(SIG_SETMASK, &all, before);
}
