/* SPDX-License-Identifier: MIT */
/*
 * sample.c - one sampler on one process, without the rest of the program.
 *
 *	sample [-s perf|ptrace] [-F HZ] [-d SECONDS] [-u auto|fp|cfi|libunwind]
 *	       [-b STACK_BYTES] [-t TID] [-f] [-k] [-j] [-n] [-r] PID | -- CMD [ARG...]
 *
 * Prints folded stacks ("comm/tid;outermost;...;leaf weight", -j joins the
 * threads), then what was counted, as "# key value" lines. Functions of files
 * are named by their own symbol tables, for the tests to have words to look
 * for; names that are not there stay offsets, and all do with -n.
 */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/sanitise.h"
#include "sampler/sampler.h"
#include "tests/oracle/local_rows.h"

#define MAX_MODULES 4096

struct function {
	uint64_t start, end;	/* file offsets */
	char *name;
};

struct file {
	char path[PATH_MAX];
	enum module_kind kind;
	uint64_t dev, inode;
	struct function *functions;
	size_t count, capacity;
};

struct line {
	char *text;
	uint64_t weight;
};

struct tally {
	struct file files[MAX_MODULES];	/* 0 is not used */
	unsigned nfiles;
	struct line *lines;
	size_t count, capacity;
	struct {
		pid_t tid;
		char comm[16];
	} threads[65536];
	size_t nthreads, ended, execs, ends;
	uint64_t samples, weight, lost, throttled, end[UNWIND_END_COUNT];
	uint64_t frames;
	bool joins, is_nameless;
	struct local_rows *rows;
};

/* --- names */

static void
add_symbols(struct file *file, Elf *elf, Elf_Scn *scn, const GElf_Shdr *table)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t nheaders = 0;
	GElf_Phdr segment;
	GElf_Sym symbol;

	elf_getphdrnum(elf, &nheaders);
	for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
		unsigned type = GELF_ST_TYPE(symbol.st_info);

		if (!symbol.st_value || !symbol.st_size ||
		    (type != STT_FUNC && type != STT_GNU_IFUNC))
			continue;
		for (int k = 0; k < (int)nheaders; k++) {
			gelf_getphdr(elf, k, &segment);
			if (segment.p_type != PT_LOAD ||
			    symbol.st_value < segment.p_vaddr ||
			    symbol.st_value >= segment.p_vaddr +
						       segment.p_filesz)
				continue;
			file->functions = grow(file->functions, file->count,
					       &file->capacity,
					       sizeof(*file->functions));
			file->functions[file->count].start =
				symbol.st_value - segment.p_vaddr +
				segment.p_offset;
			file->functions[file->count].end =
				file->functions[file->count].start +
				symbol.st_size;
			file->functions[file->count++].name = xstrdup(
				elf_strptr(elf, table->sh_link,
					   symbol.st_name));
		}
	}
}

static void
read_symbols(struct file *file)
{
	int fd = open(file->path, O_RDONLY | O_CLOEXEC);
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
	Elf_Scn *scn = NULL;
	GElf_Shdr header;

	while (elf && (scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &header) &&
		    (header.sh_type == SHT_SYMTAB ||
		     header.sh_type == SHT_DYNSYM))
			add_symbols(file, elf, scn, &header);
	elf_end(elf);
	if (fd >= 0)
		close(fd);
}

static const char *
name_of(const struct file *file, uint64_t offset)
{
	for (size_t i = 0; i < file->count; i++)
		if (offset >= file->functions[i].start &&
		    offset < file->functions[i].end)
			return file->functions[i].name;
	return NULL;
}

static module_id
on_module(void *ctx, pid_t pid, const struct mapping *mapping)
{
	struct tally *tally = ctx;
	struct file *file;
	unsigned i;

	(void)pid;
	for (i = 1; mapping && i <= tally->nfiles; i++)
		if (!strcmp(tally->files[i].path, mapping->path) &&
		    tally->files[i].dev == mapping->dev &&
		    tally->files[i].inode == mapping->inode &&
		    tally->files[i].kind == mapping->kind)
			return i;
	if (tally->nfiles + 1 >= MAX_MODULES)
		return MAX_MODULES - 1;
	file = &tally->files[++tally->nfiles];
	file->kind = mapping ? mapping->kind : MODULE_KERNEL;
	if (!mapping)
		return tally->nfiles;
	snprintf(file->path, sizeof(file->path), "%s", mapping->path);
	file->dev = mapping->dev;
	file->inode = mapping->inode;
	if (mapping->inode && !tally->is_nameless)
		read_symbols(file);
	return tally->nfiles;
}

/* The table for OFFSET of MODULE, as the program's symbols process makes it. */
static enum rows_state
on_rows(void *ctx, module_id module, uint64_t offset, bool is_full,
	struct rows *out)
{
	struct tally *tally = ctx;
	const struct file *file = &tally->files[module];
	struct mapping mapping = { .path = file->path, .dev = file->dev,
				   .inode = file->inode, .kind = file->kind };
	struct row_source source = local_rows_source(tally->rows);

