/* Elementwise operations: the cases that other libraries got wrong, and the rules of kael/ops.h. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kael/ops.h"
#include "kael/parallel.h"
#include "tensor/tensor.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))
#define SHAPE(...)                                                                                 \
    (int64_t) COUNT_OF(((const int64_t[]){__VA_ARGS__})), (const int64_t[]) {                      \
        __VA_ARGS__                                                                                \
    }

#define ASSERT_OK(expression) cr_assert_eq((expression), KAEL_OK, "%s", kael_last_error_message())

static kael_tensor *from(kael_dtype dtype, const void *data, int64_t ndim, const int64_t *shape) {
    kael_tensor *t;
    ASSERT_OK(kael_tensor_from_data(&t, dtype, ndim, shape, data));
    return t;
}

Test(Ops, AddsTwoTensors) {
    const float a_data[] = {1, 2, 3, 4};
    const float b_data[] = {10, 20, 30, 40};
    const float expected[] = {11, 22, 33, 44};
    kael_tensor *a = from(KAEL_F32, a_data, SHAPE(2, 2));
    kael_tensor *b = from(KAEL_F32, b_data, SHAPE(2, 2));
    kael_tensor *out;
    ASSERT_OK(kael_add(&out, a, b));
    cr_expect_arr_eq(kael_tensor_data(out), expected, sizeof expected);
    kael_tensor_release(out);
    kael_tensor_release(a);
    kael_tensor_release(b);
}
