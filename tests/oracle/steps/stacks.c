/* SPDX-License-Identifier: MIT */
/*
 * stacks.c - frames by turns on the thread's stack and on two others, as in
 * OCaml 5 (stacks.S). argv[1] is how often all is done, argv[2] how long the
 * innermost function works. Expected:
 *
 *	main > enter > on_first > call_c > in_c > enter > again > run >
 *	on_second > call_c > innermost
 */
#include <stdio.h>
#include <stdlib.h>

#define KEPT __attribute__((noinline, noclone))

struct stack {
	char *sp;
	struct stack *parent;
	_Alignas(16) char room[1 << 18];
};

static struct stack first, second;
struct stack *running = &first;
static int rounds = 3;
static volatile int sink;

int enter(int (*function)(int), int n);
int call_c(int (*function)(int), int n);
int run(int (*function)(int), int n, struct stack *stack);

KEPT static int
innermost(int n)
{
	int i, total = 0;

	for (i = 0; i < rounds; i++)
		total += i % (n + 1);
	sink = total;
	return total;
}

KEPT static int
on_second(int n)
{
	return call_c(innermost, n + 1) + innermost(n);
}

KEPT static int
again(int n)
{
	return run(on_second, n + 1, &second) + call_c(innermost, n);
}

KEPT static int
in_c(int n)
{
	return enter(again, n + 1) + innermost(n);
}

KEPT static int
on_first(int n)
{
	return call_c(in_c, n + 1) + innermost(n);
}

int
main(int argc, char **argv)
{
	int i, times = argc > 1 ? atoi(argv[1]) : 3, total = 0;

	if (argc > 2)
		rounds = atoi(argv[2]);
	first.sp = first.room + sizeof(first.room);
	second.sp = second.room + sizeof(second.room);
	for (i = 0; i < times; i++)
		total += enter(on_first, i);
	printf("%d\n", total);
	return 0;
}
