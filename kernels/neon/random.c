#include <arm_neon.h>
#include <stdint.h>

#define LANES uint64x2_t
#define LANES_COUNT 2
#define l_broadcast(x) vdupq_n_u64(x)
#define l_from(x) vaddq_u64(l_broadcast(x), vcombine_u64(vcreate_u64(0), vcreate_u64(1)))
#define l_load(p) vld1q_u64(p)
#define l_save(p, a) vst1q_u64(p, a)
#define l_add(a, b) vaddq_u64(a, b)
#define l_xor(a, b) veorq_u64(a, b)
#define l_multiply(a, b) vmull_u32(vmovn_u64(a), vmovn_u64(b))
#define l_upper(a) vshrq_n_u64(a, 32)
#define l_store(p, w0, w1, w2, w3) store_words(p, w0, w1, w2, w3)

static inline uint64x2_t join_lower(uint64x2_t low, uint64x2_t high) {
    return vreinterpretq_u64_u32(
        vtrn1q_u32(vreinterpretq_u32_u64(low), vreinterpretq_u32_u64(high)));
}

static inline void store_words(uint64_t *p, uint64x2_t w0, uint64x2_t w1, uint64x2_t w2,
                               uint64x2_t w3) {
    const uint64x2_t first = join_lower(w0, w1);
    const uint64x2_t second = join_lower(w2, w3);
    vst1q_u64(p, vzip1q_u64(first, second));
    vst1q_u64(p + 2, vzip2q_u64(first, second));
}

#define SET neon
#include "kernels/random_set.h"
