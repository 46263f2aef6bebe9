/* Usage: kernel_check [--quick] [--isa NAME]
 *
 * Compares every kernel of every instruction set that this machine supports with the oracle, and
 * those of BLIS where configured. NAME is that of a set, or blis.
 * Exits 0 if there were kernels and all of them were right. */
#define _POSIX_C_SOURCE 200809L
#include "kernel_check.h"

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cpu/dispatch.h"

enum { PRINTED_FAILURES = 20 };

static kernel_suite *const suites[] = {check_elementwise_kernels, check_gemm_kernels,
                                       check_nn_kernels, check_reduce_kernels};

static char current_case[512];

void check_case(kernel_check *check, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(current_case, sizeof current_case, format, arguments);
    va_end(arguments);
    ++check->cases;
}

void check_failed(kernel_check *check, const char *format, ...) {
    if (++check->failures > PRINTED_FAILURES) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    printf("FAILED %s: ", current_case);
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
}

static void write_text(const char *text) {
    const ssize_t written = write(STDOUT_FILENO, text, strlen(text));
    (void)written;
}

/* An operand ends at an unreadable page, so this is how a read past its end shows. */
static void report_crash(int signal_number) {
    write_text("FAILED ");
    write_text(current_case);
    write_text(signal_number == SIGILL ? ": illegal instruction\n" : ": touched memory outside\n");
    _exit(1);
}

static void catch_crashes(void) {
    struct sigaction action = {.sa_handler = report_crash};
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    sigaction(SIGILL, &action, NULL);
}

static int usage(void) {
    fprintf(stderr, "usage: kernel_check [--quick] [--isa NAME]\n");
    return 2;
}

static void print_counts(const char *name, const kernel_check *after, const kernel_check *before) {
    printf("%s: %" PRId64 " kernels, %" PRId64 " cases, %" PRId64 " failures\n", name,
           after->kernels - before->kernels, after->cases - before->cases,
           after->failures - before->failures);
}

int main(int count, char **arguments) {
    kernel_check check = {0};
    const char *only = NULL;
    for (int i = 1; i < count; ++i) {
        if (strcmp(arguments[i], "--quick") == 0) {
            check.quick = true;
        } else if (strcmp(arguments[i], "--isa") == 0 && i + 1 < count) {
            only = arguments[++i];
        } else {
            return usage();
        }
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    catch_crashes();
    bool fused = false;
    for (const kael_kernels *const *set = kael_kernels_supported(); *set != NULL; ++set) {
        const char *name = (*set)->name;
        fused = fused || strcmp(name, "avx2") == 0;
        if (only == NULL || strcmp(only, name) == 0) {
            const kernel_check before = check;
            for (size_t i = 0; i < sizeof suites / sizeof suites[0]; ++i) {
                suites[i](&check, *set);
            }
            print_counts(name, &check, &before);
        }
    }
    /* BLIS's kernels for machines without fused multiply-add are not used. */
    if (KAEL_TEST_HAS_BLIS && fused && (only == NULL || strcmp(only, "blis") == 0)) {
        const kernel_check before = check;
        check_blis_kernels(&check);
        print_counts("blis", &check, &before);
    }
    print_counts("total", &check, &(kernel_check){0});
    if (check.kernels == 0) {
        printf("FAILED: no kernel was checked\n");
    }
    return check.kernels > 0 && check.failures == 0 ? 0 : 1;
}
