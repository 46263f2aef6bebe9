#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "cpu/dispatch.h"
#include "kael/random.h"
#include "random/generator.h"
#include "tensor/require.h"

#define PAIRS_AT_A_TIME INT64_C(512)

__extension__ typedef unsigned __int128 uint128;

/* The pair `index` of the stream, as drawn for the attempt. */
static uint64_t draw_again(const kael_philox_stream *stream, int64_t index, uint32_t attempt) {
    uint32_t block[KAEL_PHILOX_WORDS];
    kael_philox_stream_block(block, stream, (uint64_t)index / 2, attempt);
    const int64_t first = index % 2 * 2;
    return block[first] | (uint64_t)block[first + 1] << 32;
}

static int64_t integer_below(uint64_t range, uint64_t pair, const kael_philox_stream *stream,
                             int64_t index) {
    uint128 product = (uint128)pair * range;
    if ((uint64_t)product < range) { /* rarely: then find out exactly */
        const uint64_t threshold = (0 - range) % range;
        for (uint32_t attempt = 1; (uint64_t)product < threshold; ++attempt) {
            product = (uint128)draw_again(stream, index, attempt) * range;
        }
    }
    return (int64_t)(product >> 64);
}

static void shuffle(int64_t *elements, int64_t count, const kael_philox_stream *stream,
                    kael_random_fill *fill_words) {
    uint64_t pairs[PAIRS_AT_A_TIME];
    for (int64_t begin = 0; begin < count; begin += PAIRS_AT_A_TIME) {
        const int64_t end = kael_min_i64(begin + PAIRS_AT_A_TIME, count);
        const kael_philox_stream at = kael_philox_stream_after(*stream, (uint64_t)begin / 2);
        fill_words(&at, 2 * (end - begin), "", pairs);
        for (int64_t k = begin; k < end; ++k) {
            const int64_t j = integer_below((uint64_t)k + 1, pairs[k - begin], stream, k);
            elements[k] = elements[j];
            elements[j] = k;
        }
    }
}

kael_status kael_random_permutation(kael_tensor **out, kael_generator *generator, int64_t count) {
    KAEL_TRY(kael_require_out(out));
    KAEL_TRY(kael_require_not_null(generator, "generator"));
    if (count < 0) {
        return kael_error(KAEL_ERROR_VALUE, "count must not be negative, got %" PRId64, count);
    }
    const uint64_t blocks = (uint64_t)kael_ceil_div(count, 2);
    KAEL_TRY(kael_generator_require(generator, blocks));
    const kael_kernels *kernels;
    KAEL_TRY(kael_kernels_in_use(&kernels));
    KAEL_TRY(kael_tensor_empty(out, KAEL_I64, 1, &count));
    shuffle(kael_tensor_data(*out), count, &generator->stream, kernels->random->words);
    generator->stream = kael_philox_stream_after(generator->stream, blocks);
    return KAEL_OK;
}
