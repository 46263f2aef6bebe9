/* Kernels of the matrix product.
 *
 * A chain is s = fma(a[k], b[k], s) over its k in increasing order from s = 0; when it ends,
 * c = c + alpha * s, the product rounded first. A kernel call runs the chains of a list one after
 * the other for a tile of c. Chains of a list are equally long but for one: the first `longer` of
 * them have `length` + 1 steps, the others `length`. A chain without steps adds nothing.
 */
#ifndef KAEL_KERNELS_GEMM_H
#define KAEL_KERNELS_GEMM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct kael_gemm_chains {
    int64_t count;
    int64_t length;
    int64_t longer;
} kael_gemm_chains;

/* Where an operand's elements are: element (index, k) is at data + index * stride + k * k_stride,
 * in elements. */
typedef struct kael_gemm_operand {
    const void *data;
    int64_t stride;
    int64_t k_stride;
} kael_gemm_operand;

/* A tile of c, row-major with unit column stride. rows <= mr and columns <= nr of the kernel. */
typedef struct kael_gemm_tile {
    void *data;
    int64_t row_stride;
    int64_t rows;
    int64_t columns;
} kael_gemm_tile;

/* Packed panels: for each chain of the list in order, for each of its steps, the mr elements of a
 * (nr of b), zero where the tile has fewer rows (columns). Panels are 64-byte aligned and the
 * memory goes on for at least mr (nr) elements after the last step. The kernel may prefetch as many
 * cache lines from `next` on as the chains have steps; it need not be a valid address. */
typedef void kael_gemm_packed_function(const kael_gemm_chains *chains, const void *a, const void *b,
                                       const void *alpha, const void *next,
                                       const kael_gemm_tile *tile);

/* Operands in place. Chain c of the list takes the steps k = c, c + step, c + 2 * step ... The
 * elements of b must have stride 1 from column to column; no element outside the tile is read, and
 * none of the tile if c_is_zero, when the first chain, which has steps, is added to zeros. */
typedef void kael_gemm_direct_function(const kael_gemm_chains *chains, int64_t step,
                                       const kael_gemm_operand *a, const kael_gemm_operand *b,
                                       const void *alpha, bool c_is_zero,
                                       const kael_gemm_tile *tile);

/* Packs `indices` rows of a (columns of b) into panels of panel_width, one every panel_stride
 * elements; the chains are as in a direct call. */
typedef void kael_gemm_pack_function(void *panels, int64_t panel_stride, int64_t panel_width,
                                     int64_t indices, const kael_gemm_operand *source,
                                     const kael_gemm_chains *chains, int64_t step);

/* out[i * out_stride] += alpha * sum over k of a(i, k) * x[k], chain by chain over all of `count`
 * chains, for i in [0, rows); x is contiguous. */
typedef void kael_gemm_matvec_function(int64_t rows, const kael_gemm_chains *chains, int64_t step,
                                       const kael_gemm_operand *a, const void *x, const void *alpha,
                                       void *out, int64_t out_stride);

/* One element type's kernels on one instruction set. */
typedef struct kael_gemm_kernel {
    const char *name;
    int64_t element_size;
    int64_t mr;
    int64_t nr;
    /* The steps that a call takes for a tile, at least one chain: more of them keep the tile of c
     * in the first-level cache, fewer the panel of b. */
    int64_t kc;
    kael_gemm_packed_function *packed;
    kael_gemm_direct_function *direct;
    kael_gemm_pack_function *pack;
    kael_gemm_matvec_function *matvec;
} kael_gemm_kernel;

#endif
