/* Which way a product goes. All ways give the same bits, so only time decides. */

#include "core/checked.h"
#include "linalg/problem.h"

/* Products up to this many multiplications gain nothing from packing. */
#define DIRECT_WORK (INT64_C(64) * 64 * 64)

/* The direct kernels read b and c along their rows. */
static bool rows_are_contiguous(const kael_product *product) {
    return (product->b.stride == 1 || product->columns == 1) &&
           (product->c_column_stride == 1 || product->columns == 1);
}

/* Packing pays when a packed panel is used often enough: b by several tiles of rows. */
static bool packing_pays(const kael_product *product, const kael_gemm_kernel *kernel) {
    const double work = (double)product->rows * (double)product->columns * (double)product->inner;
    return work > (double)DIRECT_WORK && product->rows > kernel->mr;
}

kael_status kael_product_any(const kael_product *product, const kael_gemm_kernel *packed_kernel,
                             const kael_gemm_kernel *kernel) {
    const kael_product transposed = kael_product_transposed(product);
    if (product->columns == 1) {
        return kael_product_matvec(product, kernel, true);
    }
    if (product->rows == 1) {
        return kael_product_matvec(&transposed, kernel, true);
    }
    if (rows_are_contiguous(product) && !packing_pays(product, kernel)) {
        return kael_product_direct(product, kernel, true);
    }
    if (rows_are_contiguous(&transposed) && !packing_pays(&transposed, kernel)) {
        return kael_product_direct(&transposed, kernel, true);
    }
    return kael_product_packed(product, packed_kernel, true);
}
