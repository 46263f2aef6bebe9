/* Copies and conversions of elements in all layouts. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kael/ops.h"
#include "kael/parallel.h"
#include "kael/tensor.h"
#include "oracle/cast_oracle.h"
#include "random_layouts.h"
#include "tensor/copy.h"
#include "tensor/tensor.h"
#include "tensor_checks.h"

enum { DTYPES = KAEL_F64 + 1 };

static const kael_dtype dtypes_by_size[] = {KAEL_U8, KAEL_I16, KAEL_F32, KAEL_I64};
static const int64_t thread_counts[] = {1, 2, 3, 5, 8};

/* What the storage of `out` holds after the copy, by a loop over all indices. */
static unsigned char *expected_copy(const kael_tensor *out, const kael_tensor *in) {
    unsigned char *expected = layout_storage_copy(out);
    int64_t indices[KAEL_MAX_DIMS] = {0};
    do {
        unsigned char *place =
            layout_in_copy(expected, out, layout_element(out, out->ndim, indices));
        const char *element = layout_element(in, out->ndim, indices);
        if (out->dtype == in->dtype) {
            memcpy(place, element, (size_t)kael_dtype_size(out->dtype));
        } else {
            cast_array(out->dtype, place, in->dtype, element, 1);
        }
    } while (layout_next(out->ndim, out->sizes, indices));
    return expected;
}

/* The same bytes; NaN that a conversion has made may have any. */
static bool is_same_storage(const kael_tensor *out, const unsigned char *expected, bool converted) {
    return converted ? cast_first_difference(out->dtype, out->storage->data, expected,
                                             out->storage->bytes / kael_dtype_size(out->dtype)) < 0
                     : memcmp(out->storage->data, expected, (size_t)out->storage->bytes) == 0;
}

static void check_copy(const layout *out_layout, kael_dtype out_dtype, const layout *in_layout,
                       kael_dtype in_dtype) {
    kael_tensor *out = layout_tensor(out_layout, out_dtype, 1);
    kael_tensor *in = layout_tensor(in_layout, in_dtype, 99);
    unsigned char *expected = expected_copy(out, in);
    ASSERT_OK(kael_copy_elements(out, in));
    if (!is_same_storage(out, expected, out_dtype != in_dtype)) {
        cr_expect(false, "%s from %s", layout_text(out), layout_text(in));
    }
    free(expected);
    kael_tensor_release(out);
    kael_tensor_release(in);
}

Test(Copy, AllLayouts) {
    for (int round = 0; round < 6000; ++round) {
        const int ndim = (int)layout_random(6);
        int64_t shape[KAEL_MAX_DIMS];
        layout_random_shape(ndim, shape, INT64_C(3000) << layout_random(4));
        const layout out = layout_make(ndim, shape, LAYOUT_DISTINCT);
        layout in = layout_make(ndim, shape, LAYOUT_REPEATED);
        if (round % 3 == 0) {
            layout_shrink(&in);
        }
        const kael_dtype dtype = dtypes_by_size[round % 4];
        check_copy(&out, dtype, &in, dtype);
    }
}

Test(Copy, AllPairsOfDtypesInAllLayouts) {
    for (int out_dtype = 0; out_dtype < DTYPES; ++out_dtype) {
        for (int in_dtype = 0; in_dtype < DTYPES; ++in_dtype) {
            for (int round = 0; round < 10; ++round) {
                const int ndim = 1 + (int)layout_random(3);
                int64_t shape[KAEL_MAX_DIMS];
                layout_random_shape(ndim, shape, 600);
                const layout out = layout_make(ndim, shape, LAYOUT_DISTINCT);
                const layout in = layout_make(ndim, shape, LAYOUT_REPEATED);
                check_copy(&out, (kael_dtype)out_dtype, &in, (kael_dtype)in_dtype);
            }
        }
    }
}

/* Sizes around those of the blocks that are transposed in registers and of tiles, with rows that
 * begin anywhere, and with strides of a power of two. */
