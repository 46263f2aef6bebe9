/* Elementary functions of one element, written so that compilers turn a loop over them into vector
 * code: no branches, no tables, no calls. Every lane of every instruction set performs the same
 * IEEE operations, so results do not depend on how a loop is vectorised. How far each is from the
 * exact value at most: tests/kernel/elementary_accuracy.c.
 *
 * The coefficients are minimax polynomials rounded to the type, found with Sollya's fpminimax.
 */
#ifndef KAEL_KERNELS_ELEMENTARY_H
#define KAEL_KERNELS_ELEMENTARY_H

#include "kernels/elementary/erf.h"
#include "kernels/elementary/exp.h"
#include "kernels/elementary/log.h"
#include "kernels/elementary/logistic.h"
#include "kernels/elementary/pow.h"
#include "kernels/elementary/trig.h"

#endif
