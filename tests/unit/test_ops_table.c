/* Every elementwise operation of the table, of every dtype, against its definition. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>

#include "kael/ops.h"
#include "kael/parallel.h"
#include "ops_fixture.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define ASSERT_OK(expression) cr_assert_eq((expression), KAEL_OK, "%s", kael_last_error_message())

/* ---- the functions of the table ---- */

typedef struct unary_functions {
    kael_status (*create)(kael_tensor **out, const kael_tensor *x);
    kael_status (*into)(kael_tensor *out, const kael_tensor *x);
    kael_status (*in_place)(kael_tensor *x);
} unary_functions;

typedef struct binary_functions {
    kael_status (*create)(kael_tensor **out, const kael_tensor *a, const kael_tensor *b);
    kael_status (*into)(kael_tensor *out, const kael_tensor *a, const kael_tensor *b);
    kael_status (*in_place)(kael_tensor *a, const kael_tensor *b);
} binary_functions;

typedef struct ternary_functions {
    kael_status (*create)(kael_tensor **out, const kael_tensor *a, const kael_tensor *b,
                          const kael_tensor *c);
    kael_status (*into)(kael_tensor *out, const kael_tensor *a, const kael_tensor *b,
                        const kael_tensor *c);
    kael_status (*in_place)(kael_tensor *a, const kael_tensor *b, const kael_tensor *c);
} ternary_functions;