Test(Copy, Transposes) {
    const int64_t sizes[] = {1,  2,  3,  4,  7,  8,   9,   15,  16, 17,
                             31, 32, 33, 63, 65, 127, 128, 130, 257};
    for (size_t i = 0; i < COUNT_OF(sizes); ++i) {
        for (size_t j = 0; j < COUNT_OF(sizes); ++j) {
            const int64_t rows = sizes[i];
            const int64_t columns = sizes[j];
            const int64_t gap = (int64_t)((i + j) % 3);
            const int64_t row = columns + gap;
            const int64_t power = (i + j) % 4 == 0 ? 512 : rows + gap;
            const layout out = {2, {rows, columns}, {row, 1}, gap, rows * row + gap};
            const layout in = {2, {rows, columns}, {1, power}, 1, columns * power + 1};
            for (int size = 0; size < 4; ++size) {
                check_copy(&out, dtypes_by_size[size], &in, dtypes_by_size[size]);
            }
            check_copy(&out, KAEL_F64, &in, KAEL_F16);
        }
    }
}

/* Permutations of the dimensions of one dense block. */
Test(Copy, Permutations) {
    const int orders[][4] = {{3, 2, 1, 0}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 0, 3, 2},
                             {2, 3, 0, 1}, {3, 0, 1, 2}, {1, 2, 3, 0}};
    const int64_t sizes[] = {3, 35, 20, 18};
    for (size_t i = 0; i < COUNT_OF(orders); ++i) {
        layout out = {.ndim = 4, .room = 1};
        layout in = {.ndim = 4, .room = 1};
        for (int k = 3; k >= 0; --k) {
            const int dim = orders[i][k];
            out.shape[k] = in.shape[k] = sizes[k];
            out.strides[k] = out.room;
            out.room *= sizes[k];
            in.strides[dim] = in.room;
            in.room *= sizes[dim];
        }
        for (int size = 0; size < 4; ++size) {
            check_copy(&out, dtypes_by_size[size], &in, dtypes_by_size[size]);
        }
    }
}

/* So large that the copies go past the caches; the output begins anywhere. */
Test(Copy, LargeTensors) {
    const int64_t rows = 3001;
    const int64_t columns = 2899;
    const layout dense = {2, {rows, columns}, {columns, 1}, 0, rows * columns};
    const layout shifted = {2, {rows, columns}, {columns, 1}, 3, rows * columns + 7};
    const layout transposed = {2, {rows, columns}, {1, rows}, 5, rows * columns + 5};
    const layout row = {1, {columns}, {1}, 0, columns};
    ASSERT_OK(kael_set_num_threads(2));
    check_copy(&dense, KAEL_F32, &shifted, KAEL_F32);
    check_copy(&shifted, KAEL_U16, &dense, KAEL_U16);
    check_copy(&shifted, KAEL_F32, &transposed, KAEL_F32);
    check_copy(&transposed, KAEL_U8, &dense, KAEL_U8);
    check_copy(&dense, KAEL_I64, &row, KAEL_I64);
    check_copy(&dense, KAEL_F64, &transposed, KAEL_U8);
}

Test(Copy, ThreadCountsDoNotMatter) {
    const int64_t rows = 1031;
    const int64_t columns = 1033;
    const layout dense = {2, {rows, columns}, {columns, 1}, 0, rows * columns};
    const layout transposed = {2, {rows, columns}, {1, rows}, 0, rows * columns};
    const layout reversed = {
        2, {rows, columns}, {-columns, -1}, rows * columns - 1, rows * columns};
    for (size_t i = 0; i < COUNT_OF(thread_counts); ++i) {
        ASSERT_OK(kael_set_num_threads(thread_counts[i]));
        check_copy(&dense, KAEL_F32, &transposed, KAEL_F32);
        check_copy(&dense, KAEL_F16, &reversed, KAEL_F32);
        check_copy(&transposed, KAEL_I32, &reversed, KAEL_F64);
    }
}

Test(Copy, OntoItself) {
    const layout l = {2, {300, 200}, {1, 301}, 2, 301 * 200 + 2};
    for (int dtype = 0; dtype < DTYPES; ++dtype) {
        kael_tensor *t = layout_tensor(&l, (kael_dtype)dtype, 5);
        unsigned char *before = layout_storage_copy(t);
        ASSERT_OK(kael_copy_elements(t, t));
        cr_expect_arr_eq(t->storage->data, before, (size_t)t->storage->bytes);
        free(before);
        kael_tensor_release(t);
    }
}

