/* Usage: cast_check [--all | --quick]
 *
 * Compares the conversions of every instruction set with the oracle: all values of types of 8 and
 * 16 bits; of wider ones the limits of all types, numbers around every power of two and halfway
 * between neighbours of narrower types, and random bits. f32 to f16 and bf16 also over every 4099th
 * bit pattern, with --all over all 2^32 (some ten minutes). Then every length up to some vectors,
 * at every alignment. */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cpu/dispatch.h"
#include "oracle/cast_oracle.h"

enum { BATCH = 4096, DTYPES = KAEL_F64 + 1 };

static int64_t failures;
static int64_t conversions;

static void print_element(kael_dtype dtype, const char *element) {
    printf("0x");
    for (int64_t i = kael_dtype_size(dtype) - 1; i >= 0; --i) {
        printf("%02x", (unsigned)(unsigned char)element[i]);
    }
}

static void report(const kael_kernels *set, kael_dtype to, const void *out, const void *expected,
                   kael_dtype from, const void *in, int64_t index) {
    const int64_t size = kael_dtype_size(to);
    printf("FAILED %s to %s on %s: ", kael_dtype_name(from), kael_dtype_name(to), set->name);
    print_element(from, (const char *)in + index * kael_dtype_size(from));
    printf(" gives ");
    print_element(to, (const char *)out + index * size);
    printf(", not ");
    print_element(to, (const char *)expected + index * size);
    printf("\n");
    ++failures;
}

static void convert(const kael_kernels *set, kael_dtype to, void *out, kael_dtype from,
                    const void *in, int64_t count, bool streams) {
    kael_loop loop = {.inner = count, .outer = 1};
    loop.data[0] = out;
    loop.data[1] = (char *)(uintptr_t)in;
    loop.inner_strides[0] = kael_dtype_size(to);
    loop.inner_strides[1] = kael_dtype_size(from);
    set->copy->convert[to][from](&loop, streams ? &loop : NULL);
    set->copy->finish_streams();
}

/* One batch to one type, on all instruction sets, through the caches and past them. */
static void check_conversion(kael_dtype to, kael_dtype from, const void *in, int64_t count) {
    static uint64_t expected[BATCH];
    static uint64_t out[BATCH];
    cast_array(to, expected, from, in, count);
    const kael_kernels *const *sets = kael_kernels_supported();
    for (int i = 0; sets[i] != NULL; ++i) {
        for (int streams = 0; streams < 2; ++streams) {
            memset(out, 0xa5, sizeof out);
            convert(sets[i], to, out, from, in, count, streams != 0);
            const int64_t index = cast_first_difference(to, out, expected, count);
            if (index >= 0) {
                report(sets[i], to, out, expected, from, in, index);
            }
        }
    }
    conversions += count;
}

/* Collects inputs of one type and checks them in batches. */
typedef struct collector {
    kael_dtype from;
    int64_t count;
    uint64_t inputs[BATCH];
} collector;

static void flush(collector *c) {
    for (int to = 0; to < DTYPES && c->count > 0; ++to) {
        check_conversion((kael_dtype)to, c->from, c->inputs, c->count);
    }
    c->count = 0;
}

static char *next_input(collector *c) {
    if (c->count == BATCH) {
        flush(c);
    }
    return (char *)c->inputs + c->count++ * kael_dtype_size(c->from);
}

static void collect_bits(collector *c, uint64_t bits) {
    char *input = next_input(c);
    const uint8_t byte = (uint8_t)bits;
    const uint16_t half = (uint16_t)bits;
    const uint32_t word = (uint32_t)bits;
    switch (kael_dtype_size(c->from)) {
    case 1:
        memcpy(input, &byte, 1);
        break;
    case 2:
        memcpy(input, &half, 2);
        break;
    case 4:
        memcpy(input, &word, 4);
        break;
    default:
        memcpy(input, &bits, 8);
    }
}