#define FUNCTIONS(name, rule, on_bool, on_floats, on_integers)                                     \
    {kael_##name, kael_##name##_into, kael_##name##_in_place},
static const unary_functions unary[] = {KAEL_UNARY_OPERATIONS(FUNCTIONS)};
static const binary_functions binary[] = {KAEL_BINARY_OPERATIONS(FUNCTIONS)};
static const ternary_functions ternary[] = {KAEL_TERNARY_OPERATIONS(FUNCTIONS)};

static kael_status create(const elementwise_call *call, kael_tensor **out,
                          const kael_tensor *const *in) {
    return call->inputs == 1   ? unary[call->number].create(out, in[0])
           : call->inputs == 2 ? binary[call->number].create(out, in[0], in[1])
                               : ternary[call->number].create(out, in[0], in[1], in[2]);
}

static kael_status write_into(const elementwise_call *call, kael_tensor *out,
                              const kael_tensor *const *in) {
    return call->inputs == 1   ? unary[call->number].into(out, in[0])
           : call->inputs == 2 ? binary[call->number].into(out, in[0], in[1])
                               : ternary[call->number].into(out, in[0], in[1], in[2]);
}

static kael_status in_place(const elementwise_call *call, kael_tensor *a,
                            const kael_tensor *const *in) {
    return call->inputs == 1   ? unary[call->number].in_place(a)
           : call->inputs == 2 ? binary[call->number].in_place(a, in[1])
                               : ternary[call->number].in_place(a, in[1], in[2]);
}

/* ---- one call ---- */

/* Memory as it was before a call. */
static kael_tensor *copy_of(const kael_tensor *tensor) {
    kael_tensor *copy;
    ASSERT_OK(kael_tensor_clone(&copy, tensor));
    return copy;
}

static void check_create(const elementwise_call *call, const kael_tensor *const *in) {
    kael_tensor *out;
    ASSERT_OK(create(call, &out, in));
    ops_expect_definition(call, in, out, "new");
    kael_tensor_release(out);
}

static void check_into(const elementwise_call *call, const kael_tensor *const *in, int64_t rows,
                       int64_t columns, uint64_t *seed) {
    kael_dtype dtype;
    cr_assert(elementwise_result(call, &dtype));
    kael_tensor *out =
        ops_tensor(dtype, elementwise_random(seed) % LAYOUT_FULL_COUNT, rows, columns, seed);
    ASSERT_OK(write_into(call, out, in));
    ops_expect_definition(call, in, out, "into");
    kael_tensor_release(out);
}

/* The output is the first input, of whole shape and the result's dtype. */
static void check_in_place(const elementwise_call *call, kael_tensor *a,
                           const kael_tensor *const *in) {
    kael_tensor *before = copy_of(in[0]);
    const kael_tensor *inputs[] = {before, call->inputs > 1 ? in[1] : NULL,
                                   call->inputs > 2 ? in[2] : NULL};
    ASSERT_OK(in_place(call, a, in));
    ops_expect_definition(call, inputs, a, "in place");
    kael_tensor_release(before);
}

static bool takes_result(const elementwise_call *call, const kael_tensor *a, int64_t rows,
                         int64_t columns) {
    kael_dtype dtype;
    return elementwise_result(call, &dtype) && dtype == kael_tensor_dtype(a) &&
           kael_tensor_ndim(a) == 2 && kael_tensor_shape(a)[0] == rows &&
           kael_tensor_shape(a)[1] == columns;
}

static void check_call(const elementwise_call *call, const ops_layout *layouts, int64_t rows,
                       int64_t columns, uint64_t *seed) {
    kael_tensor *tensors[ELEMENTWISE_INPUTS] = {NULL};
    for (int i = 0; i < call->inputs; ++i) {
        tensors[i] = ops_tensor(call->dtypes[i], layouts[i], rows, columns, seed);
    }
    kael_tensor *last = tensors[call->inputs - 1];
    if (elementwise_divides_integers(call) || elementwise_raises_integers(call)) {
        ops_make_positive(last, elementwise_raises_integers(call));
    }
    const kael_tensor *const inputs[] = {tensors[0], tensors[1], tensors[2]};
    kael_tensor *out;
    kael_dtype dtype;
    if (elementwise_result(call, &dtype)) {
        /* The first input alone may not have the whole shape. */
        ASSERT_OK(create(call, &out, inputs));
        if (kael_tensor_ndim(out) == 2 && kael_tensor_shape(out)[0] == rows &&
            kael_tensor_shape(out)[1] == columns) {
            check_create(call, inputs);
            check_into(call, inputs, rows, columns, seed);
            if (layouts[0] < LAYOUT_FULL_COUNT && takes_result(call, tensors[0], rows, columns)) {
                check_in_place(call, tensors[0], inputs);
            }
        }
        kael_tensor_release(out);
    } else {
        out = tensors[0];
        cr_expect_eq(create(call, &out, inputs), KAEL_ERROR_DTYPE, "%s", elementwise_name(call));
        cr_expect_null(out);
    }
    for (int i = 0; i < call->inputs; ++i) {
        kael_tensor_release(tensors[i]);
    }
}

/* ---- all of them ---- */

static const int64_t sizes[][2] = {{1, 1},  {1, 7},  {2, 0},   {3, 1},   {1, 33},   {5, 3},
                                   {4, 16}, {7, 65}, {1, 130}, {33, 34}, {2, 1031}, {70, 3}};

static void check_sizes(const elementwise_call *call, uint64_t *seed) {
    for (size_t i = 0; i < COUNT_OF(sizes); ++i) {
        ops_layout layouts[ELEMENTWISE_INPUTS];
        for (int k = 0; k < call->inputs; ++k) {
            layouts[k] = elementwise_random(seed) % LAYOUT_COUNT;
        }
        layouts[elementwise_random(seed) % (uint64_t)call->inputs] =
            elementwise_random(seed) % LAYOUT_FULL_COUNT;
        check_call(call, layouts, sizes[i][0], sizes[i][1], seed);
    }
}

/* Every pair of layouts. */
static void check_layouts(const elementwise_call *call, uint64_t *seed) {
    for (ops_layout first = 0; first < LAYOUT_COUNT; ++first) {
        for (ops_layout second = 0; second < (call->inputs > 1 ? LAYOUT_COUNT : 1); ++second) {
            const ops_layout third = elementwise_random(seed) % LAYOUT_COUNT;
            check_call(call, (const ops_layout[]){first, second, third}, 6, 37, seed);
        }
    }
}

static bool is_same_dtype(const elementwise_call *call) {
    for (int i = 1; i < call->inputs; ++i) {
        if (call->dtypes[i] != call->dtypes[0]) {
            return false;
        }
    }
    return true;
}

static void check_operation(int inputs, int number) {
    uint64_t seed = (uint64_t)(inputs * 1000 + number);
    const int pairs = inputs == 1 ? DTYPE_COUNT : DTYPE_COUNT * DTYPE_COUNT;
    for (int pair = 0; pair < pairs; ++pair) {
        elementwise_call call = {.inputs = inputs, .number = number};
        call.dtypes[0] = (kael_dtype)(pair % DTYPE_COUNT);
        call.dtypes[1] = (kael_dtype)(pair / DTYPE_COUNT);
        call.dtypes[2] = (kael_dtype)(elementwise_random(&seed) % DTYPE_COUNT);
        if (inputs == 3 && call.dtypes[0] == call.dtypes[1]) {
            call.dtypes[2] = call.dtypes[0];
        }
        if (inputs == 3 && number == KAEL_TERNARY_where) {
            call.dtypes[2] = call.dtypes[0];
            call.dtypes[0] = elementwise_random(&seed) % 8 == 0 ? KAEL_U8 : KAEL_BOOL;
        }
        check_sizes(&call, &seed);
        if (is_same_dtype(&call)) {
            check_layouts(&call, &seed);
        }
    }
}

#define TEST_UNARY(name, rule, on_bool, on_floats, on_integers)                                    \
    Test(OpsUnary, name) {                                                                         \
        check_operation(1, KAEL_UNARY_##name);                                                     \
    }
#define TEST_BINARY(name, rule, on_bool, on_floats, on_integers)                                   \
    Test(OpsBinary, name) {                                                                        \
        check_operation(2, KAEL_BINARY_##name);                                                    \
    }
#define TEST_TERNARY(name, rule, on_bool, on_floats, on_integers)                                  \
    Test(OpsTernary, name) {                                                                       \
        check_operation(3, KAEL_TERNARY_##name);                                                   \
    }
KAEL_UNARY_OPERATIONS(TEST_UNARY)
KAEL_BINARY_OPERATIONS(TEST_BINARY)
KAEL_TERNARY_OPERATIONS(TEST_TERNARY)
