/* SPDX-License-Identifier: MIT */
/*
 * student.c - by the incomplete beta function.
 *
 * P(|t| or more) is I(df / (df + t^2); df/2, 1/2). The function is summed as
 * its continued fraction (Abramowitz and Stegun 26.5.8) by Lentz's method,
 * which takes some ten terms where it converges well: below (a+1)/(a+b+2);
 * above that it is one minus the mirrored function.
 */
#include "core/student.h"

#include <math.h>

#define TERMS_MAX 300
#define EXACT 1e-14
#define TINY 1e-300		/* in place of a zero that is divided by */
#define NORMAL 1e7		/* so many degrees of freedom are endless */

static double
not_zero(double x)
{
	return fabs(x) < TINY ? TINY : x;
}

/* The Nth coefficient of the fraction, from 1. */
static double
coefficient(int n, double a, double b, double x)
{
	int m = n / 2;

	if (n % 2)
		return -(a + m) * (a + b + m) * x /
		       ((a + 2 * m) * (a + 2 * m + 1));
	return m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
}

static double
fraction(double a, double b, double x)
{
	double c = 1, d = 0, value = 1;

	for (int n = 1; n <= TERMS_MAX; n++) {
		double k = coefficient(n, a, b, x), factor;

		d = 1 / not_zero(1 + k * d);
		c = not_zero(1 + k / c);
		factor = c * d;
		value *= factor;
		if (fabs(factor - 1) < EXACT)
			break;
	}
	return value;
}

/* lgamma() leaves a sign in a global; its like with a place for it does not. */
static double
log_gamma(double x)
{
	int sign;

	return lgamma_r(x, &sign);
}

static double
incomplete_beta(double a, double b, double x)
{
	double front;

	if (x <= 0 || x >= 1)
		return x <= 0 ? 0 : 1;
	front = exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) +
		    a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front / a / fraction(a, b, x);
	return 1 - front / b / fraction(b, a, 1 - x);
}

double
student_both_sides(double t, double df)
{
	if (isinf(t))
		return 0;
	if (df > NORMAL)
		return erfc(fabs(t) / sqrt(2));
	return incomplete_beta(df / 2, 0.5, df / (df + t * t));
}

double
student_limit(double p, double df)
{
	double low = 0, high = 1;

	while (student_both_sides(high, df) > p && high < 1e150)
		high *= 2;
	for (int i = 0; i < 100 && high - low > 1e-12 * high; i++) {
		double middle = low + (high - low) / 2;

		if (student_both_sides(middle, df) > p)
			low = middle;
		else
			high = middle;
	}
	return high;
}
