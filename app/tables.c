/* SPDX-License-Identifier: MIT */
/*
 * tables.c - the thread, and its talk with the tables process.
 */
#include "app/tables.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "app/bell.h"
#include "app/parser.h"
#include "app/signals.h"
#include "app/supervisor.h"
#include "app/tables_private.h"

#define HANGS_NS 10000000000ull
#define LOOK_MS 100		/* whether an answer takes too long */

static void
close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void
take_socket(struct tables *t, int sock, pid_t pid)
{
	t->sock = sock;
	if (sock >= 0)
		fcntl(sock, F_SETFL, fcntl(sock, F_GETFL) | O_NONBLOCK);
	atomic_store(&t->pid, pid);
}

/* --- a process that has died, or should */

/* As if it had not been made. */
static void
take_back_request(struct tables *t)
{
	struct table_module *module = &t->modules[t->request.module];

	if (t->request.type == WIRE_ROWS)
		tables_ask_again(t);
	else
		module->state = TABLE_UNSEEN;	/* its file went along */
	t->request.type = 0;
}

/* Its module is held to account for a request that was not answered. */
static void
give_up_request(struct tables *t, int status)
{
	struct table_module *module;

	if (!t->request.type)
		return;
	take_back_request(t);
	module = &t->modules[t->request.module];
	module->harm += parser_harm(status, t->patience.has_ended);
	if (module->harm < PARSER_HARM_MAX)
		return;
	module->state = TABLE_ASIDE;
	atomic_fetch_add(&t->set_aside, 1);
}

static void
reconnect(struct tables *t, int sock, const struct control *message)
{
	close_fd(&t->sock);
	for (size_t i = 0; i < t->nmodules; i++)
		if (table_is_open(&t->modules[i])) {
			close_fd(&t->modules[i].fd);
			t->modules[i].state = TABLE_UNSEEN;
		}
	give_up_request(t, message->value);
	take_socket(t, sock, message->pid);
}

static void
take_control(struct tables *t)
{
	struct control message;
	bool has_gone = false;
	int fd;

	while (t->control >= 0 &&
	       control_receive(t->control, &message, &fd, &has_gone)) {
		if (message.type == CONTROL_SYMBOLS)
			reconnect(t, fd, &message);
		else
			close_fd(&fd);
	}
	if (has_gone)
		close_fd(&t->control);
}

static void
mind_patience(struct tables *t)
{
	struct control hangs = {
		.type = CONTROL_HANGS, .pid = atomic_load(&t->pid),
	};

	if (t->request.type && t->control >= 0 &&
	    patience_ends(&t->patience, process_cpu_ns(hangs.pid), HANGS_NS))
		control_send(t->control, &hangs, -1);
}

/* --- work */

static void
take_file(struct table_module *module, int fd)
{
	module->fd = fd;
	module->state = fd >= 0 ? TABLE_READY : TABLE_ASIDE;
}

/* Unless the process that it was for has gone. */
static void
take_debug_file(struct table_module *module, unsigned place, int fd)
{
	if (module->state != TABLE_SEEKING) {
		close_fd(&fd);
		return;
	}
	module->fd = fd;
	module->debug_place = place;
	module->has_sought = fd < 0;
	module->state = fd >= 0 ? TABLE_FOUND : TABLE_OPEN;
}

static void
take_files(struct tables *t)
{
	struct opener_result result;

	while (opener_next(t->opener, &result)) {
		struct table_module *module = &t->modules[result.tag];

		t->opening--;
		if (result.kind == OPENER_DEBUG)
			take_debug_file(module, result.place, result.fd);
		else
			take_file(module, result.fd);
	}
}

static void
take_answers(struct tables *t)
{
	struct wire_answer answer;
	enum wire_got got;
	bool is_good;
	size_t len;
	int fd;

	while (t->sock >= 0) {
		got = wire_receive(t->sock, t->in, &len, &fd);
		if (got == WIRE_NOTHING)
			return;
		is_good = got == WIRE_GOT &&
			  wire_get_answer(t->in, len, &answer) &&
			  tables_take_answer(t, &answer, fd);
		close_fd(&fd);
		if (!is_good)
			close_fd(&t->sock);
	}
}

/* If it cannot be sent the process has gone, and another one will come. */
static void
ask_on(struct tables *t)
{
	int fd;

	if (t->sock < 0 || t->request.type || !tables_next_request(t, &fd))
		return;
	t->request.id = ++t->next_id;
	t->modules[t->request.module].asked_id = t->next_id;
	t->out.len = 0;
	wire_put_request(&t->out, &t->request);
	patience_begin(&t->patience);
	if (!wire_send(t->sock, &t->out, fd, NULL)) {
		close_fd(&t->sock);
		take_back_request(t);
	}
	close_fd(&fd);
}

/* False when it is to end. */
static bool
wait_for_work(const struct tables *t)
{
	struct pollfd polls[] = {
		{ t->stop, POLLIN, 0 }, { t->control, POLLIN, 0 },
		{ t->sock, POLLIN, 0 },
		{ row_store_fd(t->config.rows), POLLIN, 0 },
		{ opener_fd(t->opener), POLLIN, 0 },
	};

	poll(polls, ARRAY_LEN(polls),
	     t->request.type || t->opening ? LOOK_MS : -1);
	return !polls[0].revents;
}

static void *
tables_main(void *ctx)
{
	struct tables *t = ctx;

	prctl(PR_SET_NAME, "flametop-rows");
	while (wait_for_work(t)) {
		take_control(t);
		take_answers(t);
		take_files(t);
		tables_take_wishes(t);
		ask_on(t);
		mind_patience(t);
	}
	return NULL;
}

/* --- from outside */

static void
free_all(struct tables *t)
{
	for (size_t i = 0; i < t->nmodules; i++)
		close_fd(&t->modules[i].fd);
	free(t->modules);
	free(t->wishes);
	writer_free(&t->out);
	close_fd(&t->sock);
	close_fd(&t->control);
	close_fd(&t->stop);
	opener_free(t->opener);
	free(t);
}

struct tables *
tables_start(const struct tables_config *config, struct error *err)
{
	struct tables *t = xcalloc(1, sizeof(*t));
	sigset_t before;
	int failed;

	t->config = *config;
	t->control = config->control;
	take_socket(t, config->sock, config->pid);
	t->stop = bell_new();
	t->opener = opener_new();
	signals_quiet(&before);
	failed = pthread_create(&t->thread, NULL, tables_main, t);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (!failed)
		return t;
	fail(err, failed, "cannot start a thread");
	free_all(t);
	return NULL;
}

void
tables_free(struct tables *t)
{
	if (!t)
		return;
	bell_ring(t->stop);
	pthread_join(t->thread, NULL);
	row_store_close(t->config.rows);
	free_all(t);
}

pid_t
tables_pid(struct tables *t)
{
	return atomic_load(&t->pid);
}

unsigned
tables_set_aside(struct tables *t)
{
	return atomic_load(&t->set_aside);
}
