/* SPDX-License-Identifier: MIT */
/*
 * deepcpp.cc - two busy threads, thirty C++ frames deep, without frame
 * pointers: through virtual calls, templates and std::function.
 */
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#define KEPT __attribute__((noinline))

namespace {

volatile unsigned sink;

struct node {
	virtual ~node() {}
	virtual unsigned visit(unsigned depth) const = 0;
};

KEPT unsigned
leaf_work(unsigned n)
{
	std::map<std::string, unsigned> m;

	for (unsigned i = 0; i < 8; i++)
		m[std::to_string(i * n)] = i;
	return static_cast<unsigned>(m.begin()->second + m.size());
}

template <int N> struct level : node {
	level<N - 1> next;

	KEPT unsigned visit(unsigned depth) const override
	{
		std::function<unsigned(unsigned)> f = [this](unsigned d) {
			const node &n = next;

			return n.visit(d + 1);
		};

		return f(depth) + N;
	}
};

template <> struct level<0> : node {
	KEPT unsigned visit(unsigned depth) const override
	{
		return leaf_work(depth);
	}
};

void
busy()
{
	level<26> root;
	const node &first = root;

	for (;;)
		sink = sink + first.visit(0);
}

} // namespace

int
main()
{
	std::thread other(busy);

	busy();
	other.join();
}