	return source.find(source.ctx, &mapping, offset, is_full, out);
}

/* All that is asked for is there at once. */
static uint64_t
on_rows_version(void *ctx)
{
	(void)ctx;
	return 1;
}

static void
print_frame(FILE *out, const struct tally *tally, const struct frame *frame)
{
	const struct file *file = &tally->files[frame->module];
	const char *slash = strrchr(file->path, '/'), *name;

	if (!frame->module)
		fprintf(out, ";%s", sample_note_text(frame->offset));
	else if (frame->kind == FRAME_KERNEL)
		fprintf(out, ";kernel+0x%llx_[k]",
			(unsigned long long)frame->offset);
	else if ((name = name_of(file, frame->offset)))
		fprintf(out, ";%s", name);
	else
		fprintf(out, ";%s+0x%llx",
			file->kind == MODULE_JIT ? "[jit]" :
			slash ? slash + 1 : file->path,
			(unsigned long long)frame->offset);
}

/* --- what comes in */

static void
on_thread(void *ctx, pid_t pid, pid_t tid, uint64_t start, const char *comm,
	  bool has_ended)
{
	struct tally *tally = ctx;
	size_t i = tally->nthreads;

	(void)pid, (void)start;
	tally->ended += has_ended;
	while (i > 0 && tally->threads[i - 1].tid != tid)
		i--;
	if (!i && tally->nthreads < ARRAY_LEN(tally->threads)) {
		i = ++tally->nthreads;
		tally->threads[i - 1].tid = tid;
	}
	if (i)
		snprintf(tally->threads[i - 1].comm, 16, "%s", comm);
}

static void
add_line(struct tally *tally, char *text, uint64_t weight)
{
	size_t i;

	for (i = 0; i < tally->count; i++)
		if (!strcmp(tally->lines[i].text, text)) {
			tally->lines[i].weight += weight;
			free(text);
			return;
		}
	tally->lines = grow(tally->lines, tally->count, &tally->capacity,
			    sizeof(*tally->lines));
	tally->lines[tally->count++] = (struct line){ text, weight };
}

static void
on_sample(void *ctx, const struct sample *sample)
{
	struct tally *tally = ctx;
	char *text = NULL;
	size_t len, i;
	FILE *out = open_memstream(&text, &len);

	tally->samples++;
	tally->weight += sample->weight;
	tally->frames += sample->depth;
	tally->end[sample->end]++;
	for (i = tally->nthreads; i > 0; i--)
		if (tally->threads[i - 1].tid == sample->tid)
			break;
	fprintf(out, "%s", i ? tally->threads[i - 1].comm : "?");
	if (!tally->joins)
		fprintf(out, "/%d", (int)sample->tid);
	for (i = sample->depth; i > 0; i--)
		print_frame(out, tally, &sample->frames[i - 1]);
	fclose(out);
	add_line(tally, text, sample->weight);
}

static void
on_lost(void *ctx, uint64_t count)
{
	((struct tally *)ctx)->lost += count;
}

static void
on_throttled(void *ctx, uint64_t count)
{
	((struct tally *)ctx)->throttled += count;
}

static void
on_process(void *ctx, pid_t pid, bool has_execed)
{
	struct tally *tally = ctx;

	(void)pid;
	tally->execs += has_execed;
	tally->ends += !has_execed;
}

/* --- running */

static double
seconds(clockid_t clock)
{
	struct timespec at;

	clock_gettime(clock, &at);
	return (double)at.tv_sec + (double)at.tv_nsec / 1e9;
}

static void
report(const struct tally *tally, const struct sampler_status *status,
       double wall, double cpu)
{
	static const char *const ends[UNWIND_END_COUNT] = {
		"complete", "stitched", "guessed", "cut", "no-rule", "stuck", "deep",
		"waits",
	};

	for (size_t i = 0; i < tally->count; i++)
		printf("%s %llu\n", tally->lines[i].text,
		       (unsigned long long)tally->lines[i].weight);
	printf("# event %s\n", status->event);
	printf("# note %s\n", status->note);
	printf("# kernel %d\n", status->has_kernel);
	printf("# samples %llu\n", (unsigned long long)tally->samples);
	printf("# weight %llu\n", (unsigned long long)tally->weight);
	printf("# frames %llu\n", (unsigned long long)tally->frames);
	for (int i = 0; i < UNWIND_END_COUNT; i++)
		printf("# %s %llu\n", ends[i],
		       (unsigned long long)tally->end[i]);
	printf("# lost %llu\n", (unsigned long long)tally->lost);
	printf("# throttled %llu\n", (unsigned long long)tally->throttled);
	printf("# threads %zu\n# ended %zu\n", tally->nthreads, tally->ended);
	printf("# watched %u\n# of %u\n", status->threads_seen,
	       status->threads_total);
	printf("# execs %zu\n# ends %zu\n", tally->execs, tally->ends);
	printf("# stops %llu\n# restarts %llu\n# skips %llu\n",
	       (unsigned long long)status->stops,
	       (unsigned long long)status->restarts,
	       (unsigned long long)status->skips);
	printf("# stopped-us %llu\n# stop-max-us %llu\n",
	       (unsigned long long)status->stopped_ns / 1000,
	       (unsigned long long)status->stop_max_ns / 1000);
	printf("# wall %.3f\n# cpu %.3f\n", wall, cpu);
}

