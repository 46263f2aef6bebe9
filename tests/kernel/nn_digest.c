/* Digests of the neural-network operations. */
#include <stdio.h>

#include "digest.h"
#include "oracle/nn_operations.h"

enum { MOST_SIZES = 12, MOST_KINDS = 3 };

/* Sizes end at the first one without rows, kinds of values are counted. */
typedef struct size_group {
    const char *name;
    bool quick;
    int kind_count;
    matmul_values kinds[MOST_KINDS];
    nn_sizes sizes[MOST_SIZES];
} size_group;

static const size_group groups[] = {
    {"small",
     true,
     3,
     {MATMUL_SPECIAL, MATMUL_ORDINARY, MATMUL_TINY},
     {{1, 1, 1},
      {2, 3, 5},
      {7, 9, 8},
      {8, 1, 10},
      {9, 17, 16},
      {16, 5, 33},
      {3, 513, 7},
      {65, 4, 31},
      {64, 12, 10},
      {5, 2, 260}}},
    {"large",
     false,
     1,
     {MATMUL_ORDINARY},
     {{64, 784, 256}, {1, 1, 100003}, {40000, 3, 4}, {3, 2, 50257}, {600, 700, 900}}},
};

static void run_case(digest_run *run, const nn_operation *operation, matmul_type type,
                     const nn_sizes *sizes, matmul_values values) {
    nn_operands operands = nn_operands_new(operation, type, *sizes, values);
    if (run->use_oracle) {
        operation->oracle(&operands);
    } else {
        digest_require(operation->library(&operands), operation->name);
    }
    for (int i = 0; i < NN_MOST_ARRAYS; ++i) {
        digest_add(run, type, operands.out[i].data, operands.out[i].count);
    }
    nn_operands_free(&operands);
}

static void run_group(digest_run *run, const nn_operation *operation, matmul_type type,
                      const size_group *group) {
    char name[64];
    snprintf(name, sizeof name, "%s_%s", operation->name, matmul_type_name(type));
    digest_begin(run);
    for (int kind = 0; kind < group->kind_count; ++kind) {
        for (int i = 0; i < MOST_SIZES && group->sizes[i].rows > 0; ++i) {
            run_case(run, operation, type, &group->sizes[i], group->kinds[kind]);
        }
    }
    digest_end(run, name, group->name);
}

void digest_nn(digest_run *run) {
    for (int operation = 0; operation < NN_OPERATION_COUNT; ++operation) {
        for (int type = 0; type < MATMUL_TYPE_COUNT; ++type) {
            for (size_t i = 0; i < sizeof groups / sizeof groups[0]; ++i) {
                if (groups[i].quick || !run->quick) {
                    run_group(run, &nn_operations[operation], (matmul_type)type, &groups[i]);
                }
            }
        }
    }
}
