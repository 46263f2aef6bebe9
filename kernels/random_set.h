/* Defines the table kael_random_<set> of one instruction set, whose random.c includes this after
 * defining SET and a vocabulary of vectors of 64-bit lanes:
 *   LANES, LANES_COUNT         the vector type and its length, a divisor of GROUP
 *   l_broadcast(x)             x in every lane
 *   l_from(x)                  x, x + 1, x + 2 ...
 *   l_load(p), l_save(p, a)    LANES_COUNT integers of 64 bits
 *   l_xor(a, b), l_add(a, b)
 *   l_multiply(a, b)           the 64-bit products of the lanes' lower halves
 *   l_upper(a)                 the upper halves
 *   l_store(p, w0, w1, w2, w3) 2 * LANES_COUNT integers of 64 bits made of the lower halves, lane
 *                              after lane: w1 over w0, w3 over w2
 */
#ifndef KAEL_KERNELS_RANDOM_SET_H
#define KAEL_KERNELS_RANDOM_SET_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "kernels/elementary.h"
#include "kernels/half.h"
#include "kernels/normal.h"
#include "kernels/random.h"
#include "kernels/vectorize.h"

#define KAEL_RANDOM_JOIN_(a, b) a##_##b
#define KAEL_RANDOM_JOIN(a, b) KAEL_RANDOM_JOIN_(a, b)

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "words are read from pairs");

/* Blocks that are drawn at a time. */
enum { GROUP = 16 };

/* The words of a group of blocks in their order, and two by two, lower ones first. */
typedef union word_group {
    uint32_t words[4 * GROUP];
    uint64_t pairs[2 * GROUP];
} word_group;

/* Where a group comes from, for elements that are drawn again. */
typedef struct group_origin {
    const kael_philox_stream *stream;
    uint64_t index;
} group_origin;

/* LANES_COUNT blocks from `low` on. What lands in the upper halves of the lanes is never read. */
static KAEL_ALWAYS_INLINE void draw_lanes(uint64_t *pairs, uint64_t key, uint64_t low,
                                          uint32_t high) {
    uint32_t key_0 = (uint32_t)key;
    uint32_t key_1 = (uint32_t)(key >> 32);
    LANES w0 = l_from(low);
    LANES w1 = l_upper(w0);
    LANES w2 = l_broadcast(high);
    LANES w3 = l_broadcast(0);
    for (int round = 0; round < KAEL_PHILOX_ROUNDS; ++round) {
        const LANES product_0 = l_multiply(w0, l_broadcast(KAEL_PHILOX_MULTIPLIER_0));
        const LANES product_1 = l_multiply(w2, l_broadcast(KAEL_PHILOX_MULTIPLIER_1));
        w0 = l_xor(l_upper(product_1), l_xor(w1, l_broadcast(key_0)));
        w1 = product_1;
        w2 = l_xor(l_upper(product_0), l_xor(w3, l_broadcast(key_1)));
        w3 = product_0;
        key_0 += KAEL_PHILOX_KEY_STEP_0;
        key_1 += KAEL_PHILOX_KEY_STEP_1;
    }
    l_store(pairs, w0, w1, w2, w3);
}

static void draw(word_group *group, const group_origin *origin) {
    const kael_philox_stream *stream = origin->stream;
    const uint64_t low = stream->low + origin->index;
    if (low <= UINT64_MAX - GROUP) {
        const uint32_t high = stream->high + (low < origin->index);
        for (int j = 0; j < GROUP; j += LANES_COUNT) {
            draw_lanes(group->pairs + 2 * j, stream->key, low + (uint64_t)j, high);
        }
        return;
    }
    for (int j = 0; j < GROUP; ++j) {
        kael_philox_stream_block(group->words + 4 * j, stream, origin->index + (uint64_t)j, 0);
    }
}

/* The word or the pair in some place of a group, drawn again. */
static uint32_t redraw_word(const group_origin *origin, int place, uint32_t attempt) {
    uint32_t block[KAEL_PHILOX_WORDS];
    kael_philox_stream_block(block, origin->stream, origin->index + (uint64_t)(place / 4), attempt);
    return block[place % 4];
}

