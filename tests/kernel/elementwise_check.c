/* The kernels of elementwise operations against the oracle, with operands that end at unreadable
 * pages and outputs compared together with their surroundings. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "kernel_check.h"
#include "kernels/elementwise.h"
#include "oracle/elementwise_oracle.h"
#include "oracle/elementwise_values.h"
#include "tensor/element.h"

enum {
    ARENA_BYTES = 1 << 17,
    MARGIN = 80, /* elements around an output that must stay as they are */
    OPERANDS = ELEMENTWISE_INPUTS + 1,
    MOST_ROWS = 3
};

typedef struct elementwise_check {
    kernel_check *check;
    const char *isa;
    kael_loop_kernel *kernel;
    elementwise_call call;
    kael_dtype dtypes[OPERANDS]; /* of the kernel, the output first */
    arena memory[OPERANDS];
    char *expected; /* of the output and its margins */
    uint64_t seed;
} elementwise_check;

static uint64_t vary(elementwise_check *e, uint64_t choices) {
    return elementwise_random(&e->seed) % choices;
}

static int64_t size_of(const elementwise_check *e, int operand) {
    return kael_dtype_size(e->dtypes[operand]);
}

static void fill(elementwise_check *e, int operand, char *data, int64_t count) {
    const kael_dtype dtype = e->dtypes[operand];
    const int64_t size = size_of(e, operand);
    const bool is_last = operand == e->call.inputs;
    for (int64_t i = 0; i < count; ++i) {
        char *element = data + i * size;
        elementwise_random_element(dtype, &e->seed, element);
        if (is_last && dtype < KAEL_F16) {
            const kael_integer value = kael_element_to_integer(element, dtype);
            if ((elementwise_divides_integers(&e->call) && value.magnitude == 0) ||
                (elementwise_raises_integers(&e->call) && value.is_negative)) {
                elementwise_write_integer(dtype, 1, element);
            }
        }
    }
}

/* Rows of `inner` elements, dense, or one element that is repeated, against a random edge. */
static void place(elementwise_check *e, kael_loop *loop, int operand, bool repeats) {
    const int64_t size = size_of(e, operand);
    const int64_t row = repeats ? 1 : loop->inner;
    const int64_t gap = loop->outer == 1 ? 0 : (int64_t)vary(e, 3);
    const int64_t margin = operand == 0 ? MARGIN : 0;
    const int64_t count = loop->inner == 0 ? 0 : (loop->outer - 1) * (row + gap) + row;
    const arena_edge edge = vary(e, 2) == 0 ? ARENA_BEGIN : ARENA_END;
    char *first = arena_place(&e->memory[operand], edge, 0, (count + 2 * margin) * size);
    fill(e, operand, first, count + 2 * margin);
    loop->data[operand] = first + margin * size;
    loop->inner_strides[operand] = repeats ? 0 : size;
    loop->outer_strides[operand] = (row + gap) * size;
}

static void compute_expected(const elementwise_check *e, const kael_loop *loop, char *out) {
    for (int64_t row = 0; row < loop->outer; ++row) {
        for (int64_t i = 0; i < loop->inner; ++i) {
            const void *elements[ELEMENTWISE_INPUTS];
            for (int k = 1; k <= e->call.inputs; ++k) {
                elements[k - 1] =
                    loop->data[k] + row * loop->outer_strides[k] + i * loop->inner_strides[k];
            }
            elementwise_element(&e->call, elements,
                                out + row * loop->outer_strides[0] + i * size_of(e, 0));
        }
    }
}

static bool is_nan(kael_dtype dtype, const void *element) {
    return dtype >= KAEL_F16 && isnan(kael_element_to_double(element, dtype));
}

static void compare(const elementwise_check *e, const char *actual, int64_t count) {
    const int64_t size = size_of(e, 0);
    for (int64_t i = 0; i < count; ++i) {
        const char *a = actual + i * size;
        const char *b = e->expected + i * size;
        if (memcmp(a, b, (size_t)size) != 0 &&
            !(is_nan(e->dtypes[0], a) && is_nan(e->dtypes[0], b))) {
            check_failed(e->check, "element %" PRId64 " of %" PRId64 " is %g, not %g", i - MARGIN,
                         count - 2 * MARGIN, kael_element_to_double(a, e->dtypes[0]),
                         kael_element_to_double(b, e->dtypes[0]));
            return;
        }
    }
}

/* `repeated` is the input with an inner stride of 0; 0 is none. */
static void check_loop(elementwise_check *e, int64_t count, int repeated, bool in_place,
                       bool streams) {
    kael_loop loop = {.inner = count, .outer = (int64_t)vary(e, MOST_ROWS) + 1};
    check_case(e->check, "%s %s %s: %" PRId64 " x %" PRId64 ", repeated %d%s%s", e->isa,
               elementwise_name(&e->call), kael_dtype_name(e->call.dtypes[0]), loop.outer, count,
               repeated, in_place ? ", in place" : "", streams ? ", streaming" : "");
    place(e, &loop, 0, false);
    for (int k = 1; k <= e->call.inputs; ++k) {
        place(e, &loop, k, k == repeated);
    }
    if (in_place) {
        loop.data[1] = loop.data[0];
        loop.outer_strides[1] = loop.outer_strides[0];
    }
    const int64_t elements =
        loop.inner == 0 ? 0 : (loop.outer - 1) * loop.outer_strides[0] / size_of(e, 0) + count;
    const char *first = loop.data[0] - MARGIN * size_of(e, 0);
    memcpy(e->expected, first, (size_t)((elements + 2 * MARGIN) * size_of(e, 0)));
    compute_expected(e, &loop, e->expected + MARGIN * size_of(e, 0));
    e->kernel(&loop, streams ? &loop : NULL);
    compare(e, first, elements + 2 * MARGIN);
}