/* The number and its negative, in the collector's type, and their neighbours. */
static void collect_number(collector *c, double number) {
    const double neighbours[] = {number, nextafter(number, 0), nextafter(number, INFINITY)};
    for (int i = 0; i < 3; ++i) {
        const double x = neighbours[i];
        const float near[] = {(float)x, nextafterf((float)x, 0), nextafterf((float)x, INFINITY)};
        for (int sign = -1; sign <= 1; sign += 2) {
            if (c->from == KAEL_F64) {
                const double signed_x = sign * x;
                memcpy(next_input(c), &signed_x, sizeof signed_x);
            } else {
                const float signed_x = (float)sign * near[i];
                memcpy(next_input(c), &signed_x, sizeof signed_x);
            }
        }
    }
}

/* Midpoints between neighbours of f16 and bf16, which are ties, and the numbers beside them. */
static void collect_ties(collector *c, int step) {
    for (uint32_t bits = 0; bits < 0x7f80; bits += (uint32_t)step) {
        const kael_dtype halves[] = {KAEL_F16, KAEL_BF16};
        for (int i = 0; i < 2; ++i) {
            const uint16_t half = (uint16_t)bits;
            const uint16_t next = (uint16_t)(bits + 1);
            const cast_value low = cast_decode(halves[i], &half);
            const cast_value high = cast_decode(halves[i], &next);
            if (!low.is_nan && !isinf(high.magnitude) && !high.is_nan) {
                collect_number(c, (double)(low.magnitude + high.magnitude) / 2);
            }
        }
    }
    collect_number(c, 65520); /* where f16 rounds to infinity */
    collect_number(c, 0x1.ffp127);
}

static uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state * UINT64_C(0x2545F4914F6CDD1D);
}

/* Around every power of two, and every power of two plus half a unit in the last place of a
 * narrower floating point type. */
static void collect_integers(collector *c) {
    const int mantissas[] = {8, 11, 24, 53};
    for (int exponent = 0; exponent < 64; ++exponent) {
        const uint64_t power = UINT64_C(1) << exponent;
        for (int offset = -2; offset <= 2; ++offset) {
            collect_bits(c, power + (uint64_t)offset);
            collect_bits(c, UINT64_C(0) - power + (uint64_t)offset);
        }
        for (int i = 0; i < 4; ++i) {
            if (exponent < mantissas[i]) {
                continue;
            }
            const uint64_t half_unit = power >> mantissas[i];
            for (uint64_t odd = 1; odd <= 3; odd += 2) {
                for (int offset = -1; offset <= 1; ++offset) {
                    const uint64_t bits = power + odd * half_unit + (uint64_t)offset;
                    collect_bits(c, bits);
                    collect_bits(c, UINT64_C(0) - bits);
                }
            }
        }
    }
}

static void collect_floats(collector *c, int step) {
    for (int exponent = -1074; exponent < 1024; ++exponent) {
        collect_number(c, ldexp(1, exponent));
        collect_number(c, ldexp(1.5, exponent));
    }
    for (int i = -300; i <= 300; ++i) {
        collect_number(c, i / 4.0);
    }
    collect_number(c, INFINITY);
    collect_number(c, NAN);
    collect_ties(c, step);
}

static void check_values(kael_dtype from, bool quick) {
    static collector c;
    c.from = from;
    const int64_t size = kael_dtype_size(from);
    const uint64_t all = from == KAEL_BOOL ? 2 : UINT64_C(1) << (8 * size % 64);
    if (size <= 2) {
        for (uint64_t bits = 0; bits < all; ++bits) {
            collect_bits(&c, bits);
        }
    } else {
        if (from >= KAEL_F32) {
            collect_floats(&c, quick ? 37 : 1);
        } else {
            collect_integers(&c);
        }
        uint64_t state = 88172645463325252;
        for (int i = 0; i < (quick ? BATCH : 40 * BATCH); ++i) {
            collect_bits(&c, next_random(&state));
        }
    }
    flush(&c);
}