/* Casts of floating point to integers. */

typedef struct saturation {
    double value;
    int64_t results[4]; /* u8, i8, i32, i64 */
} saturation;

static const saturation saturations[] = {
    {NAN, {0, 0, 0, 0}},
    {INFINITY, {255, 127, INT32_MAX, INT64_MAX}},
    {-1, {0, -1, -1, -1}},
    {-1.5, {0, -1, -1, -1}},
    {-0.5, {0, 0, 0, 0}},
    {256, {255, 127, 256, 256}},
    {3e9, {255, 127, INT32_MAX, 3000000000}},
    {1e20, {255, 127, INT32_MAX, INT64_MAX}},
    {-INFINITY, {0, -128, INT32_MIN, INT64_MIN}},
    {-3e9, {0, -128, INT32_MIN, -3000000000}},
    {-1e20, {0, -128, INT32_MIN, INT64_MIN}},
    {0.99999, {0, 0, 0, 0}},
};

enum { SATURATIONS = sizeof saturations / sizeof saturations[0] };

static int64_t integer_at(const kael_tensor *t, int64_t index) {
    switch (t->dtype) {
    case KAEL_U8:
        return ((const uint8_t *)t->data)[index];
    case KAEL_I8:
        return ((const int8_t *)t->data)[index];
    case KAEL_I32:
        return ((const int32_t *)t->data)[index];
    default:
        return ((const int64_t *)t->data)[index];
    }
}

/* The values one after the other, again and again from one of them on. */
static kael_tensor *tile_saturations(kael_dtype dtype, int64_t length, int start) {
    double values[40];
    for (int64_t i = 0; i < length; ++i) {
        values[i] = saturations[(start + i) % SATURATIONS].value;
    }
    kael_tensor *wide;
    kael_tensor *t;
    ASSERT_OK(kael_tensor_from_data(&wide, KAEL_F64, 1, &length, values));
    ASSERT_OK(kael_tensor_to_dtype(&t, wide, dtype));
    kael_tensor_release(wide);
    return t;
}

Test(Copy, K19_CastsSaturate) {
    const kael_dtype targets[] = {KAEL_U8, KAEL_I8, KAEL_I32, KAEL_I64};
    const kael_dtype sources[] = {KAEL_F64, KAEL_F32};
    const int64_t lengths[] = {1, 8, 9, 33, 40};
    for (int start = 0; start < SATURATIONS; ++start) {
        for (size_t l = 0; l < COUNT_OF(lengths); ++l) {
            for (size_t s = 0; s < COUNT_OF(sources); ++s) {
                kael_tensor *t = tile_saturations(sources[s], lengths[l], start);
                for (int k = 0; k < 4; ++k) {
                    kael_tensor *out;
                    ASSERT_OK(kael_tensor_to_dtype(&out, t, targets[k]));
                    for (int64_t i = 0; i < lengths[l]; ++i) {
                        const saturation *expected = &saturations[(start + i) % SATURATIONS];
                        cr_expect_eq(integer_at(out, i), expected->results[k],
                                     "%g to %s: %lld at %d of %d", expected->value,
                                     kael_dtype_name(targets[k]), (long long)integer_at(out, i),
                                     (int)i, (int)lengths[l]);
                    }
                    kael_tensor_release(out);
                }
                kael_tensor_release(t);
            }
        }
    }
}

/* Rounding through f32 gets these wrong. */
Test(Copy, NarrowsWithOneRounding) {
    const double values[] = {0x1.002001p0,      0x1.001fffffffp0, 0x1.0100000001p0,
                             0x1.00fffffffffp0, 65519.999999999,  0x1p-25 + 0x1p-60};
    const uint16_t f16[] = {0x3c01, 0x3c00, 0x3c04, 0x3c04, 0x7bff, 0x0001};
    const uint16_t bf16[] = {0x3f80, 0x3f80, 0x3f81, 0x3f80, 0x4780, 0x3300};
    kael_tensor *t;
    kael_tensor *out;
    ASSERT_OK(kael_tensor_from_data(&t, KAEL_F64, SHAPE(6), values));
    ASSERT_OK(kael_tensor_to_dtype(&out, t, KAEL_F16));
    cr_expect_arr_eq(out->data, f16, sizeof f16);
    kael_tensor_release(out);
    ASSERT_OK(kael_tensor_to_dtype(&out, t, KAEL_BF16));
    cr_expect_arr_eq(out->data, bf16, sizeof bf16);
    kael_tensor_release(out);
    kael_tensor_release(t);
}

