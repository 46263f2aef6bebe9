/* What the library does with the value of KAEL_ISA that it was started with.
 *
 * usage: isa_check cap | error
 *   cap    the value caps the instruction set, or is not set
 *   error  it is none of the words */
#define _GNU_SOURCE /* setenv */
#include <stdlib.h>
#include <string.h>

#include "cpu/dispatch.h"
#include "kael/cpu.h"
#include "support/tap.h"

/* The last supported set up to the one that the variable names, all of them if it names none. */
static const char *expected_isa(const char *cap) {
    const char *best = NULL;
    for (const kael_kernels *const *set = kael_kernels_supported(); *set != NULL; ++set) {
        best = (*set)->name;
        if (cap != NULL && strcmp(best, cap) == 0) {
            break;
        }
    }
    return best;
}

static void TheCapIsObeyed(void) {
    const char *isa = kael_cpu_isa();
    const kael_kernels *kernels = NULL;
    CHECK(isa != NULL && strcmp(isa, expected_isa(getenv("KAEL_ISA"))) == 0);
    CHECK(kael_kernels_in_use(&kernels) == KAEL_OK);
    CHECK(kernels != NULL && kernels->name == isa);
    CHECK(kernels->gemm_f32 != NULL && kernels->gemm_f64 != NULL);
    CHECK(kernels->nn_f32 != NULL && kernels->nn_f64 != NULL);
    CHECK(strcmp(kael_last_error_message(), "") == 0);
}

static void TheWordIsRejected(void) {
    char quoted[128];
    snprintf(quoted, sizeof quoted, "got '%.63s'", getenv("KAEL_ISA"));
    for (int i = 0; i < 2; ++i) {
        const kael_kernels *kernels = NULL;
        CHECK(kael_cpu_isa() == NULL);
        CHECK(kael_kernels_in_use(&kernels) == KAEL_ERROR_VALUE);
        CHECK(kernels == NULL);
        CHECK(strstr(kael_last_error_message(), "KAEL_ISA must be generic, avx2, avx512 or neon"));
        CHECK(strstr(kael_last_error_message(), quoted));
    }
    CHECK(kael_kernels_supported()[0] != NULL);
}

/* Later changes of the environment do not matter. */
static void TheVariableIsReadOnce(void) {
    const char *before = kael_cpu_isa();
    CHECK(setenv("KAEL_ISA", before == NULL ? "generic" : "bogus", 1) == 0);
    CHECK(kael_cpu_isa() == before);
}

int main(int count, char **arguments) {
    if (count == 2 && strcmp(arguments[1], "cap") == 0) {
        TAP_RUN(TheCapIsObeyed);
    } else if (count == 2 && strcmp(arguments[1], "error") == 0) {
        TAP_RUN(TheWordIsRejected);
    }
    TAP_RUN(TheVariableIsReadOnce);
    return count == 2 ? tap_finish() : 2;
}