/* Every step-th f32 to the 16-bit types. */
static void check_f32_to_halves(uint64_t step) {
    static uint32_t inputs[BATCH];
    int64_t count = 0;
    for (uint64_t bits = 0; bits <= UINT32_MAX; bits += step) {
        inputs[count++] = (uint32_t)bits;
        if (count == BATCH || bits + step > UINT32_MAX) {
            check_conversion(KAEL_F16, KAEL_F32, inputs, count);
            check_conversion(KAEL_BF16, KAEL_F32, inputs, count);
            count = 0;
        }
    }
}

/* The same results at every length and alignment, of dense and of repeated inputs, through the
 * caches and past them, and nothing written beside them. */
static void check_lengths(const kael_kernels *set, kael_dtype to, kael_dtype from) {
    enum { LENGTHS = 70, OFFSETS = 9, GUARD = 64 };
    static uint64_t in[LENGTHS + OFFSETS];
    static unsigned char out[GUARD * 2 + (LENGTHS + OFFSETS) * 8];
    uint64_t expected[LENGTHS];
    const int64_t in_size = kael_dtype_size(from);
    const int64_t out_size = kael_dtype_size(to);
    uint64_t state = 42;
    for (int i = 0; i < LENGTHS + OFFSETS; ++i) {
        in[i] = from == KAEL_BOOL ? UINT64_C(0x0001010001000001) : next_random(&state);
    }
    for (int length = 1; length < LENGTHS; ++length) {
        const int offset = length % OFFSETS;
        const char *begin = (const char *)in + offset * in_size;
        unsigned char *target = out + GUARD + (OFFSETS - offset) * out_size;
        for (int way = 0; way < 4; ++way) {
            const bool repeated = way % 2 != 0;
            const bool streams = way / 2 != 0;
            memset(out, 0x5a, sizeof out);
            kael_loop loop = {.inner = length, .outer = 1};
            loop.data[0] = (char *)target;
            loop.data[1] = (char *)(uintptr_t)begin;
            loop.inner_strides[0] = out_size;
            loop.inner_strides[1] = repeated ? 0 : in_size;
            set->copy->convert[to][from](&loop, streams ? &loop : NULL);
            set->copy->finish_streams();
            for (int i = 0; i < length; ++i) {
                cast_array(to, (char *)expected + i * out_size, from,
                           begin + (repeated ? 0 : i * in_size), 1);
            }
            const int64_t index = cast_first_difference(to, target, expected, length);
            if (index >= 0) {
                report(set, to, target, expected, from, begin, repeated ? 0 : index);
            }
            for (int64_t i = 0; i < (int64_t)sizeof out; ++i) {
                const int64_t place = i - (target - out);
                if ((place < 0 || place >= length * out_size) && out[i] != 0x5a) {
                    printf("FAILED %s to %s on %s writes beside the output\n",
                           kael_dtype_name(from), kael_dtype_name(to), set->name);
                    ++failures;
                    return;
                }
            }
        }
    }
}

static void check_all_lengths(void) {
    const kael_kernels *const *sets = kael_kernels_supported();
    for (int i = 0; sets[i] != NULL; ++i) {
        for (int to = 0; to < DTYPES; ++to) {
            for (int from = 0; from < DTYPES; ++from) {
                check_lengths(sets[i], (kael_dtype)to, (kael_dtype)from);
            }
        }
    }
}

int main(int count, char **arguments) {
    const bool all = count == 2 && strcmp(arguments[1], "--all") == 0;
    const bool quick = count == 2 && strcmp(arguments[1], "--quick") == 0;
    if (count > 1 && !all && !quick) {
        fprintf(stderr, "usage: cast_check [--all | --quick]\n");
        return 2;
    }
    for (int from = 0; from < DTYPES; ++from) {
        check_values((kael_dtype)from, quick);
    }
    check_f32_to_halves(all ? 1 : quick ? 1000003 : 4099);
    check_all_lengths();
    printf("%" PRId64 " conversions, %" PRId64 " failures\n", conversions, failures);
    return failures == 0 ? 0 : 1;
}
