#include "ops/execute.h"

#include <stdalign.h>
#include <stddef.h>

#include "core/checked.h"
#include "core/error.h"
#include "cpu/cache.h"
#include "cpu/dispatch.h"
#include "kael/parallel.h"
#include "kernels/copy.h"
#include "tensor/copy.h"
#include "tensor/iterator.h"
#include "tensor/tensor.h"

/* Elements of an operand that are converted at a time: those of all operands stay in the first
 * cache. */
enum { BLOCK = 1024, LARGEST_ELEMENT = 8, OPERANDS = KAEL_MAX_INPUTS + 1 };

typedef struct operand_buffer {
    alignas(64) char bytes[BLOCK * LARGEST_ELEMENT];
} operand_buffer;

/* A kernel behind conversions. */
typedef struct converted_kernel {
    kael_loop_kernel *kernel;
    int operands;
    int most_repeated;       /* inputs that the kernel takes with an inner stride of 0 */
    int64_t sizes[OPERANDS]; /* of the kernel's elements */
    void (*finish)(void);    /* where the kernel writes past the caches; else NULL */
    kael_loop_kernel *convert[OPERANDS]; /* from tensor to kernel or back; NULL: the same dtype */
    kael_loop_kernel *copy[OPERANDS];
} converted_kernel;

/* Which operands must go through buffers in this loop. Returns whether any must. */
static bool choose_buffered(const converted_kernel *k, const kael_loop *loop,
                            bool buffered[OPERANDS]) {
    bool any = false;
    int repeated = 0;
    for (int i = 0; i < k->operands; ++i) {
        const bool repeats = i > 0 && loop->inner > 1 && loop->inner_strides[i] == 0;
        buffered[i] = k->convert[i] != NULL || (repeats && repeated == k->most_repeated);
        repeated += repeats && !buffered[i];
        any = any || buffered[i];
    }
    return any;
}

/* Moves one operand between its place in `loop` and its buffer. */
static void move(const converted_kernel *k, const kael_loop *loop, int operand,
                 operand_buffer *buffer) {
    const int outside = operand == 0 ? 0 : 1;
    kael_loop moved = {.inner = loop->inner, .outer = loop->outer};
    moved.data[outside] = loop->data[operand];
    moved.inner_strides[outside] = loop->inner_strides[operand];
    moved.outer_strides[outside] = loop->outer_strides[operand];
    moved.data[1 - outside] = buffer->bytes;
    moved.inner_strides[1 - outside] = k->sizes[operand];
    moved.outer_strides[1 - outside] = k->sizes[operand] * loop->inner;
    (k->convert[operand] != NULL ? k->convert : k->copy)[operand](&moved, NULL);
}

static void join_rows(kael_loop *loop, int operands) {
    for (int i = 0; i < operands; ++i) {
        if (loop->outer_strides[i] != loop->inner * loop->inner_strides[i]) {
            return;
        }
    }
    loop->inner *= loop->outer;
    loop->outer = 1;
}

/* The loop has at most BLOCK elements. */
static void run_block(const converted_kernel *k, const kael_loop *loop,
                      const bool buffered[OPERANDS]) {
    operand_buffer buffers[OPERANDS];
    kael_loop inside = *loop;
    for (int i = 0; i < k->operands; ++i) {
        if (buffered[i]) {
            inside.data[i] = buffers[i].bytes;
            inside.inner_strides[i] = k->sizes[i];
            inside.outer_strides[i] = k->sizes[i] * loop->inner;
            if (i > 0) {
                move(k, loop, i, &buffers[i]);
            }
        }
    }
    join_rows(&inside, k->operands);
    k->kernel(&inside, k->finish != NULL ? k : NULL);
    if (buffered[0]) {
        move(k, loop, 0, &buffers[0]);
    }
}

/* A kael_loop_kernel with a converted_kernel as its parameters. */
static void run_converted(const kael_loop *loop, const void *parameters) {
    const converted_kernel *k = parameters;
    bool buffered[OPERANDS];
    if (!choose_buffered(k, loop, buffered)) {
        k->kernel(loop, NULL);
        return;
    }
    const int64_t inner = kael_min_i64(loop->inner, BLOCK);
    const int64_t outer = kael_max_i64(1, BLOCK / inner);
    for (int64_t row = 0; row < loop->outer; row += outer) {
        for (int64_t column = 0; column < loop->inner; column += inner) {
            kael_loop block = *loop;
            block.outer = kael_min_i64(outer, loop->outer - row);
            block.inner = kael_min_i64(inner, loop->inner - column);
            for (int i = 0; i < k->operands; ++i) {
                block.data[i] += row * loop->outer_strides[i] + column * loop->inner_strides[i];
            }
            run_block(k, &block, buffered);
        }
    }
    if (k->finish != NULL) {
        k->finish();
    }
}

/* A kernel that writes past the caches. */
typedef struct streaming_kernel {
    kael_loop_kernel *kernel;
    void (*finish)(void);
} streaming_kernel;

/* A kael_loop_kernel with a streaming_kernel as its parameters. */
static void run_streaming(const kael_loop *loop, const void *parameters) {
    const streaming_kernel *k = parameters;
    k->kernel(loop, k);
    k->finish();
}

/* One row of all elements. */
typedef struct flat_job {
    kael_loop loop;
    int operands;
    kael_loop_kernel *kernel;
    const void *parameters;
} flat_job;

static kael_status run_flat_range(int64_t first, int64_t last, void *context) {
    const flat_job *job = context;
    kael_loop loop = job->loop;
    loop.inner = last - first;
    for (int i = 0; i < job->operands; ++i) {
        loop.data[i] += first * loop.inner_strides[i];
    }
    job->kernel(&loop, job->parameters);
    return KAEL_OK;
}