static uint64_t redraw_pair(const group_origin *origin, int place, uint32_t attempt) {
    uint32_t block[KAEL_PHILOX_WORDS];
    kael_philox_stream_block(block, origin->stream, origin->index + (uint64_t)(place / 2), attempt);
    const int first = place % 2 * 2;
    return block[first] | (uint64_t)block[first + 1] << 32;
}

/* Defines the kernel `name`, where convert(out, group, origin, parameters) turns a group of blocks
 * into per_block elements each. */
#define DEFINE_FILL(name, type, per_block, parameters_type, convert)                               \
    static void name(const kael_philox_stream *stream, int64_t count, const void *parameters,      \
                     void *out) {                                                                  \
        enum { ELEMENTS = (per_block)*GROUP };                                                     \
        const parameters_type own_parameters = *(const parameters_type *)parameters;               \
        type *elements = out;                                                                      \
        for (int64_t first = 0; first < count; first += ELEMENTS) {                                \
            const group_origin origin = {stream, (uint64_t)(first / (per_block))};                 \
            word_group group;                                                                      \
            draw(&group, &origin);                                                                 \
            const int64_t left = count - first;                                                    \
            type last[ELEMENTS];                                                                   \
            convert(left < ELEMENTS ? last : elements + first, &group, &origin, &own_parameters);  \
            if (left < ELEMENTS) {                                                                 \
                memcpy(elements + first, last, (size_t)left * sizeof *last);                       \
            }                                                                                      \
        }                                                                                          \
    }

#define CONVERSION(name, type, parameters_type)                                                    \
    static KAEL_ALWAYS_INLINE void name(type *restrict out, const word_group *restrict group,      \
                                        const group_origin *origin,                                \
                                        const parameters_type *parameters)

CONVERSION(to_words, uint32_t, char) {
    (void)origin;
    (void)parameters;
    memcpy(out, group->words, sizeof group->words);
}
DEFINE_FILL(words, uint32_t, 4, char, to_words)

static KAEL_ALWAYS_INLINE float same_f32(float value) {
    return value;
}

