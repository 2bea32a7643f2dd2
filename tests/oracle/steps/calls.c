/* SPDX-License-Identifier: MIT */
/*
 * calls.c - every way to call and to come back that C has, each a few times.
 *
 * To be single-stepped (tests/oracle/step.c), so all of it is short. argv[1]
 * is how often it is done.
 */
#include <alloca.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define KEPT __attribute__((noinline, noclone))

static volatile unsigned sink;
static jmp_buf back;

KEPT static unsigned
fibonacci(unsigned n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

KEPT static int is_odd(unsigned n);

KEPT static int
is_even(unsigned n)
{
	return n == 0 ? 1 : is_odd(n - 1);
}

KEPT static int
is_odd(unsigned n)
{
	return n == 0 ? 0 : is_even(n - 1);
}

/* A jump at -O2, so a caller that is not there. */
KEPT static unsigned
last(unsigned n)
{
	sink = n;
	return n + sink;
}

KEPT static unsigned
passed_on(unsigned n)
{
	return last(n * 3);
}

KEPT static int
by_value(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

KEPT static unsigned
sort_and_search(void)
{
	int numbers[24], key = 7, *found;
	size_t i;

	for (i = 0; i < 24; i++)
		numbers[i] = (int)(i * 37 % 24);
	qsort(numbers, 24, sizeof(int), by_value);
	found = bsearch(&key, numbers, 24, sizeof(int), by_value);
	return found ? (unsigned)*found : 0;
}

KEPT static unsigned
with_alloca(size_t n)
{
	char *room = alloca(n + 1);

	memset(room, 'x', n);
	room[n] = '\0';
	return (unsigned)strlen(room);
}

KEPT static unsigned
aligned(unsigned n)
{
	_Alignas(64) volatile unsigned words[32];

	words[n % 32] = n;
	return words[n % 32] + with_alloca(n) + (words[0] & 0);
}

KEPT static unsigned
sum(int count, ...)
{
	unsigned total = 0;
	va_list list;

	va_start(list, count);
	while (count--)
		total += (unsigned)va_arg(list, int);
	va_end(list);
	return total;
}

KEPT static void
jump_back(int depth)
{
	char room[100];

	memset(room, depth, sizeof(room));
	sink += (unsigned)room[depth];
	if (depth == 0)
		longjmp(back, 1);
	jump_back(depth - 1);
	sink++;
}

struct many {
	double a[6];
	int b;
};

KEPT static struct many
many_of(int n)
{
	struct many many = { .b = n };

	many.a[n % 6] = n / 3.0;
	return many;
}

KEPT static void
call_library(int n)
{
	char text[128], *end, *copy;
	struct timespec now;

	snprintf(text, sizeof(text), "%d %.3f %s", n, n / 7.0, "words");
	sink += (unsigned)strtod(text, &end);
	copy = strdup(end);
	sink += copy && strchr(copy, 'w') != NULL;
	sink += (unsigned)strcmp(text, copy);
	free(copy);
	clock_gettime(CLOCK_MONOTONIC, &now);
	sink += (unsigned)now.tv_nsec;
}

KEPT static void
at_the_end(void)
{
	sink++;
}

int
main(int argc, char **argv)
{
	unsigned (*const table[])(unsigned) = { fibonacci, passed_on, aligned };
	int i, times = argc > 1 ? atoi(argv[1]) : 2;

	atexit(at_the_end);
	for (i = 0; i < times; i++) {
		sink += table[i % 3](9);
		sink += table[(i + 1) % 3](5);
		sink += table[(i + 2) % 3](7);
		sink += (unsigned)is_even(9);
		sink += sort_and_search();
		sink += sum(3, 1, 2, 3) + (unsigned)many_of(i).b;
		if (!setjmp(back))
			jump_back(5);
		call_library(i);
	}
	printf("%u\n", sink);
	return 0;
}