/* Whether the tensor's elements lie as those of `out`, which is contiguous, or are one element. */
static bool is_flat(const kael_tensor *tensor, const kael_tensor *out) {
    return (tensor->is_contiguous && tensor->numel == out->numel) || tensor->numel == 1;
}

/* Makes the row if that is easy to see. */
static bool flatten_contiguous(flat_job *job, const kael_tensor *const *tensors) {
    const kael_tensor *out = tensors[0];
    if (!out->is_contiguous) {
        return false;
    }
    for (int i = 0; i < job->operands; ++i) {
        if (!is_flat(tensors[i], out)) {
            return false;
        }
        const bool repeats = i > 0 && tensors[i]->numel == 1 && out->numel != 1;
        job->loop.data[i] = tensors[i]->data;
        job->loop.inner_strides[i] = repeats ? 0 : kael_dtype_size(tensors[i]->dtype);
    }
    return true;
}

/* Makes the row where dimensions have been reordered and merged to one, such as those of transposed
 * tensors. */
static bool flatten_iterator(flat_job *job, const kael_iterator *iterator) {
    if (iterator->numel == 0 || iterator->ndim > 1) {
        return false;
    }
    for (int i = 0; i < job->operands; ++i) {
        const int64_t stride = iterator->strides[i][0];
        if (stride != iterator->element_sizes[i] && (i == 0 || stride != 0)) {
            return false;
        }
        job->loop.data[i] = iterator->data[i];
        job->loop.inner_strides[i] = stride;
    }
    return true;
}

static int log2_of_size(int64_t size) {
    return __builtin_ctzll((unsigned long long)size);
}

static void make_converted(converted_kernel *k, const kael_copy_kernels *copies,
                           const kael_plan *plan, int operands, const kael_tensor *const *tensors) {
    *k = (converted_kernel){.kernel = plan->kernel, .operands = operands};
    k->most_repeated = operands == 3 ? 1 : 0;
    for (int i = 0; i < operands; ++i) {
        const kael_dtype own = tensors[i]->dtype;
        const kael_dtype wanted = plan->dtypes[i];
        k->sizes[i] = kael_dtype_size(wanted);
        k->copy[i] = copies->copy[log2_of_size(k->sizes[i])];
        if (own != wanted) {
            k->convert[i] = i == 0 ? copies->convert[own][wanted] : copies->convert[wanted][own];
        }
    }
}

/* Whether the kernel takes the operands as they are: of its dtypes, and with repeated elements in
 * one input of two at most. */
static bool suits_kernel(const kael_plan *plan, int operands, const kael_tensor *const *tensors,
                         const int64_t *inner_strides) {
    int repeated = 0;
    for (int i = 0; i < operands; ++i) {
        if (tensors[i]->dtype != plan->dtypes[i]) {
            return false;
        }
        repeated += i > 0 && inner_strides[i] == 0;
    }
    return repeated == 0 || (operands == 3 && repeated == 1);
}

/* Whether the tensors are too large to be found in the caches afterwards, so that the output is
 * better written past them. One that is also an input is in them already. Vectors that do so must
 * be aligned. */
static bool should_stream(int operands, const kael_tensor *const *tensors) {
    const kael_tensor *out = tensors[0];
    int64_t bytes = 0;
    for (int i = 0; i < operands; ++i) {
        bytes += tensors[i]->numel * kael_dtype_size(tensors[i]->dtype);
        if (i > 0 && tensors[i]->data == out->data) {
            return false;
        }
    }
    return bytes >= kael_streaming_threshold() &&
           (uintptr_t)out->data % (uintptr_t)kael_dtype_size(out->dtype) == 0;
}

kael_status kael_execute(const kael_plan *plan, int inputs, kael_tensor *out,
                         const kael_tensor *const *tensors) {
    flat_job job = {.operands = inputs + 1, .kernel = plan->kernel, .loop.outer = 1};
    const kael_tensor *all[OPERANDS] = {out};
    for (int i = 0; i < inputs; ++i) {
        all[i + 1] = tensors[i];
    }
    kael_iterator iterator;
    bool flat = flatten_contiguous(&job, all);
    if (!flat) {
        kael_iterator_init(&iterator, job.operands, all);
        flat = flatten_iterator(&job, &iterator);
    }
    if (!flat && out->numel > 0) {
        for (int i = 0; i < job.operands; ++i) {
            job.loop.inner_strides[i] = iterator.strides[i][0];
        }
    }
    const kael_kernels *kernels;
    KAEL_TRY(kael_kernels_in_use(&kernels));
    converted_kernel converted;
    streaming_kernel streaming = {plan->kernel, kernels->copy->finish_streams};
    const bool streams = job.loop.inner_strides[0] == kael_dtype_size(out->dtype) &&
                         should_stream(job.operands, all);
    if (!suits_kernel(plan, job.operands, all, job.loop.inner_strides)) {
        make_converted(&converted, kernels->copy, plan, job.operands, all);
        converted.finish =
            flat && streams && converted.convert[0] == NULL ? streaming.finish : NULL;
        job.kernel = run_converted;
        job.parameters = &converted;
    } else if (flat && streams) {
        job.kernel = run_streaming;
        job.parameters = &streaming;
    } else if (streams) {
        iterator.kernel_streams = true;
        job.parameters = &streaming;
    }
    return flat ? kael_parallel_for(0, out->numel, KAEL_ELEMENT_GRAIN, run_flat_range, &job)
                : kael_iterator_run(&iterator, KAEL_ELEMENT_GRAIN, job.kernel, job.parameters);
}
