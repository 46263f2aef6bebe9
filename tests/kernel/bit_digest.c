/* Usage: bit_digest [--quick] [--oracle] [--threads COUNT] [--expect FILE]
 *
 * Runs operations of the public interface on fixed inputs and prints a digest of the results for
 * each group of cases. With --oracle the results come from the oracle; so did the checked-in file
 * expected_digests.txt. With --expect, exits 1 unless every line printed is in FILE, and, in a
 * complete run, every line of FILE is printed. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "kael/parallel.h"

static digest_suite *const suites[] = {digest_matmul, digest_nn, digest_random, digest_elementary};

void digest_begin(digest_run *run) {
    run->state = 0;
}

void digest_add(digest_run *run, matmul_type type, const void *array, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
        run->state = matmul_random(run->state ^ matmul_bits(type, array, i), 0);
    }
}

void digest_add_bytes(digest_run *run, const void *bytes, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
        run->state = matmul_random(run->state ^ ((const uint8_t *)bytes)[i], 0);
    }
}

static bool contains_line(const char *text, const char *line) {
    const size_t length = strlen(line);
    while (*text != '\0') {
        if (strncmp(text, line, length) == 0 && text[length] == '\n') {
            return true;
        }
        text = strchr(text, '\n');
        if (text == NULL) {
            return false;
        }
        ++text;
    }
    return false;
}

static int64_t count_lines(const char *text) {
    int64_t count = 0;
    for (; *text != '\0'; ++text) {
        count += *text == '\n';
    }
    return count;
}

void digest_end(digest_run *run, const char *operation, const char *group) {
    char line[128];
    snprintf(line, sizeof line, "%s %s %016" PRIx64, operation, group, run->state);
    printf("%s\n", line);
    ++run->printed;
    if (run->expected != NULL && !contains_line(run->expected, line)) {
        printf("FAILED %s %s: not the expected bits\n", operation, group);
        ++run->failures;
    }
}

void digest_require(kael_status status, const char *operation) {
    if (status != KAEL_OK) {
        printf("FAILED %s: %s: %s\n", operation, kael_status_string(status),
               kael_last_error_message());
        exit(1);
    }
}

void *digest_allocate(matmul_type type, int64_t count) {
    void *memory = malloc((size_t)(count + 1) * matmul_size(type));
    if (memory == NULL) {
        printf("FAILED: no memory for %" PRId64 " elements\n", count);
        exit(1);
    }
    return memory;
}

static char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        printf("FAILED: cannot open %s\n", path);
        exit(1);
    }
    enum { CAPACITY = 1 << 16 };
    char *text = calloc(1, CAPACITY);
    const size_t length = text == NULL ? 0 : fread(text, 1, CAPACITY - 1, file);
    fclose(file);
    if (length == 0 || length == CAPACITY - 1 || text[length - 1] != '\n') {
        printf("FAILED: %s is empty, too long or cut\n", path);
        exit(1);
    }
    return text;
}

static int usage(void) {
    fprintf(stderr, "usage: bit_digest [--quick] [--oracle] [--threads COUNT] [--expect FILE]\n");
    return 2;
}

int main(int count, char **arguments) {
    digest_run run = {0};
    for (int i = 1; i < count; ++i) {
        const bool has_value = i + 1 < count;
        if (strcmp(arguments[i], "--quick") == 0) {
            run.quick = true;
        } else if (strcmp(arguments[i], "--oracle") == 0) {
            run.use_oracle = true;
        } else if (strcmp(arguments[i], "--threads") == 0 && has_value) {
            digest_require(kael_set_num_threads(strtoll(arguments[++i], NULL, 10)), "--threads");
        } else if (strcmp(arguments[i], "--expect") == 0 && has_value) {
            run.expected = read_file(arguments[++i]);
        } else {
            return usage();
        }
    }
    for (size_t i = 0; i < sizeof suites / sizeof suites[0]; ++i) {
        suites[i](&run);
    }
    if (run.expected != NULL && !run.quick && count_lines(run.expected) != run.printed) {
        printf("FAILED: the file has %" PRId64 " lines, %" PRId64 " were printed\n",
               count_lines(run.expected), run.printed);
        ++run.failures;
    }
    free(run.expected);
    return run.printed > 0 && run.failures == 0 ? 0 : 1;
}