static bool
run(const struct sampler_ops *ops, struct target *target,
    const struct sampler_config *config, double duration, int go,
    struct tally *tally, struct error *err)
{
	struct sink sink = {
		.ctx = tally,
		.module = on_module,
		.rows = on_rows,
		.rows_version = on_rows_version,
		.thread = on_thread,
		.sample = on_sample,
		.lost = on_lost,
		.throttled = on_throttled,
		.process = on_process,
	};
	void *state = xcalloc(1, ops->state_size);
	struct sampler_status status;
	double begin, cpu;

	if (!ops->start(state, &target, 1, config, &sink, err)) {
		free(state);
		return false;
	}
	if (go >= 0 && write(go, "g", 1) != 1)
		return fail(err, errno, "cannot start the command");
	begin = seconds(CLOCK_MONOTONIC);
	cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
	while (seconds(CLOCK_MONOTONIC) < begin + duration &&
	       ops->run(state, 50, -1))
		;
	ops->status(state, &status);
	ops->stop(state);
	report(tally, &status, seconds(CLOCK_MONOTONIC) - begin,
	       seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu);
	free(state);
	return true;
}

/* A child that waits for one byte before it becomes ARGV. */
static pid_t
hold_command(char **argv, int *go)
{
	int fds[2];
	pid_t pid;
	char byte;

	if (pipe2(fds, O_CLOEXEC) != 0)
		return -1;
	pid = fork();
	if (pid == 0) {
		if (read(fds[0], &byte, 1) == 1)
			execvp(argv[0], argv);
		_exit(127);
	}
	close(fds[0]);
	*go = fds[1];
	return pid;
}

static enum unwind_mode
parse_unwind(const char *word)
{
	return !strcmp(word, "fp")  ? UNWIND_FP :
	       !strcmp(word, "cfi") ? UNWIND_CFI :
	       !strcmp(word, "libunwind") ? UNWIND_LIBUNWIND :
					    UNWIND_AUTO;
}

struct request {
	const struct sampler_ops *ops;
	struct sampler_config config;
	double duration;
	pid_t tid;
};

static bool
parse_options(int argc, char **argv, struct request *r, struct tally *tally)
{
	int option;

	while ((option = getopt(argc, argv, "+s:F:d:u:b:t:fkjnr")) > 0)
		switch (option) {
		case 's':
			if (!strcmp(optarg, "ptrace"))
				r->ops = &sampler_ptrace;
			break;
		case 'F':
			r->config.hz = (unsigned)atoi(optarg);
			break;
		case 'd':
			r->duration = atof(optarg);
			break;
		case 'u':
			r->config.unwind = parse_unwind(optarg);
			break;
		case 'b':
			r->config.stack_bytes = (unsigned)atoi(optarg);
			break;
		case 't':
			r->tid = atoi(optarg);
			r->config.tids = &r->tid;
			r->config.ntids = 1;
			break;
		case 'f':
			r->config.follow = true;
			break;
		case 'k':
			r->config.kernel = false;
			break;
		case 'j':
			tally->joins = true;
			break;
		case 'n':
			tally->is_nameless = true;
			break;
		case 'r':
			r->config.no_restart = true;
			break;
		default:
			return false;
		}
	r->config.hold = optind > 1 && !strcmp(argv[optind - 1], "--");
	return optind < argc;
}

int
main(int argc, char **argv)
{
	struct request request = {
		.ops = &sampler_perf,
		.config = { .hz = 99, .stack_bytes = 16384, .kernel = true },
		.duration = 2,
	};
	struct tally *tally = xcalloc(1, sizeof(*tally));
	struct target *target = NULL;
	struct error err = { 0 };
	int go = -1;
	pid_t pid;
	bool ok;

	tally->rows = local_rows_new(&(struct local_rows_config){ 0 });
	elf_version(EV_CURRENT);
	if (!parse_options(argc, argv, &request, tally))
		return 2;
	pid = request.config.hold ? hold_command(argv + optind, &go) :
				    atoi(argv[optind]);
	ok = target_open(pid, &target, &err) &&
	     run(request.ops, target, &request.config, request.duration, go,
		 tally, &err);
	target_free(target);
	if (!ok)
		fprintf(stderr, "sample: %s\n", err.text);
	return ok ? 0 : err.errnum == EPERM || err.errnum == EACCES ? 3 : 1;
}
