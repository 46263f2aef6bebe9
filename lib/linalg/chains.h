/* The definition of a matrix product: which steps of the inner size form a chain.
 *
 * An inner size below 512 is one chain over all k. A longer one is cut into equal blocks of at most
 * 2048, a multiple of 8 (the last one shorter); each block has eight chains, chain l over the k of
 * the block that are l, l + 8, l + 16 ... from its start. */
#ifndef KAEL_LINALG_CHAINS_H
#define KAEL_LINALG_CHAINS_H

#include <stdint.h>

#include "core/checked.h"
#include "kernels/gemm.h"

#define KAEL_CHAIN_LANES 8
#define KAEL_SINGLE_CHAIN_LIMIT 512
#define KAEL_LONGEST_BLOCK 2048

/* Steps from one k of a chain to its next, which is also the number of chains of a block. */
static inline int64_t kael_chain_step(int64_t inner) {
    return inner < KAEL_SINGLE_CHAIN_LIMIT ? 1 : KAEL_CHAIN_LANES;
}

/* The k of every block but the last, which has the rest. */
static inline int64_t kael_block_length(int64_t inner) {
    if (inner < KAEL_SINGLE_CHAIN_LIMIT) {
        return inner;
    }
    const int64_t blocks = kael_ceil_div(inner, KAEL_LONGEST_BLOCK);
    return kael_round_up(kael_ceil_div(inner, blocks), KAEL_CHAIN_LANES);
}

/* The chains of a block of `length` steps; divides by constants, which small products notice. */
static inline kael_gemm_chains kael_block_chains(int64_t length, int64_t step) {
    return step == 1 ? (kael_gemm_chains){.count = 1, .length = length, .longer = 0}
                     : (kael_gemm_chains){.count = KAEL_CHAIN_LANES,
                                          .length = length / KAEL_CHAIN_LANES,
                                          .longer = length % KAEL_CHAIN_LANES};
}

/* The chains [first, first + count) of a list. */
static inline kael_gemm_chains kael_some_chains(const kael_gemm_chains *chains, int64_t first,
                                                int64_t count) {
    const int64_t longer = kael_max_i64(0, kael_min_i64(count, chains->longer - first));
    return (kael_gemm_chains){.count = count, .length = chains->length, .longer = longer};
}

/* Steps of the chains before `chain`. */
static inline int64_t kael_steps_before(const kael_gemm_chains *chains, int64_t chain) {
    return chain * chains->length + kael_min_i64(chain, chains->longer);
}

#endif
