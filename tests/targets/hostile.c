/* SPDX-License-Identifier: MIT */
/*
 * hostile.c - threads and generated code with names that are no good for a
 * terminal: control sequences, C1, bidi, newlines, semicolons, bytes that are
 * no UTF-8, 64 KiB. The test calls the program itself by such a name too.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include "tests/targets/target.h"

#define PAGE 4096
#define LONG_NAME 65600

static const char *const names[] = {
	"\033]0;PWN\007x", "\033[31mRED\033[2J", "\x9b" "31mC1",
	"\xe2\x80\xae" "bidi", "new\nline;semi ", "\xff\xfe\x80" "bad",
	"\xc2\x9b" "2JC1u", "a;b 12", "\033P+q\033\\", "\r\b\b\bcr",
	"_[k]", "\xef\xbb\xbf" "bom", "a 5\n# x=1",
};

enum { COUNT = sizeof(names) / sizeof(names[0]) };

static void *
work(void *code)
{
	size_t i = *(size_t *)code / PAGE;

	prctl(PR_SET_NAME, names[i % COUNT]);
	for (;;)
		((void (*)(void))((char *)code + sizeof(size_t)))();
	return NULL;
}

/* A page of code that spins, behind its own offset. */
static void
put_code(char *at, size_t offset)
{
	static const unsigned char spin_code[] = {
		0x55, 0x48, 0x89, 0xe5,		/* push %rbp; mov %rsp,%rbp */
		0xb9, 0, 0, 0x40, 0,		/* mov $0x400000,%ecx */
		0xff, 0xc9, 0x75, 0xfc,		/* 1: dec %ecx; jnz 1b */
		0x5d, 0xc3,			/* pop %rbp; ret */
	};

	memcpy(at, &offset, sizeof(offset));
	memcpy(at + sizeof(offset), spin_code, sizeof(spin_code));
}

int
main(void)
{
	size_t size = (COUNT + 1) * PAGE;
	char path[64], *code;
	pthread_t thread;
	FILE *map;

	target_begin();
	code = mmap(NULL, size, PROT_READ | PROT_WRITE | PROT_EXEC,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	map = fopen(path, "w");
	if (code == MAP_FAILED || !map)
		return 1;
	for (size_t i = 0; i <= COUNT; i++) {
		put_code(code + i * PAGE, i * PAGE);
		fprintf(map, "%lx %x ", (long)(code + i * PAGE), PAGE);
		for (size_t k = 0; i == COUNT && k < LONG_NAME; k++)
			fputc("A\033\x9b;"[k & 3], map);
		fprintf(map, "jit_%s_end\n", names[i % COUNT]);
	}
	fclose(map);
	prctl(PR_SET_NAME, names[0]);
	for (size_t i = 0; i <= COUNT; i++)
		pthread_create(&thread, NULL, work, code + i * PAGE);
	puts("ready");
	pause();
	return 0;
}
