/* SPDX-License-Identifier: MIT */
/*
 * jitreuse.c - an address that means one function first and another later.
 *
 *	calls > (made) before, and after SIGUSR1, at the same address,
 *	calls > (made) after
 *
 * The names are in /tmp/perf-PID.map, or with the argument "dump" in a
 * jitdump that is mapped, as JITs do to show where it is.
 */
#include <elf.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "tests/targets/target.h"

/* push %rbp; mov %rsp,%rbp; mov $4000000,%ecx; 1: dec %ecx; jnz 1b; pop; ret */
static const unsigned char loop[] = {
	0x55, 0x48, 0x89, 0xe5, 0xb9, 0x00, 0x09, 0x3d, 0x00,
	0xff, 0xc9, 0x75, 0xfc, 0x5d, 0xc3,
};

static char path[64];
static volatile sig_atomic_t wants_other;

static void
on_signal(int number)
{
	(void)number;
	wants_other = 1;
}

static void
remove_file(void)
{
	unlink(path);
}

static uint64_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void
put32(FILE *out, uint32_t value)
{
	fwrite(&value, sizeof(value), 1, out);
}

static void
put64(FILE *out, uint64_t value)
{
	fwrite(&value, sizeof(value), 1, out);
}

static FILE *
open_dump(void)
{
	FILE *out;

	snprintf(path, sizeof(path), "/tmp/jit-%d.dump", (int)getpid());
	out = fopen(path, "w+");
	if (!out)
		exit(1);
	put32(out, 0x4a695444);
	put32(out, 1);
	put32(out, 40);
	put32(out, EM_X86_64);
	put32(out, 0);
	put32(out, (uint32_t)getpid());
	put64(out, now());
	put64(out, 0);
	fflush(out);
	mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(out), 0);
	return out;
}

static void
say_dump(FILE *out, const unsigned char *at, const char *name)
{
	static uint64_t index;

	put32(out, 0);
	put32(out, (uint32_t)(16 + 40 + strlen(name) + 1 + sizeof(loop)));
	put64(out, now());
	put32(out, (uint32_t)getpid());
	put32(out, (uint32_t)getpid());
	put64(out, (uintptr_t)at);
	put64(out, (uintptr_t)at);
	put64(out, sizeof(loop));
	put64(out, index++);
	fwrite(name, strlen(name) + 1, 1, out);
	fwrite(loop, sizeof(loop), 1, out);
}

FRAME static void
calls(void (*made)(void))
{
	made();
	STAY;
}

int
main(int argc, char **argv)
{
	unsigned char *code = mmap(NULL, 4096,
				   PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int is_dump = argc > 1 && !strcmp(argv[1], "dump");
	time_t end = time(NULL) + 60;
	void (*made)(void);
	FILE *out;

	target_begin();
	signal(SIGUSR1, on_signal);
	memcpy(code, loop, sizeof(loop));
	memcpy(&made, &code, sizeof(made));
	if (is_dump) {
		out = open_dump();
	} else {
		snprintf(path, sizeof(path), "/tmp/perf-%d.map",
			 (int)getpid());
		out = fopen(path, "w");
	}
	atexit(remove_file);
	for (int i = 0; out && i < 2; i++) {
		const char *name = i ? "after" : "before";

		if (is_dump)
			say_dump(out, code, name);
		else
			fprintf(out, "%lx %zx %s\n", (unsigned long)code,
				sizeof(loop), name);
		fflush(out);
		puts(name);
		while (wants_other == i && time(NULL) < end)
			calls(made);
	}
	return 0;
}
