#include "random_oracle.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "kernels/half.h"
#include "kernels/normal.h"

__extension__ typedef unsigned __int128 uint128;

void random_oracle_philox(uint32_t block[4], uint64_t seed) {
    uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    for (int round = 0; round < 10; ++round) {
        const uint64_t a = (uint64_t)0xD2511F53 * block[0];
        const uint64_t b = (uint64_t)0xCD9E8D57 * block[2];
        const uint32_t next[4] = {
            (uint32_t)(b >> 32) ^ block[1] ^ key[0],
            (uint32_t)b,
            (uint32_t)(a >> 32) ^ block[3] ^ key[1],
            (uint32_t)a,
        };
        memcpy(block, next, sizeof next);
        key[0] += 0x9E3779B9;
        key[1] += 0xBB67AE85;
    }
}

/* A word of the block (position + index, attempt). */
static uint32_t word_at(const kael_generator_state *position, int64_t index, uint32_t attempt) {
    const uint128 start = (uint128)position->position_high << 64 | position->position_low;
    const uint128 counter = start + (uint64_t)index / 4;
    uint32_t block[4] = {(uint32_t)counter, (uint32_t)(counter >> 32), (uint32_t)(counter >> 64),
                         attempt};
    random_oracle_philox(block, position->seed);
    return block[index % 4];
}

static uint64_t pair_at(const kael_generator_state *position, int64_t index, uint32_t attempt) {
    return word_at(position, 2 * index, attempt) |
           (uint64_t)word_at(position, 2 * index + 1, attempt) << 32;
}

static bool takes_pairs(const random_request *r) {
    return r->distribution == RANDOM_INTEGERS    ? (uint64_t)r->high - (uint64_t)r->low > 65536
           : r->distribution == RANDOM_BERNOULLI ? false
                                                 : r->dtype == KAEL_F64;
}

int64_t random_oracle_blocks(const random_request *r, int64_t count) {
    const int64_t per_block = takes_pairs(r) ? 2 : 4;
    return (count + per_block - 1) / per_block;
}

static double uniform(const random_request *r, const kael_generator_state *position,
                      int64_t index) {
    if (r->dtype == KAEL_F64) {
        const double u = (double)(pair_at(position, index, 0) >> 11) * 0x1p-53;
        const double value = fma(u, r->b - r->a, r->a);
        return value < r->b ? value : nextafter(r->b, -INFINITY);
    }
    const uint32_t word = word_at(position, index, 0);
    if (r->dtype == KAEL_F32) {
        const float low = (float)r->a;
        const float high = (float)r->b;
        const float value = fmaf((float)(word >> 8) * 0x1p-24f, high - low, low);
        return (double)(value < high ? value : nextafterf(high, -INFINITY));
    }
    const bool f16 = r->dtype == KAEL_F16;
    float bounds[2];
    for (int i = 0; i < 2; ++i) {
        const double bound = i == 0 ? r->a : r->b;
        bounds[i] = f16 ? kael_f16_to_f32(kael_f64_to_f16(bound))
                        : kael_bf16_to_f32(kael_f64_to_bf16(bound));
    }
    const float u = (float)(word >> (f16 ? 21 : 24)) * (f16 ? 0x1p-11f : 0x1p-8f);
    const float value = fmaf(u, bounds[1] - bounds[0], bounds[0]);
    float rounded =
        f16 ? kael_f16_to_f32(kael_f32_to_f16(value)) : kael_bf16_to_f32(kael_f32_to_bf16(value));
    if (!(rounded < bounds[1])) {
        /* Down in steps that are sure to meet the number below. */
        float lower = bounds[1];
        do {
            lower = nextafterf(lower, -INFINITY);
            rounded = f16 ? kael_f16_to_f32(kael_f32_to_f16(lower))
                          : kael_bf16_to_f32(kael_f32_to_bf16(lower));
        } while (!(rounded < bounds[1]));
    }
    return (double)rounded;
}

