#include "ops/scratch.h"

#include <stddef.h>
#include <stdint.h>

const kael_tensor *kael_scratch_keep(kael_scratch *scratch, kael_status status,
                                     kael_tensor *const *made) {
    if (status != KAEL_OK) {
        scratch->status = status;
        return NULL;
    }
    scratch->tensors[scratch->count++] = *made;
    return *made;
}

const kael_tensor *kael_scratch_unary(kael_scratch *scratch, kael_unary_function *function,
                                      const kael_tensor *x) {
    kael_tensor *made;
    return scratch->status != KAEL_OK ? NULL
                                      : kael_scratch_keep(scratch, function(&made, x), &made);
}

const kael_tensor *kael_scratch_binary(kael_scratch *scratch, kael_binary_function *function,
                                       const kael_tensor *a, const kael_tensor *b) {
    kael_tensor *made;
    return scratch->status != KAEL_OK ? NULL
                                      : kael_scratch_keep(scratch, function(&made, a, b), &made);
}

const kael_tensor *kael_scratch_scalar(kael_scratch *scratch, kael_scalar_function *function,
                                       const kael_tensor *a, double b) {
    kael_tensor *made;
    return scratch->status != KAEL_OK
               ? NULL
               : kael_scratch_keep(scratch, function(&made, a, kael_scalar_float(b)), &made);
}

kael_status kael_scratch_finish(kael_scratch *scratch, kael_tensor **out,
                                const kael_tensor *result) {
    if (result != NULL && scratch->status == KAEL_OK) {
        *out = kael_tensor_retain((kael_tensor *)(uintptr_t)result);
    }
    for (int i = 0; i < scratch->count; ++i) {
        kael_tensor_release(scratch->tensors[i]);
    }
    scratch->count = 0;
    return scratch->status;
}
