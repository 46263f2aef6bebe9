/* Random numbers one by one, from the definitions of include/kael/random.h. */
#ifndef KAEL_TESTS_ORACLE_RANDOM_ORACLE_H
#define KAEL_TESTS_ORACLE_RANDOM_ORACLE_H

#include <stdint.h>

#include "kael/dtype.h"
#include "kael/random.h"

typedef enum random_distribution {
    RANDOM_UNIFORM,   /* [a, b) */
    RANDOM_NORMAL,    /* mean a, standard deviation b */
    RANDOM_INTEGERS,  /* [low, high) */
    RANDOM_BERNOULLI, /* probability a */
    RANDOM_DISTRIBUTIONS
} random_distribution;

typedef struct random_request {
    random_distribution distribution;
    kael_dtype dtype;
    double a;
    double b;
    int64_t low;
    int64_t high;
} random_request;

/* Turns a counter into a block of Philox4x32-10. */
void random_oracle_philox(uint32_t block[4], uint64_t seed);

/* Writes elements first .. first + count - 1 of a call at a position, and returns how many words or
 * pairs were rejected or undecided. */
int64_t random_oracle(const random_request *request, const kael_generator_state *position,
                      int64_t first, int64_t count, void *out);

/* The blocks by which a call of `count` elements moves the generator. */
int64_t random_oracle_blocks(const random_request *request, int64_t count);

void random_oracle_permutation(const kael_generator_state *position, int64_t count, int64_t *out);

#endif
