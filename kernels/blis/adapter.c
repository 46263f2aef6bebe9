/* The only file that knows BLIS. */

#define _GNU_SOURCE
#include "kernels/blis/adapter.h"

#include <string.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#pragma GCC diagnostic ignored "-Wpedantic"
#include <blis.h>
#pragma GCC diagnostic pop

/* BLIS 0.9 and later: the kernel computes the m x n part of its tile that exists. */
typedef void blis_function(dim_t m, dim_t n, dim_t k, const void *alpha, const void *a,
                           const void *b, const void *beta, void *c, inc_t row_stride,
                           inc_t column_stride, auxinfo_t *extra, const cntx_t *context);

/* What one element type's kernel needs at every call. */
typedef struct blis_kernel {
    blis_function *function;
    const cntx_t *context;
    bool prefers_columns;
} blis_kernel;

static blis_kernel kernel_f32;
static blis_kernel kernel_f64;

/* Runs the chains one call each. BLIS adds c = beta * c + alpha * sum with beta 1. A kernel that
 * prefers columns computes the transposed tile, with the roles of a and b exchanged. */
static void run_chains(const blis_kernel *kernel, const kael_gemm_kernel *shape,
                       const kael_gemm_chains *chains, const char *a, const char *b,
                       const void *alpha, const void *one, const void *next,
                       const kael_gemm_tile *tile) {
    auxinfo_t extra;
    memset(&extra, 0, sizeof extra);
    for (int64_t chain = 0; chain < chains->count; ++chain) {
        const int64_t length = chains->length + (chain < chains->longer);
        if (length == 0) {
            return;
        }
        const int64_t a_bytes = length * shape->mr * shape->element_size;
        const int64_t b_bytes = length * shape->nr * shape->element_size;
        const bool last = chain + 1 == chains->count;
        const void *next_a = a + (last ? 0 : a_bytes);
        const void *next_b = last ? next : b + b_bytes;
        if (kernel->prefers_columns) {
            bli_auxinfo_set_next_ab((void *)(uintptr_t)next_b, (void *)(uintptr_t)next_a, &extra);
            kernel->function(tile->columns, tile->rows, length, alpha, b, a, one, tile->data, 1,
                             tile->row_stride, &extra, kernel->context);
        } else {
            bli_auxinfo_set_next_ab((void *)(uintptr_t)next_a, (void *)(uintptr_t)next_b, &extra);
            kernel->function(tile->rows, tile->columns, length, alpha, a, b, one, tile->data,
                             tile->row_stride, 1, &extra, kernel->context);
        }
        a += a_bytes;
        b += b_bytes;
    }
}

/* The record's shape is needed to step through panels; it is the only one of its type. */
static kael_gemm_kernel shape_f32;
static kael_gemm_kernel shape_f64;

static void packed_f32(const kael_gemm_chains *chains, const void *a, const void *b,
                       const void *alpha, const void *next, const kael_gemm_tile *tile) {
    static const float one = 1;
    run_chains(&kernel_f32, &shape_f32, chains, a, b, alpha, &one, next, tile);
}

static void packed_f64(const kael_gemm_chains *chains, const void *a, const void *b,
                       const void *alpha, const void *next, const kael_gemm_tile *tile) {
    static const double one = 1;
    run_chains(&kernel_f64, &shape_f64, chains, a, b, alpha, &one, next, tile);
}

/* The library found at run time must have the interface that this file was compiled for. */
static bool version_fits(void) {
    const char *version = bli_info_get_version_str();
    const bool before_one = strncmp(version, "0.", 2) == 0;
#ifdef KAEL_BLIS_CONTEXT_0_9
    return before_one && strncmp(version, "0.9", 3) == 0;
#else
    return !before_one;
#endif
}

static void *find_function(num_t type, cntx_t *context) {
#ifdef KAEL_BLIS_CONTEXT_0_9
    return bli_cntx_get_l3_nat_ukr_dt(type, BLIS_GEMM_UKR, context);
#else
    return (void *)(uintptr_t)bli_cntx_get_ukr_dt(type, BLIS_GEMM_UKR, context);
#endif
}

static bool prefers_rows(num_t type, cntx_t *context) {
#ifdef KAEL_BLIS_CONTEXT_0_9
    return bli_cntx_l3_nat_ukr_prefers_rows_dt(type, BLIS_GEMM_UKR, context);
#else
    return bli_cntx_get_ukr_prefs_dt(type, BLIS_GEMM_UKR_ROW_PREF, context);
#endif
}

static bool describe(num_t type, blis_kernel *kernel, kael_gemm_kernel *record,
                     const kael_gemm_kernel *packer) {
    if (!version_fits()) {
        return false;
    }
    cntx_t *context = (cntx_t *)(uintptr_t)bli_gks_query_cntx();
    const int64_t mr = bli_cntx_get_blksz_def_dt(type, BLIS_MR, context);
    const int64_t nr = bli_cntx_get_blksz_def_dt(type, BLIS_NR, context);
    /* Panels that are wider in memory than the tile are not ours. */
    if (bli_cntx_get_blksz_max_dt(type, BLIS_MR, context) != mr ||
        bli_cntx_get_blksz_max_dt(type, BLIS_NR, context) != nr) {
        return false;
    }
    void *function = find_function(type, context);
    memcpy(&kernel->function, &function, sizeof function);
    kernel->context = context;
    kernel->prefers_columns = !prefers_rows(type, context);
    *record = *packer;
    record->name = kernel->prefers_columns ? "blis_by_columns" : "blis_by_rows";
    record->mr = kernel->prefers_columns ? nr : mr;
    record->nr = kernel->prefers_columns ? mr : nr;
    /* BLIS takes one call for a tile of c, which we visit once for every chain. */
    record->kc = 4 * bli_cntx_get_blksz_def_dt(type, BLIS_KC, context);
    return true;
}

bool kael_blis_describe_f32(kael_gemm_kernel *record, const kael_gemm_kernel *packer) {
    if (!describe(BLIS_FLOAT, &kernel_f32, record, packer)) {
        return false;
    }
    record->packed = packed_f32;
    shape_f32 = *record;
    return true;
}

bool kael_blis_describe_f64(kael_gemm_kernel *record, const kael_gemm_kernel *packer) {
    if (!describe(BLIS_DOUBLE, &kernel_f64, record, packer)) {
        return false;
    }
    record->packed = packed_f64;
    shape_f64 = *record;
    return true;
}

static void request_threads(rntm_t *request, int64_t threads) {
    bli_rntm_init_from_global(request);
    bli_rntm_set_num_threads(threads, request);
}

void kael_blis_product_f32(int64_t rows, int64_t inner, int64_t columns, const float *a,
                           const float *b, float *out, int64_t threads) {
    float one = 1;
    rntm_t request;
    request_threads(&request, threads);
    bli_sgemm_ex(BLIS_NO_TRANSPOSE, BLIS_NO_TRANSPOSE, rows, columns, inner, &one,
                 (float *)(uintptr_t)a, inner, 1, (float *)(uintptr_t)b, columns, 1, &one, out,
                 columns, 1, NULL, &request);
}

void kael_blis_product_f64(int64_t rows, int64_t inner, int64_t columns, const double *a,
                           const double *b, double *out, int64_t threads) {
    double one = 1;
    rntm_t request;
    request_threads(&request, threads);
    bli_dgemm_ex(BLIS_NO_TRANSPOSE, BLIS_NO_TRANSPOSE, rows, columns, inner, &one,
                 (double *)(uintptr_t)a, inner, 1, (double *)(uintptr_t)b, columns, 1, &one, out,
                 columns, 1, NULL, &request);
}
