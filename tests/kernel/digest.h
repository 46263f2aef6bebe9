/* Digests of results: one 64-bit number per group of cases. Every build, instruction set, thread
 * count and backend must print the same ones. */
#ifndef KAEL_TESTS_KERNEL_DIGEST_H
#define KAEL_TESTS_KERNEL_DIGEST_H

#include <stdbool.h>
#include <stdint.h>

#include "kael/status.h"
#include "oracle/matmul_values.h"

typedef struct digest_run {
    bool quick;      /* leave out the groups that are slow under an emulator */
    bool use_oracle; /* compute with the oracle instead of the library */
    uint64_t state;
    int64_t printed;
    int64_t failures;
    char *expected; /* the text of the file to compare with, or NULL */
} digest_run;

void digest_begin(digest_run *run);

/* NaN elements count as one fixed NaN. */
void digest_add(digest_run *run, matmul_type type, const void *array, int64_t count);

/* Elements without a NaN. */
void digest_add_bytes(digest_run *run, const void *bytes, int64_t count);

/* Prints "operation group digest". */
void digest_end(digest_run *run, const char *operation, const char *group);

/* Ends the program with the library's message unless the status is KAEL_OK. */
void digest_require(kael_status status, const char *operation);

/* Memory for `count` elements. Ends the program when there is none. */
void *digest_allocate(matmul_type type, int64_t count);

typedef void digest_suite(digest_run *run);

digest_suite digest_matmul;
digest_suite digest_nn;
digest_suite digest_random;
digest_suite digest_elementary;

#endif
