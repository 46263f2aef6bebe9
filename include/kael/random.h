/* Random tensors from explicit generators: the same elements for any number of threads, any
 * instruction set and any layout.
 *
 * A generator is a seed and a position in the seed's stream of blocks of 128 random bits. Block n
 * of seed s is what Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011) makes of the counter n with the
 * key s: four words w0, w1, w2, w3 of 32 bits. A stream has 2^96 blocks, of which
 * the last is never drawn. Different seeds have
 * unrelated streams.
 *
 * A call fills a tensor in row-major order from the generator's position on. Each element takes one
 * word of a block, four elements to a block, or a pair of words (the integer w0 + 2^32 w1 or
 * w2 + 2^32 w3), two to a block; so element i depends on the seed, the position and i alone. Then
 * the generator moves behind the last block that was used, even in part, and no two calls share
 * one. A call that fails leaves the generator where it was.
 *
 * `_into` forms fill an existing tensor of any layout whose elements are distinct.
 *
 * Errors of all: VALUE for NULL, for parameters outside of what a function says, for an `out` that
 * repeats elements, and when the stream ends before the tensor is filled; DTYPE; SHAPE as
 * kael_tensor_empty; MEMORY. On an error *out is NULL, and a tensor that was to be filled has not
 * changed. */
#ifndef KAEL_RANDOM_H
#define KAEL_RANDOM_H

#include <stdint.h>

#include "kael/dtype.h"
#include "kael/macros.h"
#include "kael/status.h"
#include "kael/tensor.h"

KAEL_BEGIN_DECLS

/* One thread at a time may use a generator; threads that draw at once take one each, of different
 * seeds or apart by kael_generator_skip. */
typedef struct kael_generator kael_generator;

/* All that a generator is, for saving it. `position_high` has 32 bits. */
typedef struct kael_generator_state {
    uint64_t seed;
    uint64_t position_low;
    uint64_t position_high;
} kael_generator_state;

/* A generator at position 0 of a seed's stream. On an error *out is NULL. */
KAEL_API KAEL_NODISCARD kael_status kael_generator_create(kael_generator **out, uint64_t seed);

/* NULL is fine. */
KAEL_API void kael_generator_release(kael_generator *generator);

/* Another generator, independent of the first, that gives what the first would give. */
KAEL_API KAEL_NODISCARD kael_status kael_generator_copy(kael_generator **out,
                                                        const kael_generator *generator);

/* Goes to position 0 of another seed's stream. */
KAEL_API KAEL_NODISCARD kael_status kael_generator_seed(kael_generator *generator, uint64_t seed);

/* Passes over blocks. VALUE if the stream does not have so many left. */
KAEL_API KAEL_NODISCARD kael_status kael_generator_skip(kael_generator *generator, uint64_t blocks);

KAEL_API KAEL_NODISCARD kael_status kael_generator_get_state(kael_generator_state *state,
                                                             const kael_generator *generator);
KAEL_API KAEL_NODISCARD kael_status kael_generator_set_state(kael_generator *generator,
                                                             const kael_generator_state *state);

/* Floating point numbers of [low, high):
 *   u     = k / 2^p, k the upper p bits of a word, or in f64 of a pair; p is the precision of the
 *           dtype: 8 in bf16, 11 in f16, 24 in f32, 53 in f64
 *   value = fma(u, high - low, low), in f32 for f16 and bf16, and rounded to the dtype
 * and the largest number below high where that rounds to high or beyond. low and high are rounded
 * to the dtype first; they must then be finite, low < high, and high - low finite in f32 or f64. */
KAEL_API KAEL_NODISCARD kael_status kael_random_uniform(kael_tensor **out,
                                                        kael_generator *generator, kael_dtype dtype,
                                                        int64_t ndim, const int64_t *shape,
                                                        double low, double high);
KAEL_API KAEL_NODISCARD kael_status kael_random_uniform_into(kael_tensor *out,
                                                             kael_generator *generator, double low,
                                                             double high);

/* Normally distributed floating point numbers. Two neighbouring elements of a block are
 * fma(r cos a, std, mean) and fma(r sin a, std, mean), where r = sqrt(-2 log u) for a u in (0, 1]
 * from the first one's word or pair, and a is the second one's as a fraction of a turn
 * (kernels/normal.h). f16 and bf16 are computed in f32. The largest |r| is 6.7, in f64 8.7. mean
 * and std are rounded to f32, or f64; they must be finite, and std >= 0. */
KAEL_API KAEL_NODISCARD kael_status kael_random_normal(kael_tensor **out, kael_generator *generator,
                                                       kael_dtype dtype, int64_t ndim,
                                                       const int64_t *shape, double mean,
                                                       double std);
KAEL_API KAEL_NODISCARD kael_status kael_random_normal_into(kael_tensor *out,
                                                            kael_generator *generator, double mean,
                                                            double std);

/* Integers of [low, high), each as likely as the others, in any integer dtype that holds them all.
 * With range = high - low, an element takes a word if range <= 2^16, else a pair: a number x of b
 * bits. The element is low + floor(x range / 2^b), unless x range mod 2^b < 2^b mod range; then x
 * is rejected and replaced by the number in the same place of the block (n, 1), then (n, 2) and so
 * on, where (n, k) is what Philox makes of the counter n + 2^96 k (D. Lemire 2019). */
KAEL_API KAEL_NODISCARD kael_status kael_random_integers(kael_tensor **out,
                                                         kael_generator *generator,
                                                         kael_dtype dtype, int64_t ndim,
                                                         const int64_t *shape, int64_t low,
                                                         int64_t high);
KAEL_API KAEL_NODISCARD kael_status kael_random_integers_into(kael_tensor *out,
                                                              kael_generator *generator,
                                                              int64_t low, int64_t high);

/* One with the given probability, else zero, in any dtype: one where a random integer of 64 bits is
 * below probability * 2^64, rounded. Its upper half is a word; the lower one matters where the
 * upper halves are equal and is then the word in the same place of the block (n, 1).
 * 0 <= probability <= 1. */
KAEL_API KAEL_NODISCARD kael_status kael_random_bernoulli(kael_tensor **out,
                                                          kael_generator *generator,
                                                          kael_dtype dtype, int64_t ndim,
                                                          const int64_t *shape, double probability);
KAEL_API KAEL_NODISCARD kael_status kael_random_bernoulli_into(kael_tensor *out,
                                                               kael_generator *generator,
                                                               double probability);

/* The integers 0 .. count - 1 in random order, i64, each order as likely as the others: in
 * [0, 1, 2 ...], for k = 1 .. count - 1, element k changes places with element j of 0 .. k, where j
 * is an integer of [0, k + 1) from pair k of the call, by the rule of kael_random_integers (with
 * pairs for any range). count >= 0. */
KAEL_API KAEL_NODISCARD kael_status kael_random_permutation(kael_tensor **out,
                                                            kael_generator *generator,
                                                            int64_t count);

KAEL_END_DECLS

#endif
