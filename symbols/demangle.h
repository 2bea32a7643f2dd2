/* SPDX-License-Identifier: MIT */
/*
 * demangle.h - names of linkers to names of people.
 *
 *	_ZN3foo3barEi.isra.0			foo::bar(int) [clone .isra.0]
 *	_ZN4core3fmt5write17h0123456789abcdefE	core::fmt::write
 *	_RNvC7mycrate3foo			mycrate::foo
 *	camlStdlib__List__map_345		Stdlib.List.map
 *	_D3app4Grid4stepMFiZv			app.Grid.step
 *
 * C++ (Itanium ABI), Rust (both forms), OCaml and D. A hash that changes with
 * every build is left out, so that two builds can be compared.
 */
#ifndef SYMBOLS_DEMANGLE_H
#define SYMBOLS_DEMANGLE_H

/*
 * Longest name that is tried, and longest result; beyond, it stays as is. The
 * worst names of 4 KiB need 0.9 MiB of stack.
 */
#define DEMANGLE_IN_MAX	 4096
#define DEMANGLE_OUT_MAX 32768

/* The readable form, which the caller frees; NULL: NAME is its own. */
char *demangle(const char *name);

#endif
