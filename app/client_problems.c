/* SPDX-License-Identifier: MIT */
/*
 * client_problems.c - what went wrong with modules, each thing once.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app/client_private.h"

void
client_add_problem(struct client *c, const char *format, ...)
{
	char text[480];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	for (size_t i = 0; i < c->nproblems; i++)
		if (strcmp(c->problems[i], text) == 0)
			return;
	if (c->nproblems < PROBLEMS_MAX)
		c->problems[c->nproblems++] = xstrdup(text);
	else
		snprintf(c->more_problems, sizeof(c->more_problems),
			 "%zu more files had troubles", ++c->nmore);
}

void
client_note_name(struct client *c, const char *name)
{
	c->runs_python |= strcmp(name, "_PyEval_EvalFrameDefault") == 0;
}

/* With trampolines its functions lead through code that no file holds. */
static const char *
python_problem(const struct client *c)
{
	if (!c->runs_python)
		return "";
	for (size_t i = 0; i < c->nmodules; i++)
		if (c->modules[i].kind == MODULE_JIT)
			return "";
	return "Python's functions are not seen, only those of its "
	       "interpreter: 3.12 and later name them with python3 -X perf";
}

const char *
client_problem(const struct client *c, size_t i)
{
	const char *last[] = { c->more_problems, c->jit_problem,
			       python_problem(c) };

	if (i < c->nproblems)
		return c->problems[c->nproblems - 1 - i];
	i -= c->nproblems;
	for (size_t k = 0; k < ARRAY_LEN(last); k++)
		if (*last[k] && i-- == 0)
			return last[k];
	return NULL;
}
