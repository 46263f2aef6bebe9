#include "oracle/matmul_library.h"

#include "kael/linalg.h"

#define DEFINE_CALL(version, type)                                                                 \
    static kael_status version##_##type(const void *a, const void *b, void *out,                   \
                                        const kael_matmul_sizes *sizes) {                          \
        return kael_matmul_##version##_##type(a, b, out, sizes);                                   \
    }
#define DEFINE_CALLS(version)                                                                      \
    DEFINE_CALL(version, f32)                                                                      \
    DEFINE_CALL(version, f64)

DEFINE_CALLS(v1_ijk)
DEFINE_CALLS(v2_ikj)
DEFINE_CALLS(v3_tiled)
DEFINE_CALLS(v4_packed)
DEFINE_CALLS(v5_simd)
DEFINE_CALLS(v6_threaded)
DEFINE_CALLS(multiply)
DEFINE_CALLS(blis)

#define VERSION(version, defined, threaded)                                                        \
    { #version, defined, threaded, {version##_f32, version##_f64 }, }

const matmul_version matmul_versions[MATMUL_VERSION_COUNT] = {
    VERSION(v1_ijk, false, false),   VERSION(v2_ikj, false, false),
    VERSION(v3_tiled, false, false), VERSION(v4_packed, true, false),
    VERSION(v5_simd, true, false),   VERSION(v6_threaded, true, true),
    VERSION(multiply, true, true),
};
const matmul_version matmul_reference = VERSION(v1_ijk, false, false);
const matmul_version matmul_threaded = VERSION(v6_threaded, true, true);
const matmul_version matmul_dispatch = VERSION(multiply, true, true);
const matmul_version matmul_blis = VERSION(blis, false, true);

#define GEMM(real, type, p)                                                                        \
    kael_gemm_##type((p)->m, (p)->n, (p)->k, (real)(p)->alpha, (p)->a.data, (p)->a.row_stride,     \
                     (p)->a.column_stride, (p)->b.data, (p)->b.row_stride, (p)->b.column_stride,   \
                     (real)(p)->beta, (p)->c.data, (p)->c.row_stride, (p)->c.column_stride)

kael_status library_gemm(matmul_type type, const matmul_problem *problem) {
    return type == MATMUL_F32 ? GEMM(float, f32, problem) : GEMM(double, f64, problem);
}
