/* SPDX-License-Identifier: MIT */
/*
 * save.c - file without a name, fsync, name, fsync.
 */
#include "app/save.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "app/open.h"
#include "app/state.h"
#include "core/merge.h"

#define TRIES 100		/* names, until one is free */
#define SUFFIXES "choose .folded, .pb, .json or .svg, with .gz or without"

struct goal {
	const char *path;		/* as it was asked for; borrowed */
	int folder;			/* O_PATH */
	char name[NAME_MAX + 1];
	char temporary[NAME_MAX + 1];	/* beside it; "": it has no name yet */
};

static bool
open_goal(const char *path, struct goal *goal, struct error *err)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	char *folder = slash == path ? xstrdup("/") :
		       slash ? xstrndup(path, (size_t)(slash - path)) :
		       xstrdup(".");

	if (!*name || strlen(name) > NAME_MAX) {
		free(folder);
		return fail(err, 0, "\"%.100s\" is no file name", path);
	}
	goal->folder = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (goal->folder < 0)
		fail(err, errno, "cannot save in %.150s", folder);
	free(folder);
	goal->path = path;
	snprintf(goal->name, sizeof(goal->name), "%s", name);
	return goal->folder >= 0;
}

/* A picture or a pprof that is none would only be found out tomorrow. */
static bool
is_writable_format(const char *name, struct error *err)
{
	static const char *const others[] = {
		".html", ".pprof", ".data", ".zst", ".xz",
		".png",
	};
	size_t len = strlen(name);

	for (size_t i = 0; i < ARRAY_LEN(others); i++) {
		size_t suffix = strlen(others[i]);

		if (len > suffix && !strcmp(name + len - suffix, others[i]))
			return fail(err, 0, "flametop does not write %s; "
				    SUFFIXES, others[i]);
	}
	return true;
}

/*
 * Does the name fit, and what has it already? With --force too, only a file
 * gives way: as root a new file would take the place of /dev/null.
 */
