#include "ops/direct.h"

#include <stddef.h>

#include "cpu/dispatch.h"
#include "tensor/tensor.h"

static const int64_t element_sizes[] = {
#define ELEMENT_SIZE(NAME, name, text, storage, kind, compute) sizeof(storage),
    KAEL_DTYPES(ELEMENT_SIZE)
#undef ELEMENT_SIZE
};

/* Elements up to which the preparation of an operation is worth sparing. */
enum { MOST_DIRECT = 4096 };

static bool are_alike(const kael_tensor *a, const kael_tensor *b) {
    if (a == b) {
        return true;
    }
    if (b == NULL || a->dtype != b->dtype || a->ndim != b->ndim || !b->is_contiguous) {
        return false;
    }
    for (int i = 0; i < a->ndim; ++i) {
        if (a->sizes[i] != b->sizes[i]) {
            return false;
        }
    }
    return true;
}

/* The kernel that works on elements of the dtype itself; NULL where that is not the plan. */
static kael_loop_kernel *find_kernel(const kael_elementwise_set *set,
                                     const kael_operation *operation, kael_dtype dtype) {
    const kael_elementwise_kernels *kernels = set->of[dtype];
    if (kernels == NULL || operation->rule == KAEL_RULE_SELECT) {
        return NULL;
    }
    const bool checks_integers =
        operation->rule == KAEL_RULE_DIVISION || operation->rule == KAEL_RULE_POWER;
    if (checks_integers && dtype < KAEL_F16) {
        return NULL;
    }
    switch (operation->inputs) {
    case 1:
        return kernels->unary[operation->number];
    case 2:
        return kernels->binary[operation->number];
    default:
        return kernels->ternary[operation->number];
    }
}

bool kael_direct_find(kael_direct *direct, const kael_operation *operation,
                      const kael_tensor *const *inputs) {
    const kael_tensor *first = inputs[0];
    if (first == NULL || !first->is_contiguous || first->numel > MOST_DIRECT) {
        return false;
    }
    for (int i = 1; i < operation->inputs; ++i) {
        if (!are_alike(first, inputs[i])) {
            return false;
        }
    }
    const kael_kernels *kernels;
    if (kael_kernels_in_use(&kernels) != KAEL_OK) {
        return false;
    }
    direct->kernel = find_kernel(kernels->elementwise, operation, first->dtype);
    const bool gives_bool =
        operation->rule == KAEL_RULE_COMPARISON || operation->rule == KAEL_RULE_TEST;
    direct->result = gives_bool ? KAEL_BOOL : first->dtype;
    return direct->kernel != NULL;
}

void kael_direct_run(const kael_direct *direct, int inputs, kael_tensor *out,
                     const kael_tensor *const *tensors) {
    if (out->numel == 0) {
        return;
    }
    kael_loop loop;
    loop.inner = out->numel;
    loop.outer = 1;
    loop.data[0] = out->data;
    loop.inner_strides[0] = element_sizes[out->dtype];
    loop.outer_strides[0] = 0;
    const int64_t size = element_sizes[tensors[0]->dtype];
    for (int i = 0; i < inputs; ++i) {
        loop.data[i + 1] = tensors[i]->data;
        loop.inner_strides[i + 1] = size;
        loop.outer_strides[i + 1] = 0;
    }
    direct->kernel(&loop, NULL);
}