static void check_count(elementwise_check *e, int64_t count) {
    const int most_repeated = e->call.inputs == 2 && count > 0 ? 2 : 0;
    for (int repeated = 0; repeated <= most_repeated; ++repeated) {
        check_loop(e, count, repeated, false, false);
        check_loop(e, count, repeated, false, true);
    }
    if (e->dtypes[0] == e->dtypes[1]) {
        check_loop(e, count, 0, true, false);
    }
}

static void check_kernel(elementwise_check *e) {
    static const int64_t large[] = {127, 128, 129, 255, 256, 257, 300, 511, 777};
    const int64_t dense = e->check->quick ? 20 : 70;
    for (int64_t count = 0; count <= dense; count += e->check->quick ? 3 : 1) {
        check_count(e, count);
    }
    for (size_t i = 0; i < sizeof large / sizeof large[0]; ++i) {
        check_count(e, large[i]);
    }
    e->check->kernels += 1;
}

/* Comparisons and tests give bool, the condition of a selection is bool. */
static void check_operation(elementwise_check *e, kael_loop_kernel *kernel, int inputs, int number,
                            kael_dtype first, kael_dtype second) {
    if (kernel == NULL) {
        return;
    }
    e->kernel = kernel;
    e->call = (elementwise_call){inputs, number, {first, second, second}};
    if (inputs == 3 && number == KAEL_TERNARY_where) {
        e->call.dtypes[0] = KAEL_BOOL;
    }
    if (!elementwise_result(&e->call, &e->dtypes[0])) {
        check_case(e->check, "%s %s", e->isa, elementwise_name(&e->call));
        check_failed(e->check, "a kernel of %s, for which it is not defined",
                     kael_dtype_name(first));
        return;
    }
    memcpy(e->dtypes + 1, e->call.dtypes, sizeof e->call.dtypes);
    check_kernel(e);
}

static void check_record(elementwise_check *e, const kael_elementwise_kernels *kernels,
                         kael_dtype first, kael_dtype second) {
    for (int i = 0; i < KAEL_UNARY_COUNT; ++i) {
        check_operation(e, kernels->unary[i], 1, i, first, second);
    }
    for (int i = 0; i < KAEL_BINARY_COUNT; ++i) {
        check_operation(e, kernels->binary[i], 2, i, first, second);
    }
    for (int i = 0; i < KAEL_TERNARY_COUNT; ++i) {
        check_operation(e, kernels->ternary[i], 3, i, first, second);
    }
}

/* Its results, rounded to a format of 16 bits, are those of the fused operation. */
static void check_fma_to_odd(elementwise_check *e, kael_loop_kernel *kernel, kael_dtype half) {
    enum { COUNT = 20000 };
    const elementwise_call call = {3, KAEL_TERNARY_fma, {half, half, half}};
    static uint16_t inputs[ELEMENTWISE_INPUTS][COUNT];
    static double numbers[OPERANDS][COUNT];
    kael_loop loop = {.inner = COUNT, .outer = 1, .data[0] = (char *)numbers[0]};
    check_case(e->check, "%s fma_to_odd %s", e->isa, kael_dtype_name(half));
    loop.inner_strides[0] = sizeof(double);
    for (int k = 0; k < ELEMENTWISE_INPUTS; ++k) {
        for (int i = 0; i < COUNT; ++i) {
            elementwise_random_element(half, &e->seed, &inputs[k][i]);
            numbers[k + 1][i] = kael_element_to_double(&inputs[k][i], half);
        }
        loop.data[k + 1] = (char *)numbers[k + 1];
        loop.inner_strides[k + 1] = sizeof(double);
    }
    kernel(&loop, NULL);
    for (int i = 0; i < COUNT; ++i) {
        uint16_t expected = 0;
        uint16_t actual = 1;
        elementwise_element(&call, (const void *[]){&inputs[0][i], &inputs[1][i], &inputs[2][i]},
                            &expected);
        if (kael_element_from_double(&actual, half, numbers[0][i]) != KAEL_OK ||
            (actual != expected && !(is_nan(half, &actual) && is_nan(half, &expected)))) {
            check_failed(e->check, "%g * %g + %g is %#x, not %#x", numbers[1][i], numbers[2][i],
                         numbers[3][i], actual, expected);
        }
    }
    e->check->kernels += 1;
}

void check_elementwise_kernels(kernel_check *check, const kael_kernels *kernels) {
    const kael_elementwise_set *set = kernels->elementwise;
    elementwise_check e = {
        .check = check,
        .isa = kernels->name,
        .memory = {arena_open(ARENA_BYTES), arena_open(ARENA_BYTES), arena_open(ARENA_BYTES),
                   arena_open(ARENA_BYTES)},
        .expected = malloc(ARENA_BYTES),
    };
    for (kael_dtype dtype = KAEL_BOOL; dtype <= KAEL_F64; ++dtype) {
        if (set->of[dtype] != NULL) {
            check_record(&e, set->of[dtype], dtype, dtype);
        }
    }
    check_record(&e, set->u64_with_i64, KAEL_U64, KAEL_I64);
    check_record(&e, set->i64_with_u64, KAEL_I64, KAEL_U64);
    check_fma_to_odd(&e, set->of[KAEL_F64]->fma_to_odd, KAEL_F16);
    check_fma_to_odd(&e, set->of[KAEL_F64]->fma_to_odd, KAEL_BF16);
    free(e.expected);
    for (int k = 0; k < OPERANDS; ++k) {
        arena_close(&e.memory[k]);
    }
}
