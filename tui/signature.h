/* SPDX-License-Identifier: MIT */
/*
 * signature.h - the parts of a function's name, in whatever language.
 *
 *	std::map<int, Foo>::find(int const&) const	C++
 *	<T as core::fmt::Debug>::fmt			Rust
 *	net/http.(*conn).serve				Go
 *	java.util.HashMap.put, Foo.<init>		Java
 *	handle /app/server.js:12:3, run (a.py:3)	scripts and a place
 *	py::run:/app/main.py				CPython and a file
 *
 * Brackets are matched as people read them, so that "operator<", "->", and
 * "(a>b)" inside a template open and close nothing.
 */
#ifndef TUI_SIGNATURE_H
#define TUI_SIGNATURE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * NAME without arguments (qualifiers, place and the return type of a template
 * go too) into OUT; with ELLIPSIS, every template's "<...>" as "<ELLIPSIS>".
 * False when it does not fit into SIZE bytes.
 */
bool signature_shorten(const char *name, const char *ellipsis, char *out,
		       size_t size);

/*
 * Where the next part of NAME (a namespace, package or class, at last the
 * function) begins after AT, which is NAME or an answer of before; NULL at
 * the last.
 */
const char *signature_next(const char *name, const char *at);

#endif
