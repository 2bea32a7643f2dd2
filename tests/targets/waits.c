/* SPDX-License-Identifier: MIT */
/*
 * waits.c - threads that wait for what they say, for dumps.
 *
 * The first word says for what:
 *
 *	deadlock	"first" and "second" each hold a lock and want the
 *			other's; "alone" wants one that it has; "waiter" wants
 *			the first one's
 *	idle N M	N threads in a pool, M that are busy
 *	calls		one thread for each kind of wait, named after it
 *	frames		as compiled: below frames with rbp, without, with room
 *			made at run time, and with many arguments
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "tests/targets/target.h"

static pthread_mutex_t locks[3] = { PTHREAD_MUTEX_INITIALIZER,
				    PTHREAD_MUTEX_INITIALIZER,
				    PTHREAD_MUTEX_INITIALIZER };
static pthread_mutex_t inherits;
static pthread_mutex_t pool_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t pool_work = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t both;
static const char *fifo;

static void
start(const char *name, void *(*run)(void *), void *ctx)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run, ctx) != 0)
		exit(1);
	pthread_setname_np(thread, name);
}

/* --- locks */

FRAME static void
take_other(int i)
{
	pthread_mutex_lock(&locks[i]);
	STAY;
}

static void *
take_both(void *number)
{
	int own = (int)(size_t)number;

	pthread_mutex_lock(&locks[own]);
	pthread_barrier_wait(&both);
	take_other(!own);
	return NULL;
}

static void *
take_twice(void *ctx)
{
	(void)ctx;
	pthread_mutex_lock(&locks[2]);
	take_other(2);
	return NULL;
}

static void *
take_first(void *ctx)
{
	(void)ctx;
	pthread_barrier_wait(&both);
	usleep(50000);
	take_other(0);
	return NULL;
}

static void
deadlock(void)
{
	pthread_barrier_init(&both, NULL, 3);
	start("first", take_both, (void *)0);
	start("second", take_both, (void *)1);
	start("alone", take_twice, NULL);
	start("waiter", take_first, NULL);
	usleep(200000);
}

/* --- a pool */

FRAME static void
await_work(void)
{
	pthread_mutex_lock(&pool_lock);
	for (;;)
		pthread_cond_wait(&pool_work, &pool_lock);
}

static void *
idle(void *ctx)
{
	(void)ctx;
	await_work();
	return NULL;
}

FRAME static void
burn(void)
{
	spin(100000000);
	STAY;
}

static void *
busy(void *ctx)
{
	(void)ctx;
	for (;;)
		burn();
	return NULL;
}

static void
make_pool(int idlers, int busy_ones)
{
	for (int i = 0; i < idlers; i++)
		start("idler", idle, NULL);
	for (int i = 0; i < busy_ones; i++)
		start("worker", busy, NULL);
	usleep(200000);
}

/* --- calls */

static int
make_socket(int port_of, int type)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(to);
	int fd = socket(AF_INET, type, 0);

	if (port_of < 0) {
		if (bind(fd, (struct sockaddr *)&to, len) || listen(fd, 5))
			exit(1);
		return fd;
	}
	if (getsockname(port_of, (struct sockaddr *)&to, &len) ||
	    connect(fd, (struct sockaddr *)&to, len))
		exit(1);
	return fd;
}

static void *
read_fifo(void *ctx)
{
	char byte;
	int fd = open(fifo, O_RDWR);

	(void)ctx;
	return (void *)read(fd, &byte, 1);
}

static void *
epoll_some(void *ctx)
{
	struct epoll_event event = { .events = EPOLLIN };
	int set = epoll_create1(0);

	(void)ctx;
	for (int i = 0; i < 7; i++)
		epoll_ctl(set, EPOLL_CTL_ADD, eventfd(0, 0), &event);
	epoll_wait(set, &event, 1, -1);
	return NULL;
}

static void *
poll_three(void *ctx)
{
	struct pollfd fds[3];

	(void)ctx;
	for (int i = 0; i < 3; i++)
		fds[i] = (struct pollfd){ eventfd(0, 0), POLLIN, 0 };
	poll(fds, 3, 250000);
	return NULL;
}

