/* SPDX-License-Identifier: MIT */
/*
 * student.h - Student's t: how far off a mean may be that few values tell.
 */
#ifndef CORE_STUDENT_H
#define CORE_STUDENT_H

/*
 * How probable |t| or more is by chance, with DF > 0 degrees of freedom;
 * INFINITY makes it the normal distribution.
 */
double student_both_sides(double t, double df);

/* The t of which P (0 < P < 1) is the probability above. */
double student_limit(double p, double df);

#endif