static bool
is_usable(const struct goal *goal, bool is_forced, struct error *err)
{
	struct stat st;

	if (!is_writable_format(goal->name, err))
		return false;
	if (fstatat(goal->folder, goal->name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return true;
	if (!S_ISREG(st.st_mode))
		return fail(err, 0, "%.150s is %s, not a file; choose another "
			    "name (-o - writes to standard output)",
			    goal->name, file_type(st.st_mode));
	if (!is_forced)
		return fail(err, 0, "%.150s exists; choose another name "
			    "(--force writes over it)", goal->name);
	return true;
}

/* The I-th name for a file beside the goal. */
static void
set_temporary(struct goal *goal, unsigned i)
{
	snprintf(goal->temporary, sizeof(goal->temporary), ".%.200s.%ld-%u",
		 goal->name, (long)getpid(), i);
}

/*
 * A new file nobody else has. Without a name where the file system can: then
 * nothing is left of it if we are killed. Else it is named after the goal.
 */
static int
open_temporary(struct goal *goal, struct error *err)
{
	int fd = openat(goal->folder, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC,
			0600);

	goal->temporary[0] = '\0';
	for (unsigned i = 0; fd < 0 && i < TRIES; i++) {
		set_temporary(goal, i);
		fd = openat(goal->folder, goal->temporary, O_WRONLY | O_CREAT |
			    O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	if (fd < 0)
		fail(err, errno, "cannot save %.150s", goal->path);
	return fd;
}

static bool
write_text(FILE *out, const struct format *format, bool is_gzip,
	   struct profile *profile, struct names *names,
	   const struct save_options *options, struct error *err)
{
	char *text = NULL;
	size_t len = 0;
	FILE *memory;
	bool ok;

	if (!is_gzip)
		return format->write(out, profile, names, &options->write,
				     err);
	memory = open_memstream(&text, &len);
	if (!memory)
		return fail(err, errno, "no memory to save");
	ok = format->write(memory, profile, names, &options->write, err);
	if (fclose(memory) != 0)
		ok = fail(err, errno, "no memory to save");
	ok = ok && gzip_write(out, text, len, err);
	free(text);
	return ok;
}

/* NAME for the file of FD that has none; see open(2), O_TMPFILE. */
static int
name_file(const struct goal *goal, int fd, const char *name)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return linkat(AT_FDCWD, path, goal->folder, name, AT_SYMLINK_FOLLOW);
}

/* In place of what has the goal's name, if there is any. */
static int
replace(struct goal *goal, int fd)
{
	int result = goal->temporary[0] ? 0 : -1;

	for (unsigned i = 0; result < 0 && i < TRIES; i++) {
		set_temporary(goal, i);
		result = name_file(goal, fd, goal->temporary);
		if (result < 0 && errno != EEXIST)
			return result;
	}
	return result < 0 ? result :
	       renameat(goal->folder, goal->temporary, goal->folder,
			goal->name);
}

/* Unless there is something of the goal's name. */
static int
move_beside(const struct goal *goal, int fd)
{
	int result;

	if (!goal->temporary[0])
		return name_file(goal, fd, goal->name);
	result = renameat2(goal->folder, goal->temporary, goal->folder,
			   goal->name, RENAME_NOREPLACE);
	if (result < 0 && (errno == EINVAL || errno == ENOSYS)) {
		/* A file system without it: a link does not replace. */
		result = linkat(goal->folder, goal->temporary, goal->folder,
				goal->name, 0);
		if (result == 0)
			unlinkat(goal->folder, goal->temporary, 0);
	}
	return result;
}

/* Give the file of FD its name. */
static bool
move_in(struct goal *goal, int fd, bool is_forced, struct error *err)
{
	int result = is_forced ? replace(goal, fd) : move_beside(goal, fd);

	return result == 0 ||
	       fail(err, errno, "cannot save %.150s", goal->path);
}

/* The name must survive a power cut too. */
static void
sync_folder(const struct goal *goal)
{
	int fd = openat(goal->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
}

/* What goes into a file: a profile, or bytes. */
struct content {
	const struct format *format;	/* NULL: bytes */
	bool is_gzip;
	struct profile *profile;
	struct names *names;
	const struct save_options *options;
	const char *bytes;
	size_t len;
};

static bool
write_content(FILE *out, const struct content *c, struct error *err)
{
	if (c->format)
		return write_text(out, c->format, c->is_gzip, c->profile,
				  c->names, c->options, err);
	return fwrite(c->bytes, 1, c->len, out) == c->len ||
	       fail(err, errno, "cannot write");
}

static bool
save_file(const char *path, const struct content *content, bool is_forced,
	  struct error *err)
{
	struct goal goal;
	FILE *out;
	bool ok = false;
	int fd;

	if (!open_goal(path, &goal, err))
		return false;
	if (!is_usable(&goal, is_forced, err))
		goto out;
	fd = open_temporary(&goal, err);
	if (fd < 0)
		goto out;
	out = fdopen(fd, "w");
	if (!out) {
		close(fd);
		fail(err, errno, "cannot save %.150s", path);
		goto remove;
	}
	ok = write_content(out, content, err);
	if (ok && (fflush(out) != 0 || fsync(fd) < 0))
		ok = fail(err, errno, "cannot save %.150s", path);
	ok = ok && move_in(&goal, fd, is_forced, err);
	fclose(out);
remove:
	if (!ok && goal.temporary[0])
		unlinkat(goal.folder, goal.temporary, 0);
	else
		sync_folder(&goal);
out:
	close(goal.folder);
	return ok;
}

bool
save_permitted(const char *path, bool is_forced, struct error *err)
{
	struct goal goal;
	bool ok;

	if (strcmp(path, "-") == 0)
		return true;
	if (!open_goal(path, &goal, err))
		return false;
	ok = is_usable(&goal, is_forced, err) &&
	     (faccessat(goal.folder, ".", W_OK, AT_EACCESS) == 0 ||
	      fail(err, errno, "cannot save %.150s", path));
	close(goal.folder);
	return ok;
}

static const struct format *
format_of_suffix(const char *to, bool *is_gzip)
{
	char name[32];

	snprintf(name, sizeof(name), "x.%s", to + (*to == '.'));
	return format_by_suffix(name, is_gzip);
}

bool
save_knows(const char *to, struct error *err)
{
	bool is_gzip;

	return format_of_suffix(to, &is_gzip) ||
	       fail(err, 0, "\"%.30s\" is no suffix that is written; "
		    SUFFIXES, to);
}

struct save_options
save_as_asked(const struct options *options, const struct profile *profile)
{
	return (struct save_options){
		.write = { .kind = profile_kind(profile),
			   .header = !options->has[OPTION_NO_HEADER],
			   .threads = !options->has[OPTION_NO_THREADS] },
		.is_forced = options->has[OPTION_FORCE],
	};
}

bool
save_profile(const char *path, struct profile *profile, struct names *names,
	     const struct save_options *options, struct error *err)
{
	bool is_gzip = false;
	const struct format *format = options->to ?
		format_of_suffix(options->to, &is_gzip) :
		format_by_suffix(path, &is_gzip);

	signal(SIGXFSZ, SIG_IGN);	/* a file size limit is an error */
	if (!format)
		format = &format_folded;
	if (strcmp(path, "-") != 0)
		return save_file(path, &(struct content){
			.format = format, .is_gzip = is_gzip,
			.profile = profile, .names = names,
			.options = options }, options->is_forced, err);
	return (write_text(stdout, format, is_gzip, profile, names, options,
			   err) && fflush(stdout) == 0) ||
	       (err->text[0] ? false :
			       fail(err, errno, "cannot write the profile"));
}

bool
save_bytes(const char *path, const char *bytes, size_t len, bool is_forced,
	   struct error *err)
{
	signal(SIGXFSZ, SIG_IGN);
	return save_file(path, &(struct content){ .bytes = bytes,
						  .len = len }, is_forced,
			 err);
}

void
save_name(const struct profile *profile, char *out, size_t size)
{
	const char *comm = profile_get(profile, "comm");
	const char *pid = profile_get(profile, "pid");
	time_t now = time(NULL);
	char clock[32], name[64];
	struct tm tm;
	size_t len;

	localtime_r(&now, &tm);
	strftime(clock, sizeof(clock), "%Y%m%d-%H%M%S", &tm);
	snprintf(name, sizeof(name), "%s", comm && *comm ? comm : "profile");
	len = strlen(name);
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)name[i]) &&
		    !strchr("._-", name[i]))
			name[i] = '_';
	if (name[0] == '.' || name[0] == '-')
		name[0] = '_';
	snprintf(out, size, "%s-%.*s-%s.folded", name,
		 (int)strspn(pid ? pid : "", "0123456789"), pid ? pid : "",
		 clock);
}

bool
save_rescue(struct profile *profile, struct names *names, char *path,
	    size_t size, struct error *err)
{
	struct save_options options = {
		.write = { .header = true, .threads = true },
	};
	char name[160];
	size_t len;

	if (!state_folder(path, size, err))
		return false;
	save_name(profile, name, sizeof(name));
	len = strlen(path);
	if (len + strlen(name) + 2 > size)
		return fail(err, ENAMETOOLONG, "no place to save");
	snprintf(path + len, size - len, "/%s", name);
	return save_profile(path, profile, names, &options, err);
}
