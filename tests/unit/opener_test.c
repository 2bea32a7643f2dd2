/* SPDX-License-Identifier: MIT */
#include "app/opener.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fanotify.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

struct place {
	char folder[64];
	char path[128];
};

static int
set_up(void **state)
{
	struct place *place = calloc(1, sizeof(*place));

	strcpy(place->folder, "/tmp/flametop-open-XXXXXX");
	if (!mkdtemp(place->folder))
		return -1;
	snprintf(place->path, sizeof(place->path), "%s/x", place->folder);
	*state = place;
	return 0;
}

static int
tear_down(void **state)
{
	struct place *place = *state;

	unlink(place->path);
	rmdir(place->path);
	rmdir(place->folder);
	free(place);
	return 0;
}

static void
write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void
expect_refusal(const char *path, const char *part)
{
	struct error err;

	assert_int_equal(open_file(path, 1000, NULL, &err), -1);
	if (!strstr(err.text, part))
		fail_msg("\"%s\" lacks \"%s\"", err.text, part);
}

static void
a_regular_file_is_opened_for_reading(void **state)
{
	struct place *place = *state;
	struct error err;
	char text[8] = "";
	int fd;

	write_file(place->path, "hello");
	fd = open_file(place->path, 1000, NULL, &err);
	assert_true(fd >= 0);
	assert_int_equal(read(fd, text, sizeof(text)), 5);
	assert_int_equal(write(fd, "x", 1), -1);
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	close(fd);
}

static void
what_is_no_file_is_named_and_not_opened(void **state)
{
	struct place *place = *state;
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int sock;

	expect_refusal(place->path, "No such file");
	expect_refusal(place->folder, "is a directory");
	expect_refusal("/dev/null", "is a device");
	assert_int_equal(mkfifo(place->path, 0600), 0);
	expect_refusal(place->path, "is a pipe");
	unlink(place->path);
	sock = socket(AF_UNIX, SOCK_STREAM, 0);
	strcpy(address.sun_path, place->path);
	assert_int_equal(bind(sock, (struct sockaddr *)&address,
			      sizeof(address)), 0);
	expect_refusal(place->path, "is a socket");
	close(sock);
}

static void
a_file_beyond_the_limit_is_refused(void **state)
{
	struct place *place = *state;

	write_file(place->path, "");
	assert_int_equal(truncate(place->path, 1001), 0);
	expect_refusal(place->path, "File too large");
}

/* The rules hold for what a link leads to. */
static void
a_link_to_a_device_is_a_device(void **state)
{
	struct place *place = *state;

	assert_int_equal(symlink("/dev/zero", place->path), 0);
	expect_refusal(place->path, "is a device");
}

static void
perf_map(char *out, size_t size)
{
	snprintf(out, size, "/tmp/perf-%d.map", (int)getpid());
}

static void
a_perf_map_of_the_target_is_opened(void **state)
{
	char path[64];
	struct error err;
	uint64_t size;
	int fd;

	(void)state;
	perf_map(path, sizeof(path));
	unlink(path);
	assert_int_equal(open_perf_map(getpid(), &size, &err), -1);
	write_file(path, "1000 10 f\n");
	fd = open_perf_map(getpid(), &size, &err);
	unlink(path);
	assert_true(fd >= 0);
	assert_int_equal(size, 10);
	close(fd);
}

static void
a_perf_map_that_is_a_pipe_does_not_hang(void **state)
{
	char path[64];
	struct error err;
	uint64_t size;

	(void)state;
	perf_map(path, sizeof(path));
	unlink(path);
	assert_int_equal(mkfifo(path, 0666), 0);
	assert_int_equal(open_perf_map(getpid(), &size, &err), -1);
	assert_non_null(strstr(err.text, "is a pipe"));
	unlink(path);
}

static void
a_perf_map_of_another_user_is_refused(void **state)
{
	char path[64];
	struct error err;
	uint64_t size;
	int fd;

	(void)state;
	if (geteuid() != 0)
		skip();
	perf_map(path, sizeof(path));
	write_file(path, "1000 10 f\n");
	assert_int_equal(chown(path, 65534, 65534), 0);
	fd = open_perf_map(getpid(), &size, &err);
	unlink(path);
	assert_int_equal(fd, -1);
	assert_non_null(strstr(err.text, "belongs to user 65534"));
}