static void *
select_two(void *ctx)
{
	fd_set set;
	int a = eventfd(0, 0), b = eventfd(0, 0);

	(void)ctx;
	FD_ZERO(&set);
	FD_SET(a, &set);
	FD_SET(b, &set);
	select((a > b ? a : b) + 1, &set, NULL, NULL, NULL);
	return NULL;
}

static void *
sleep_long(void *ctx)
{
	struct timespec t = { .tv_sec = 271 };

	(void)ctx;
	nanosleep(&t, NULL);
	return NULL;
}

static void *
accept_one(void *ctx)
{
	(void)ctx;
	accept(make_socket(-1, SOCK_STREAM), NULL, NULL);
	return NULL;
}

static void *
receive(void *ctx)
{
	char byte;
	int listener = make_socket(-1, SOCK_STREAM);

	(void)ctx;
	recv(make_socket(listener, SOCK_STREAM), &byte, 1, 0);
	return NULL;
}

static void *
wait_child(void *pid)
{
	waitpid((pid_t)(size_t)pid, NULL, 0);
	return NULL;
}

/* Until its child, which has its memory, is gone. */
FRAME static void *
fork_slowly(void *ctx)
{
	if (vfork() == 0) {
		alarm(300);
		for (;;)
			pause();
	}
	return ctx;
}

static void *
lock_inheriting(void *ctx)
{
	pthread_mutex_lock(&inherits);
	if (ctx)
		pause();
	return NULL;
}

static void
start_inheriting(void)
{
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&inherits, &attr);
	start("pi-owner", lock_inheriting, (void *)1);
	usleep(50000);
	start("pi-waiter", lock_inheriting, NULL);
}

static void
make_calls(void)
{
	pid_t child = fork();

	if (child == 0) {
		alarm(300);
		for (;;)
			pause();
	}
	printf("child %d\n", (int)child);
	start("fifo", read_fifo, NULL);
	start("epoll", epoll_some, NULL);
	start("poll", poll_three, NULL);
	start("select", select_two, NULL);
	start("sleeper", sleep_long, NULL);
	start("accept", accept_one, NULL);
	start("recv", receive, NULL);
	start("wait4", wait_child, (void *)(size_t)child);
	start("vfork", fork_slowly, NULL);
	start_inheriting();
	usleep(200000);
}

/* --- frames */

FRAME static void
rest(void)
{
	usleep(270000000);
	STAY;
}

FRAME static void
with_room(volatile char *from, size_t n)
{
	char room[n];

	memcpy(room, (const void *)from, n);
	rest();
	from[0] = room[n - 1];
}

FRAME static long
with_arguments(long a, long b, long c, long d, long e, long f, long g, long h)
{
	volatile char from[600] = { 0 };

	with_room(from, 500 + (size_t)(a + b));
	return a + b + c + d + e + f + g + h + from[0];
}

/* Leaves return addresses below, where the next frames will be. */
FRAME static long
litter(int depth)
{
	volatile char room[64] = { 0 };
	long sum = depth > 0 ? litter(depth - 1) : 0;

	return sum + room[depth & 63];
}

FRAME static long
with_litter(int depth)
{
	volatile char room[3000];

	room[2999] = 0;
	return with_arguments(1, 2, 3, 4, 5, 6, 7, depth) + room[2999];
}

static void *
make_frames(void *ctx)
{
	litter(40);
	with_litter(3);
	return ctx;
}

int
main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	target_begin();
	if (!strcmp(what, "deadlock")) {
		deadlock();
	} else if (!strcmp(what, "idle") && argc > 3) {
		make_pool(atoi(argv[2]), atoi(argv[3]));
	} else if (!strcmp(what, "calls") && argc > 2) {
		fifo = argv[2];
		make_calls();
	} else if (!strcmp(what, "frames")) {
		start("framed", make_frames, NULL);
		usleep(100000);
	} else {
		return 2;
	}
	puts("ready");
	for (;;)
		pause();
}
