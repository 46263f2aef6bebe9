/* Generators as the other files of this folder see them. */
#ifndef KAEL_RANDOM_GENERATOR_H
#define KAEL_RANDOM_GENERATOR_H

#include <stdint.h>

#include "kael/random.h"
#include "kernels/philox.h"

struct kael_generator {
    kael_philox_stream stream; /* at the position */
    int64_t capacity;          /* of the struct's block */
};

/* VALUE unless the stream has so many blocks left. */
KAEL_NODISCARD kael_status kael_generator_require(const kael_generator *generator, uint64_t blocks);

/* The stream `blocks` further on, where it has so many. */
kael_philox_stream kael_philox_stream_after(kael_philox_stream stream, uint64_t blocks);

#endif