/* As after dlclose() and dlopen(), which often lands at the same address. */
static void
another_file_at_the_same_address_is_not_taken(void **state)
{
	struct place *place = *state;
	struct open_mapping mapping = { .pid = getpid() };
	int other = memfd_create("other", MFD_CLOEXEC), fd;
	struct error err;
	struct stat st;
	void *at;

	write_file(place->path, "first");
	assert_int_equal(stat(place->path, &st), 0);
	assert_int_equal(ftruncate(other, 4096), 0);
	at = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, other, 0);
	assert_true(at != MAP_FAILED);
	mapping.start = (uintptr_t)at;
	mapping.end = (uintptr_t)at + 4096;
	mapping.inode = st.st_ino;
	strcpy(mapping.path, place->path);
	fd = open_module(&mapping, &err);
	munmap(at, 4096);
	close(other);
	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_ino, mapping.inode);
	close(fd);
}

/* Of ourselves, whose mappings we know. */
static void
the_program_is_found_through_its_mapping(void **state)
{
	struct open_mapping mapping = { .pid = getpid() };
	char magic[4] = "", line[4300], exe[4096] = "";
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long long start, end, inode;
	struct error err;
	int fd;

	(void)state;
	assert_non_null(maps);
	assert_true(readlink("/proc/self/exe", exe, sizeof(exe) - 1) > 0);
	do {
		mapping.path[0] = '\0';
		assert_non_null(fgets(line, sizeof(line), maps));
		sscanf(line, "%llx-%llx %*s %*s %*s %llu %4000s", &start, &end,
		       &inode, mapping.path);
	} while (strcmp(mapping.path, exe) != 0);
	fclose(maps);
	mapping.start = start;
	mapping.end = end;
	mapping.inode = inode;
	fd = open_module(&mapping, &err);
	assert_true(fd >= 0);
	assert_int_equal(read(fd, magic, 4), 4);
	assert_memory_equal(magic, "\177ELF", 4);
	close(fd);
	mapping.start = mapping.end = 0;	/* by its path, then */
	fd = open_module(&mapping, &err);
	assert_true(fd >= 0);
	close(fd);
	mapping.is_deleted = true;		/* the program, all the same */
	fd = open_module(&mapping, &err);
	assert_true(fd >= 0);
	close(fd);
	mapping.inode++;
	assert_int_equal(open_module(&mapping, &err), -1);
	assert_non_null(strstr(err.text, "deleted or replaced"));
	mapping.is_deleted = false;
	assert_int_equal(open_module(&mapping, &err), -1);
	assert_non_null(strstr(err.text, "another file now"));
}

static void
a_debug_link_leads_nowhere_else(void **state)
{
	struct open_mapping mapping = {
		.pid = getpid(), .path = "/usr/bin/x",
	};
	struct debug_hint hint = { .debuglink = "../../etc/passwd" };
	unsigned place = 0;
	struct error err;

	(void)state;
	assert_int_equal(open_debug(&mapping, &hint, &place, &err), -1);
}

/* Whoever polls the descriptor must not wake for what was taken. */
static void
the_descriptor_rests_when_nothing_is_left_to_take(void **state)
{
	struct place *place = *state;
	struct opener *opener = opener_new();
	struct pollfd ready = { opener_fd(opener), POLLIN, 0 };

	write_file(place->path, "x");
	close(opener_open_now(opener, place->path, 10, NULL));
	assert_int_equal(poll(&ready, 1, 50), 0);
	opener_free(opener);
}

static bool has_no_threads;

/* Stands before the C library's. */
int
pthread_create(pthread_t *thread, const pthread_attr_t *attr,
	       void *(*run)(void *), void *ctx)
{
	int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *),
		    void *);
	void *symbol = dlsym(RTLD_NEXT, "pthread_create");

	if (has_no_threads)
		return EAGAIN;
	memcpy(&next, &symbol, sizeof(next));
	return next(thread, attr, run, ctx);
}

static void
without_a_thread_an_open_fails_until_there_is_one(void **state)
{
	struct place *place = *state;
	struct opener *opener;
	struct error err;
	int fd;

	write_file(place->path, "x");
	has_no_threads = true;
	opener = opener_new();
	assert_int_equal(opener_open_now(opener, place->path, 10, &err), -1);
	assert_int_equal(err.errnum, EAGAIN);
	has_no_threads = false;
	fd = opener_open_now(opener, place->path, 10, &err);
	assert_true(fd >= 0);
	close(fd);
	opener_free(opener);
}

