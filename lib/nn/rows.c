#include "nn/rows.h"

#include <stddef.h>

#include "core/error.h"
#include "cpu/dispatch.h"

kael_status kael_nn_kernels_for(const kael_nn_kernels **kernels, kael_dtype dtype) {
    const kael_kernels *table = NULL;
    KAEL_TRY(kael_kernels_in_use(&table));
    *kernels = dtype == KAEL_F32 ? table->nn_f32 : table->nn_f64;
    return KAEL_OK;
}