#define DEFINE_UNIFORM(name, type, bits, encode)                                                   \
    CONVERSION(to_uniform_##name, type, kael_random_uniform_parameters) {                          \
        (void)origin;                                                                              \
        const float low = (float)parameters->low;                                                  \
        const float span = (float)parameters->span;                                                \
        const float largest = (float)parameters->largest;                                          \
        for (int i = 0; i < 4 * GROUP; ++i) {                                                      \
            const int32_t integer = (int32_t)(group->words[i] >> (32 - (bits)));                   \
            const float value = fmaf((float)integer * (1.0f / (1 << (bits))), span, low);          \
            out[i] = encode(value > largest ? largest : value);                                    \
        }                                                                                          \
    }                                                                                              \
    DEFINE_FILL(uniform_##name, type, 4, kael_random_uniform_parameters, to_uniform_##name)
DEFINE_UNIFORM(f16, uint16_t, 11, kael_f32_to_f16)
DEFINE_UNIFORM(bf16, uint16_t, 8, kael_f32_to_bf16)
DEFINE_UNIFORM(f32, float, 24, same_f32)

CONVERSION(to_uniform_f64, double, kael_random_uniform_parameters) {
    (void)origin;
    const double low = parameters->low;
    const double span = parameters->span;
    const double largest = parameters->largest;
    for (int i = 0; i < 2 * GROUP; ++i) {
        const double value = fma(kael_unit_f64(group->pairs[i]), span, low);
        out[i] = value > largest ? largest : value;
    }
}
DEFINE_FILL(uniform_f64, double, 2, kael_random_uniform_parameters, to_uniform_f64)

#define DEFINE_NORMAL(name, type, encode)                                                          \
    CONVERSION(to_normal_##name, type, kael_random_normal_parameters) {                            \
        (void)origin;                                                                              \
        const float mean = (float)parameters->mean;                                                \
        const float std = (float)parameters->std;                                                  \
        for (int i = 0; i < 2 * GROUP; ++i) {                                                      \
            const kael_pair_f32 pair =                                                             \
                kael_normal_pair_f32(group->words[2 * i], group->words[2 * i + 1]);                \
            out[2 * i] = encode(fmaf(pair.first, std, mean));                                      \
            out[2 * i + 1] = encode(fmaf(pair.second, std, mean));                                 \
        }                                                                                          \
    }                                                                                              \
    DEFINE_FILL(normal_##name, type, 4, kael_random_normal_parameters, to_normal_##name)
DEFINE_NORMAL(f16, uint16_t, kael_f32_to_f16)
DEFINE_NORMAL(bf16, uint16_t, kael_f32_to_bf16)
DEFINE_NORMAL(f32, float, same_f32)

CONVERSION(to_normal_f64, double, kael_random_normal_parameters) {
    (void)origin;
    const double mean = parameters->mean;
    const double std = parameters->std;
    for (int i = 0; i < GROUP; ++i) {
        const kael_pair_f64 pair =
            kael_normal_pair_f64(group->pairs[2 * i], group->pairs[2 * i + 1]);
        out[2 * i] = fma(pair.first, std, mean);
        out[2 * i + 1] = fma(pair.second, std, mean);
    }
}
DEFINE_FILL(normal_f64, double, 2, kael_random_normal_parameters, to_normal_f64)

/* Integers, after D. Lemire, "Fast random integer generation in an interval" (2019): the upper half
 * of the product word * range is the integer, and a lower half below 2^bits mod range rejects the
 * word, so that every integer is given by as many words. */

static uint32_t redraw_short_integer(const group_origin *origin, int place, uint32_t range,
                                     uint32_t threshold) {
    uint32_t word;
    uint32_t attempt = 0;
    do {
        word = redraw_word(origin, place, ++attempt);
    } while (word * range < threshold);
    return (uint32_t)((uint64_t)word * range >> 32);
}

/* Bits 32 to 95 of the products of the pairs with a range below 2^32. */
static KAEL_ALWAYS_INLINE void multiply_pairs(uint64_t products[2 * GROUP], const word_group *group,
                                              uint32_t range) {
    const LANES factor = l_broadcast(range);
    for (int i = 0; i < 2 * GROUP; i += LANES_COUNT) {
        const LANES pairs = l_load(group->pairs + i);
        const LANES low = l_upper(l_multiply(pairs, factor));
        l_save(products + i, l_add(l_multiply(l_upper(pairs), factor), low));
    }
}

/* The upper half of the 128-bit product; the lower half is a * b. */
static KAEL_ALWAYS_INLINE uint64_t multiply_upper(uint64_t a, uint64_t b) {
    const uint64_t a_low = (uint32_t)a;
    const uint64_t a_high = a >> 32;
    const uint64_t b_low = (uint32_t)b;
    const uint64_t b_high = b >> 32;
    const uint64_t low_high = a_low * b_high + (a_low * b_low >> 32);
    const uint64_t high_low = a_high * b_low + (uint32_t)low_high;
    return a_high * b_high + (low_high >> 32) + (high_low >> 32);
}

static uint64_t redraw_integer(const group_origin *origin, int place, uint64_t range,
                               uint64_t threshold) {
    uint64_t pair;
    uint32_t attempt = 0;
    do {
        pair = redraw_pair(origin, place, ++attempt);
    } while (pair * range < threshold);
    return multiply_upper(pair, range);
}

#define DEFINE_INTEGERS(type)                                                                      \
    CONVERSION(to_short_integers_##type, type, kael_random_integers_parameters) {                  \
        const type low = (type)parameters->low;                                                    \
        const uint32_t range = (uint32_t)parameters->range;                                        \
        const uint32_t threshold = (0 - range) % range;                                            \
        uint32_t rejected = 0;                                                                     \
        for (int i = 0; i < 4 * GROUP; ++i) {                                                      \
            /* The range is at most 2^16: nothing overflows. */                                    \
            const uint32_t word = group->words[i];                                                 \
            const uint32_t product_low = (word & 0xffff) * range;                                  \
            const uint32_t product_high = (word >> 16) * range;                                    \
            out[i] = (type)(low + ((product_high + (product_low >> 16)) >> 16));                   \
            rejected |= word * range < threshold;                                                  \
        }                                                                                          \
        for (int i = 0; rejected && i < 4 * GROUP; ++i) {                                          \
            if (group->words[i] * range < threshold) {                                             \
                out[i] = (type)(low + redraw_short_integer(origin, i, range, threshold));          \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    DEFINE_FILL(short_integers_##type, type, 4, kael_random_integers_parameters,                   \
                to_short_integers_##type)                                                          \
    CONVERSION(to_integers_##type, type, kael_random_integers_parameters) {                        \
        const type low = (type)parameters->low;                                                    \
        const uint64_t range = parameters->range;                                                  \
        const uint64_t threshold = (0 - range) % range;                                            \
        uint32_t may_reject = 0;                                                                   \
        if (range >> 32 == 0) {                                                                    \
            uint64_t products[2 * GROUP];                                                          \
            multiply_pairs(products, group, (uint32_t)range);                                      \
            for (int i = 0; i < 2 * GROUP; ++i) {                                                  \
                out[i] = (type)(low + (products[i] >> 32));                                        \
                may_reject |= (uint32_t)products[i] == 0;                                          \
            }                                                                                      \
        } else {                                                                                   \
            for (int i = 0; i < 2 * GROUP; ++i) {                                                  \
                out[i] = (type)(low + multiply_upper(group->pairs[i], range));                     \
                may_reject |= group->pairs[i] * range < threshold;                                 \
            }                                                                                      \
        }                                                                                          \
        for (int i = 0; may_reject && i < 2 * GROUP; ++i) {                                        \
            if (group->pairs[i] * range < threshold) {                                             \
                out[i] = (type)(low + redraw_integer(origin, i, range, threshold));                \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    DEFINE_FILL(integers_##type, type, 2, kael_random_integers_parameters, to_integers_##type)
DEFINE_INTEGERS(uint8_t)
DEFINE_INTEGERS(uint16_t)
DEFINE_INTEGERS(uint32_t)
DEFINE_INTEGERS(uint64_t)

/* One when a number of 64 bits is below the threshold. Its lower half, which hardly ever decides,
 * is the word of the second attempt. */
#define DEFINE_BERNOULLI(type)                                                                     \
    CONVERSION(to_bernoulli_##type, type, kael_random_bernoulli_parameters) {                      \
        const type one = (type)parameters->one;                                                    \
        const uint32_t threshold = (uint32_t)parameters->threshold_high;                           \
        uint32_t undecided = 0;                                                                    \
        for (int i = 0; i < 4 * GROUP; ++i) {                                                      \
            out[i] = group->words[i] < threshold ? one : 0;                                        \
            undecided |= group->words[i] == threshold;                                             \
        }                                                                                          \
        for (int i = 0; undecided && i < 4 * GROUP; ++i) {                                         \
            if (group->words[i] == threshold) {                                                    \
                out[i] = redraw_word(origin, i, 1) < parameters->threshold_low ? one : 0;          \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    DEFINE_FILL(bernoulli_##type, type, 4, kael_random_bernoulli_parameters, to_bernoulli_##type)
DEFINE_BERNOULLI(uint8_t)
DEFINE_BERNOULLI(uint16_t)
DEFINE_BERNOULLI(uint32_t)
DEFINE_BERNOULLI(uint64_t)

#define BY_DTYPE(family)                                                                           \
    {                                                                                              \
        [KAEL_DTYPE_F16] = family##_f16, [KAEL_DTYPE_BF16] = family##_bf16,                        \
        [KAEL_DTYPE_F32] = family##_f32, [KAEL_DTYPE_F64] = family##_f64,                          \
    }
#define BY_SIZE(family)                                                                            \
    { family##_uint8_t, family##_uint16_t, family##_uint32_t, family##_uint64_t }

extern const kael_random_kernels KAEL_RANDOM_JOIN(kael_random, SET);
const kael_random_kernels KAEL_RANDOM_JOIN(kael_random, SET) = {
    .words = words,
    .uniform = BY_DTYPE(uniform),
    .normal = BY_DTYPE(normal),
    .short_integers = BY_SIZE(short_integers),
    .integers = BY_SIZE(integers),
    .bernoulli = BY_SIZE(bernoulli),
};

#endif
