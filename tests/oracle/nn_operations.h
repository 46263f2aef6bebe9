/* The operations of kael/nn.h and their oracles behind one signature, so that a test is written
 * once for all of them. */
#ifndef KAEL_TESTS_NN_OPERATIONS_H
#define KAEL_TESTS_NN_OPERATIONS_H

#include <stdint.h>

#include "kael/status.h"
#include "oracle/matmul_oracle.h"
#include "oracle/matmul_values.h"

enum { NN_MOST_ARRAYS = 3 };

/* A matrix of rows and columns, of logits say; a linear layer has `inputs` columns before it. */
typedef struct nn_sizes {
    int64_t rows;
    int64_t inputs;
    int64_t columns;
} nn_sizes;

typedef struct nn_array {
    void *data;
    int64_t count;
} nn_array;

/* Arrays of exactly their elements. Outputs are filled too: some operations update them. */
typedef struct nn_operands {
    matmul_type type;
    nn_sizes sizes;
    nn_array in[NN_MOST_ARRAYS];
    nn_array out[NN_MOST_ARRAYS];
    int64_t *targets; /* one class for each row */
} nn_operands;

typedef struct nn_operation {
    const char *name;
    void (*measure)(nn_operands *operands); /* sets the counts of the arrays it uses */
    void (*oracle)(const nn_operands *operands);
    kael_status (*library)(const nn_operands *operands);
} nn_operation;

enum { NN_OPERATION_COUNT = 7 };
extern const nn_operation nn_operations[NN_OPERATION_COUNT];

nn_operands nn_operands_new(const nn_operation *operation, matmul_type type, nn_sizes sizes,
                            matmul_values values);
void nn_operands_free(nn_operands *operands);

#endif