static void
jobs_are_answered_in_their_order(void **state)
{
	struct place *place = *state;
	struct opener *opener = opener_new();
	struct opener_job *job = calloc(1, sizeof(*job));
	struct opener_result result;

	write_file(place->path, "x");
	for (uint32_t i = 0; i < 20; i++) {
		job->tag = i;
		job->max = 10;
		strcpy(job->mapping.path, i % 2 ? "/dev/null" : place->path);
		opener_ask(opener, job);
	}
	for (uint32_t i = 0; i < 20; i++) {
		while (!opener_next(opener, &result))
			usleep(1000);
		assert_int_equal(result.tag, i);
		assert_int_equal(result.fd < 0, i % 2);
		if (result.fd >= 0)
			close(result.fd);
	}
	free(job);
	opener_free(opener);
}

static void
a_file_that_is_needed_now_is_waited_for(void **state)
{
	struct place *place = *state;
	struct opener *opener = opener_new();
	struct error err;
	int fd;

	write_file(place->path, "x");
	fd = opener_open_now(opener, place->path, 10, &err);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(opener_open_now(opener, "/nowhere", 10, &err), -1);
	opener_free(opener);
}

/*
 * Nobody answers for a file that is marked so: whoever opens it waits, as on
 * a dead file server (fanotify(7)).
 */
static int
make_hang(const char *path)
{
	int fd = fanotify_init(FAN_CLASS_CONTENT | FAN_CLOEXEC, O_RDONLY);

	if (fd >= 0 && fanotify_mark(fd, FAN_MARK_ADD, FAN_OPEN_PERM, AT_FDCWD,
				     path) == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static size_t
count_threads(void)
{
	DIR *folder = opendir("/proc/self/task");
	size_t count = 0;

	assert_non_null(folder);
	while (readdir(folder))
		count++;
	closedir(folder);
	return count - 2;
}

/* What a thread was left with it frees when it comes back. */
static void
await_threads(size_t count)
{
	for (int tries = 0; count_threads() > count && tries < 1000; tries++)
		usleep(10000);
	assert_in_range(count_threads(), 1, count);
}

static void
an_open_that_hangs_is_left_behind(void **state)
{
	struct place *place = *state;
	struct opener *opener;
	struct error err;
	size_t threads = count_threads();
	int hang, fd;

	write_file(place->path, "x");
	hang = make_hang(place->path);
	if (hang < 0)
		skip();
	opener = opener_new();
	assert_int_equal(opener_open_now(opener, place->path, 10, &err), -1);
	assert_int_equal(err.errnum, ETIMEDOUT);
	assert_non_null(strstr(err.text, "hangs"));
	fd = opener_open_now(opener, "/proc/self/status", 10, &err);
	assert_true(fd >= 0);
	close(fd);
	opener_free(opener);
	close(hang);
	await_threads(threads);
}

#define WITH_PLACE(test) cmocka_unit_test_setup_teardown(test, set_up, \
							 tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_PLACE(a_regular_file_is_opened_for_reading),
		WITH_PLACE(what_is_no_file_is_named_and_not_opened),
		WITH_PLACE(a_file_beyond_the_limit_is_refused),
		WITH_PLACE(a_link_to_a_device_is_a_device),
		cmocka_unit_test(a_perf_map_of_the_target_is_opened),
		cmocka_unit_test(a_perf_map_that_is_a_pipe_does_not_hang),
		cmocka_unit_test(a_perf_map_of_another_user_is_refused),
		WITH_PLACE(another_file_at_the_same_address_is_not_taken),
		cmocka_unit_test(the_program_is_found_through_its_mapping),
		cmocka_unit_test(a_debug_link_leads_nowhere_else),
		WITH_PLACE(the_descriptor_rests_when_nothing_is_left_to_take),
		WITH_PLACE(without_a_thread_an_open_fails_until_there_is_one),
		WITH_PLACE(jobs_are_answered_in_their_order),
		WITH_PLACE(a_file_that_is_needed_now_is_waited_for),
		WITH_PLACE(an_open_that_hangs_is_left_behind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
