/* SPDX-License-Identifier: MIT */
/*
 * library_types.h - types of the C++ library as people write them.
 *
 *	std::__cxx11::basic_string<char, ...>	std::string
 *	std::vector<int, std::allocator<int> >	std::vector<int>
 *	std::map<int, F, std::less<int>, ...>	std::map<int, F>
 */
#ifndef TUI_LIBRARY_TYPES_H
#define TUI_LIBRARY_TYPES_H

#include <stdbool.h>
#include <stddef.h>

/*
 * NAME into OUT; false when nothing is different or it does not fit into SIZE
 * bytes.
 */
bool library_types_shorten(const char *name, char *out, size_t size);

#endif
