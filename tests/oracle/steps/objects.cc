/* SPDX-License-Identifier: MIT */
/*
 * objects.cc - C++: virtual calls, templates, streams, exceptions.
 *
 * argv[1] is how often all is done, argv[2] how seldom it throws: once in so
 * many times.
 */
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#define KEPT __attribute__((noinline))

namespace {

volatile int sink;

struct shape {
	virtual ~shape() {}
	virtual int area(int n) const = 0;
};

struct square : shape {
	KEPT int area(int n) const override { return n * n; }
};

struct circle : shape {
	KEPT int area(int n) const override { return n * n * 3; }
};

KEPT int
deep(int n)
{
	std::string held = std::to_string(n) + " is kept until it is left";

	if (n == 0)
		throw std::runtime_error(held);
	return deep(n - 1) + static_cast<int>(held.size());
}

KEPT int
caught(int n)
{
	try {
		return deep(n);
	} catch (const std::exception &e) {
		return e.what()[0];
	}
}

KEPT int
sorted(int n)
{
	std::vector<int> v;

	for (int i = 0; i < n; i++)
		v.push_back(i * 37 % n);
	std::sort(v.begin(), v.end(), [](int a, int b) { return a > b; });
	return v.front();
}

KEPT int
mapped(int n)
{
	std::map<std::string, int> m;
	std::function<int(int)> twice = [](int i) { return 2 * i; };

	for (int i = 0; i < n; i++)
		m[std::to_string(i * 7 % n)] = twice(i);
	return m.begin()->second;
}

} // namespace

int
main(int argc, char **argv)
{
	int times = argc > 1 ? std::atoi(argv[1]) : 1;
	int seldom = argc > 2 ? std::atoi(argv[2]) : 256;
	std::ostringstream out;

	for (int i = 0; i < times; i++) {
		std::unique_ptr<shape> s;

		if (i % 2)
			s.reset(new square);
		else
			s.reset(new circle);
		sink = s->area(i) + sorted(20) + mapped(6);
		if (i % seldom == 0)
			sink = sink + caught(3);
		out << sink << ' ' << 1.5 * sink << '\n';
	}
	std::cout << out.str();
	return 0;
}
