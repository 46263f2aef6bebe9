/* The library's matrix products behind one signature, so that a test is written once for all
 * versions and element types. */
#ifndef KAEL_TESTS_MATMUL_LIBRARY_H
#define KAEL_TESTS_MATMUL_LIBRARY_H

#include <stdbool.h>

#include "kael/matmul_versions.h"
#include "kael/status.h"
#include "oracle/matmul_oracle.h"

typedef kael_status matmul_function(const void *a, const void *b, void *out,
                                    const kael_matmul_sizes *sizes);

typedef struct matmul_version {
    const char *name;
    bool defined_bits; /* the bits are those of the oracle, not only close to them */
    bool threaded;
    matmul_function *call[MATMUL_TYPE_COUNT];
} matmul_version;

/* v1 to v6 and multiply, in this order. */
enum { MATMUL_VERSION_COUNT = 7 };
extern const matmul_version matmul_versions[MATMUL_VERSION_COUNT];

extern const matmul_version matmul_reference; /* v1, the textbook loop */
extern const matmul_version matmul_threaded;  /* v6 */
extern const matmul_version matmul_dispatch;  /* multiply */
extern const matmul_version matmul_blis;

KAEL_NODISCARD kael_status library_gemm(matmul_type type, const matmul_problem *problem);

#endif
