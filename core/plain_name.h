/* SPDX-License-Identifier: MIT */
/*
 * plain_name.h - a function's name without what another build changes.
 *
 *	handle::h0123456789abcdef	handle			Rust's hash
 *	copy.constprop.0  copy.cold.3	copy			parts, copies
 *	copy [clone .isra.0]		copy
 *	{lambda(int)#2}  {closure#3}	{lambda(int)#}  {closure#}
 *	A$$Lambda$12/0x00007f01		A$$Lambda$
 *	GeneratedMethodAccessor17	GeneratedMethodAccessor
 *	libz.so.1+0x1203  0x7f00c0de	libz.so.1+0x...  0x...	no name
 *	py::run:/srv/3/app.py		py::run:app.py		a script's folder
 *	run /srv/3/app.js:7		run app.js:7
 *	a;b				a:b			as in a file
 *
 * and, if asked for, without what templates were made of:
 *
 *	std::map<int, char>::find(int)	std::map<>::find(int)
 *	main.Sum[go.shape.int]		main.Sum[]
 */
#ifndef CORE_PLAIN_NAME_H
#define CORE_PLAIN_NAME_H

#include <stdbool.h>

/* The caller frees. */
char *plain_name(const char *name, bool drops_templates);

#endif