Test(Copy, K23_ReversedSteps) {
    kael_tensor *numbers = arange(KAEL_F64, 20000);
    kael_tensor *t;
    kael_tensor *steps;
    kael_tensor *copy;
    kael_tensor *shifted;
    ASSERT_OK(kael_tensor_slice(&steps, numbers, 0, 19999, -1, -3));
    ASSERT_OK(kael_tensor_contiguous(&copy, steps));
    ASSERT_OK(kael_sub_scalar(&t, steps, kael_scalar_float(0.25)));
    ASSERT_OK(kael_sub_scalar(&shifted, copy, kael_scalar_float(0.25)));
    cr_expect_eq(copy->numel, 6667);
    for (int64_t i = 0; i < copy->numel; ++i) {
        const double expected = (double)(19999 - 3 * i);
        int64_t index = i;
        cr_expect_eq(((const double *)copy->data)[i], expected);
        cr_expect_eq(((const double *)shifted->data)[i], expected - 0.25);
        cr_expect_eq(*(const double *)(const void *)layout_element(t, 1, &index), expected - 0.25);
    }
    kael_tensor_release(shifted);
    kael_tensor_release(t);
    kael_tensor_release(copy);
    kael_tensor_release(steps);
    kael_tensor_release(numbers);
}

/* Filling. */

static void check_fill(const layout *l, kael_dtype dtype) {
    const unsigned char element[8] = {1, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef};
    kael_tensor *t = layout_tensor(l, dtype, 3);
    unsigned char *expected = layout_storage_copy(t);
    int64_t indices[KAEL_MAX_DIMS] = {0};
    do {
        memcpy(layout_in_copy(expected, t, layout_element(t, t->ndim, indices)), element,
               (size_t)kael_dtype_size(dtype));
    } while (layout_next(t->ndim, t->sizes, indices));
    ASSERT_OK(kael_fill_elements(t, element));
    cr_expect_arr_eq(t->storage->data, expected, (size_t)t->storage->bytes, "%s", layout_text(t));
    free(expected);
    kael_tensor_release(t);
}

Test(Copy, FillsAllLayouts) {
    for (int round = 0; round < 400; ++round) {
        int64_t shape[KAEL_MAX_DIMS];
        const int ndim = (int)layout_random(5);
        layout_random_shape(ndim, shape, 5000);
        const layout l = layout_make(ndim, shape, LAYOUT_DISTINCT);
        check_fill(&l, (kael_dtype)(round % DTYPES));
    }
    const layout large = {1, {5000001}, {1}, 1, 5000003};
    ASSERT_OK(kael_set_num_threads(3));
    check_fill(&large, KAEL_F64);
    check_fill(&large, KAEL_U8);
}

Test(Copy, LargeTensorsFromData) {
    const int64_t numel = 2000003;
    unsigned char *data = malloc((size_t)numel * 8 + 1);
    cr_assert_not_null(data);
    for (int64_t i = 0; i <= numel * 8; ++i) {
        data[i] = (unsigned char)(i * 31 % 251);
    }
    ASSERT_OK(kael_set_num_threads(3));
    for (int dtype = 0; dtype < DTYPES; ++dtype) {
        kael_tensor *t;
        ASSERT_OK(kael_tensor_from_data(&t, (kael_dtype)dtype, 1, &numel, data + 1));
        const size_t bytes = (size_t)(numel * kael_dtype_size((kael_dtype)dtype));
        if (dtype == KAEL_BOOL) {
            for (int64_t i = 0; i < numel; ++i) {
                cr_assert_eq(((const uint8_t *)t->data)[i], data[1 + i] != 0);
            }
        } else {
            cr_expect_arr_eq(t->data, data + 1, bytes);
        }
        kael_tensor_release(t);
    }
    free(data);
}
