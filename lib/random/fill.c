#include "random/fill.h"

#include <stddef.h>

#include "core/checked.h"
#include "core/error.h"
#include "kael/parallel.h"
#include "random/generator.h"
#include "tensor/copy.h"
#include "tensor/graph.h"
#include "tensor/overlap.h"
#include "tensor/require.h"
#include "tensor/tensor.h"

/* Random numbers cost a few times what an elementwise operation costs. */
#define BLOCK_GRAIN (KAEL_ELEMENT_GRAIN / 16)

kael_status kael_random_begin(kael_tensor **out, const kael_generator *generator) {
    KAEL_TRY(kael_require_out(out));
    return kael_require_not_null(generator, "generator");
}

kael_status kael_random_begin_into(const kael_tensor *out, const kael_generator *generator) {
    KAEL_TRY(kael_require_not_null(out, "out"));
    return kael_require_not_null(generator, "generator");
}

typedef struct fill_job {
    const kael_random_plan *plan;
    kael_philox_stream stream;
    char *data;
    int64_t numel;
    int64_t element_size;
} fill_job;

static kael_status fill_blocks(int64_t first, int64_t last, void *context) {
    const fill_job *job = context;
    const kael_philox_stream stream = kael_philox_stream_after(job->stream, (uint64_t)first);
    const int64_t begin = first * job->plan->per_block;
    const int64_t end = kael_min_i64(last * job->plan->per_block, job->numel);
    job->plan->fill(&stream, end - begin, &job->plan->parameters,
                    job->data + begin * job->element_size);
    return KAEL_OK;
}

static int64_t block_count(const kael_random_plan *plan, int64_t numel) {
    return kael_ceil_div(numel, plan->per_block);
}

/* Does not move the generator. */
static kael_status fill_contiguous(kael_tensor *out, const kael_generator *generator,
                                   const kael_random_plan *plan) {
    fill_job job = {plan, generator->stream, out->data, out->numel, kael_dtype_size(out->dtype)};
    return kael_parallel_for(0, block_count(plan, out->numel), BLOCK_GRAIN, fill_blocks, &job);
}

static kael_status make(kael_tensor **out, const kael_generator *generator,
                        const kael_random_plan *plan, kael_dtype dtype, int64_t ndim,
                        const int64_t *shape) {
    KAEL_TRY(kael_tensor_empty(out, dtype, ndim, shape));
    kael_status status =
        kael_generator_require(generator, (uint64_t)block_count(plan, (*out)->numel));
    if (status == KAEL_OK) {
        status = fill_contiguous(*out, generator, plan);
    }
    if (status != KAEL_OK) {
        kael_tensor_release(*out);
        *out = NULL;
    }
    return status;
}

static void move_on(kael_generator *generator, const kael_random_plan *plan, int64_t numel) {
    generator->stream =
        kael_philox_stream_after(generator->stream, (uint64_t)block_count(plan, numel));
}

kael_status kael_random_fill_new(kael_tensor **out, kael_generator *generator,
                                 const kael_random_plan *plan, kael_dtype dtype, int64_t ndim,
                                 const int64_t *shape) {
    KAEL_TRY(make(out, generator, plan, dtype, ndim, shape));
    move_on(generator, plan, (*out)->numel);
    return KAEL_OK;
}

static kael_status fill_strided(kael_tensor *out, const kael_generator *generator,
                                const kael_random_plan *plan) {
    kael_tensor *filled;
    KAEL_TRY(make(&filled, generator, plan, out->dtype, out->ndim, out->sizes));
    const kael_status status = kael_copy_elements(out, filled);
    kael_tensor_release(filled);
    return status;
}

kael_status kael_random_fill_into(kael_tensor *out, kael_generator *generator,
                                  const kael_random_plan *plan) {
    KAEL_TRY(kael_tensor_require_distinct_elements(out, "out"));
    KAEL_TRY(kael_generator_require(generator, (uint64_t)block_count(plan, out->numel)));
    KAEL_TRY(kael_graph_begin_write(out, "out", 0, NULL));
    KAEL_TRY(out->is_contiguous ? fill_contiguous(out, generator, plan)
                                : fill_strided(out, generator, plan));
    move_on(generator, plan, out->numel);
    return KAEL_OK;
}
