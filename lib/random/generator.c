#include "random/generator.h"

#include <inttypes.h>
#include <stddef.h>

#include "core/error.h"
#include "memory/block.h"
#include "tensor/require.h"

static kael_status create(kael_generator **out, kael_philox_stream stream) {
    kael_block block;
    KAEL_TRY(kael_block_allocate(&block, sizeof(kael_generator)));
    kael_generator *generator = block.data;
    generator->stream = stream;
    generator->capacity = block.capacity;
    *out = generator;
    return KAEL_OK;
}

static kael_philox_stream start_of(uint64_t seed) {
    return (kael_philox_stream){.key = seed};
}

kael_status kael_generator_create(kael_generator **out, uint64_t seed) {
    KAEL_TRY(kael_require_not_null(out, "out"));
    *out = NULL;
    return create(out, start_of(seed));
}

void kael_generator_release(kael_generator *generator) {
    if (generator != NULL) {
        kael_block block = {generator, generator->capacity};
        kael_block_release(&block);
    }
}

kael_status kael_generator_copy(kael_generator **out, const kael_generator *generator) {
    KAEL_TRY(kael_require_not_null(out, "out"));
    *out = NULL;
    KAEL_TRY(kael_require_not_null(generator, "generator"));
    return create(out, generator->stream);
}

kael_status kael_generator_seed(kael_generator *generator, uint64_t seed) {
    KAEL_TRY(kael_require_not_null(generator, "generator"));
    generator->stream = start_of(seed);
    return KAEL_OK;
}

/* Moving onto the end itself would need one bit more. */
kael_status kael_generator_require(const kael_generator *generator, uint64_t blocks) {
    const kael_philox_stream *stream = &generator->stream;
    if (stream->high == UINT32_MAX && blocks > UINT64_MAX - stream->low) {
        return kael_error(KAEL_ERROR_VALUE,
                          "generator has %" PRIu64 " blocks left, %" PRIu64 " are needed",
                          UINT64_MAX - stream->low, blocks);
    }
    return KAEL_OK;
}

kael_philox_stream kael_philox_stream_after(kael_philox_stream stream, uint64_t blocks) {
    stream.low += blocks;
    stream.high += stream.low < blocks;
    return stream;
}

kael_status kael_generator_skip(kael_generator *generator, uint64_t blocks) {
    KAEL_TRY(kael_require_not_null(generator, "generator"));
    KAEL_TRY(kael_generator_require(generator, blocks));
    generator->stream = kael_philox_stream_after(generator->stream, blocks);
    return KAEL_OK;
}

kael_status kael_generator_get_state(kael_generator_state *state, const kael_generator *generator) {
    KAEL_TRY(kael_require_not_null(state, "state"));
    KAEL_TRY(kael_require_not_null(generator, "generator"));
    const kael_philox_stream *stream = &generator->stream;
    *state = (kael_generator_state){stream->key, stream->low, stream->high};
    return KAEL_OK;
}

kael_status kael_generator_set_state(kael_generator *generator, const kael_generator_state *state) {
    KAEL_TRY(kael_require_not_null(generator, "generator"));
    KAEL_TRY(kael_require_not_null(state, "state"));
    if (state->position_high > UINT32_MAX) {
        return kael_error(KAEL_ERROR_VALUE, "position_high must be below 2^32, got %" PRIu64,
                          state->position_high);
    }
    generator->stream =
        (kael_philox_stream){state->seed, state->position_low, (uint32_t)state->position_high};
    return KAEL_OK;
}