static double normal(const random_request *r, const kael_generator_state *position, int64_t index) {
    const int64_t first = index - index % 2;
    if (r->dtype == KAEL_F64) {
        const kael_pair_f64 pair =
            kael_normal_pair_f64(pair_at(position, first, 0), pair_at(position, first + 1, 0));
        return fma(index % 2 == 0 ? pair.first : pair.second, r->b, r->a);
    }
    const kael_pair_f32 pair =
        kael_normal_pair_f32(word_at(position, first, 0), word_at(position, first + 1, 0));
    return (double)fmaf(index % 2 == 0 ? pair.first : pair.second, (float)r->b, (float)r->a);
}

/* x range, and whether its lower bits reject x. */
static bool rejects(uint64_t *offset, uint64_t x, uint64_t range, bool pairs) {
    const uint128 end = pairs ? (uint128)1 << 64 : (uint128)1 << 32;
    const uint128 product = (uint128)x * range;
    *offset = (uint64_t)(product / end);
    return product % end < end % range;
}

static uint64_t integer_offset(const kael_generator_state *position, int64_t index, uint64_t range,
                               bool pairs, int64_t *rejected) {
    uint64_t offset;
    uint32_t attempt = 0;
    while (rejects(&offset,
                   pairs ? pair_at(position, index, attempt) : word_at(position, index, attempt),
                   range, pairs)) {
        ++attempt;
        ++*rejected;
    }
    return offset;
}

static bool bernoulli(const random_request *r, const kael_generator_state *position, int64_t index,
                      int64_t *undecided) {
    const uint128 threshold = r->a == 1 ? (uint128)1 << 64 : (uint128)(uint64_t)rint(r->a * 0x1p64);
    const uint32_t high = word_at(position, index, 0);
    *undecided += (threshold >> 32) == high;
    const uint32_t low = word_at(position, index, 1);
    return ((uint128)high << 32 | low) < threshold;
}

static void store(const random_request *r, char *out, double value, uint64_t integer) {
    const float single = (float)value;
    uint16_t half;
    switch (r->dtype) {
    case KAEL_F64:
        memcpy(out, &value, sizeof value);
        break;
    case KAEL_F32:
        memcpy(out, &single, sizeof single);
        break;
    case KAEL_F16:
        half = kael_f32_to_f16(single);
        memcpy(out, &half, sizeof half);
        break;
    case KAEL_BF16:
        half = kael_f32_to_bf16(single);
        memcpy(out, &half, sizeof half);
        break;
    default:
        memcpy(out, &integer, (size_t)kael_dtype_size(r->dtype)); /* lower bytes come first */
    }
}

int64_t random_oracle(const random_request *r, const kael_generator_state *position, int64_t first,
                      int64_t count, void *out) {
    int64_t redrawn = 0;
    for (int64_t i = first; i < first + count; ++i) {
        double value = 0;
        uint64_t integer = 0;
        switch (r->distribution) {
        case RANDOM_UNIFORM:
            value = uniform(r, position, i);
            break;
        case RANDOM_NORMAL:
            value = normal(r, position, i);
            break;
        case RANDOM_INTEGERS:
            integer =
                (uint64_t)r->low + integer_offset(position, i, (uint64_t)r->high - (uint64_t)r->low,
                                                  takes_pairs(r), &redrawn);
            break;
        default:
            integer = bernoulli(r, position, i, &redrawn);
            value = (double)integer;
        }
        store(r, (char *)out + (i - first) * kael_dtype_size(r->dtype), value, integer);
    }
    return redrawn;
}

void random_oracle_permutation(const kael_generator_state *position, int64_t count, int64_t *out) {
    int64_t rejected = 0;
    for (int64_t k = 0; k < count; ++k) {
        out[k] = k;
    }
    for (int64_t k = 1; k < count; ++k) {
        const int64_t j = (int64_t)integer_offset(position, k, (uint64_t)k + 1, true, &rejected);
        const int64_t element = out[k];
        out[k] = out[j];
        out[j] = element;
    }
}
