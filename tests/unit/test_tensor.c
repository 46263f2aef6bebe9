/* Tensors: creation, layout, lifetime, and the helpers that validate arguments. */
#include <criterion/criterion.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kael/allocator.h"
#include "kael/tensor.h"
#include "memory/block.h"
#include "memory/system.h"
#include "tensor/element.h"
#include "tensor/require.h"
#include "tensor/shape.h"
#include "tensor/storage.h"
#include "tensor/tensor.h"
#include "tensor_checks.h"

static const kael_dtype all_dtypes[] = {
    KAEL_BOOL, KAEL_I8,  KAEL_I16, KAEL_I32,  KAEL_I64, KAEL_U8,  KAEL_U16,
    KAEL_U32,  KAEL_U64, KAEL_F16, KAEL_BF16, KAEL_F32, KAEL_F64,
};

/* `out` is NULL, or points to what the failed call has left. */
static void expect_error(kael_status status, kael_status expected, kael_tensor *const *out,
                         const char *text) {
    cr_expect_eq(status, expected, "%s: %s", text, kael_last_error_message());
    cr_expect(out == NULL || *out == NULL, "%s", text);
    cr_expect_not_null(strstr(kael_last_error_message(), text), "'%s' in: %s", text,
                       kael_last_error_message());
}

static void expect_sizes(const int64_t *actual, int64_t ndim, const int64_t *expected) {
    for (int64_t i = 0; i < ndim; ++i) {
        cr_expect_eq(actual[i], expected[i], "%" PRId64 ": %" PRId64, i, actual[i]);
    }
}

static void expect_layout(const kael_tensor *tensor, int64_t ndim, const int64_t *shape,
                          const int64_t *strides) {
    cr_expect_eq(kael_tensor_ndim(tensor), ndim);
    expect_sizes(kael_tensor_shape(tensor), ndim, shape);
    expect_sizes(kael_tensor_strides(tensor), ndim, strides);
    cr_expect_eq(kael_tensor_offset(tensor), 0);
    cr_expect(kael_tensor_is_contiguous(tensor));
}

Test(Tensor, NewTensorsAreRowMajor) {
    kael_tensor *t;
    ASSERT_OK(kael_tensor_empty(&t, KAEL_F32, SHAPE(3, 4)));
    expect_layout(t, SHAPE(3, 4), (const int64_t[]){4, 1});
    cr_expect_eq(kael_tensor_dtype(t), KAEL_F32);
    cr_expect_eq(kael_tensor_numel(t), 12);
    cr_expect_eq(kael_tensor_storage_bytes(t), 48);
    kael_tensor_release(t);
    ASSERT_OK(kael_tensor_empty(&t, KAEL_I64, SHAPE(2, 1, 5, 3)));
    expect_layout(t, SHAPE(2, 1, 5, 3), (const int64_t[]){15, 15, 3, 1});
    cr_expect_eq(kael_tensor_storage_bytes(t), 240);
    kael_tensor_release(t);
}

Test(Tensor, ScalarsHaveNoDimensions) {
    kael_tensor *t;
    ASSERT_OK(kael_tensor_full(&t, KAEL_F64, 0, NULL, 2.5));
    cr_expect_eq(kael_tensor_ndim(t), 0);
    cr_expect_eq(kael_tensor_numel(t), 1);
    cr_expect_eq(*(double *)kael_tensor_data(t), 2.5);
    cr_expect(kael_tensor_is_contiguous(t));
    kael_tensor_release(t);
}

Test(Tensor, TheLargestNumberOfDimensions) {
    int64_t shape[KAEL_MAX_DIMS];
    int64_t strides[KAEL_MAX_DIMS];
    for (int i = 0; i < KAEL_MAX_DIMS; ++i) {
        shape[i] = 2;
        strides[i] = INT64_C(1) << (KAEL_MAX_DIMS - 1 - i);
    }
    kael_tensor *t;
    ASSERT_OK(kael_tensor_zeros(&t, KAEL_U8, KAEL_MAX_DIMS, shape));
    expect_layout(t, KAEL_MAX_DIMS, shape, strides);
    cr_expect_eq(kael_tensor_numel(t), INT64_C(1) << KAEL_MAX_DIMS);
    kael_tensor_release(t);
}

Test(Tensor, ZeroSizesHaveNoElements) {
    for (size_t i = 0; i < COUNT_OF(all_dtypes); ++i) {
        kael_tensor *t;
        ASSERT_OK(kael_tensor_ones(&t, all_dtypes[i], SHAPE(3, 0, 2)));
        expect_layout(t, SHAPE(3, 0, 2), (const int64_t[]){0, 2, 1});
        cr_expect_eq(kael_tensor_numel(t), 0);
        cr_expect_null(kael_tensor_data(t));
        cr_expect_eq(kael_tensor_storage_bytes(t), 0);
        kael_tensor_release(t);
        ASSERT_OK(kael_tensor_from_data(&t, all_dtypes[i], SHAPE(0), NULL));
        cr_expect_null(kael_tensor_data(t));
        kael_tensor_release(t);
    }
}

typedef struct size_case {
    int64_t ndim;
    int64_t shape[4];
    kael_dtype dtype;
    bool fits;
} size_case;

Test(Tensor, K48_SizesThatOverflowAreRejected) {
    const int64_t two62 = INT64_C(1) << 62;
    const int64_t two32 = INT64_C(1) << 32;
    const int64_t two40 = INT64_C(1) << 40;
    const size_case cases[] = {
        {2, {two32, two32}, KAEL_F32, false},
        {2, {two32, two32}, KAEL_U8, false},
        {2, {two62, 8}, KAEL_F32, false},
        {2, {two62, 8}, KAEL_BOOL, false},
        {2, {two62, 2}, KAEL_U8, false},
        {1, {two62}, KAEL_I16, false},
        {1, {INT64_MAX}, KAEL_F16, false},
        {3, {two40, two40, two40}, KAEL_U8, false},
        {4, {3037000500, 3037000500, 1, 1}, KAEL_U8, false},
        {3, {two40, 0, two40}, KAEL_F32, true},
        {3, {two40, 0, two40}, KAEL_F64, true},
        {3, {0, two40, two40}, KAEL_F64, true},
        {3, {two40, two40, 0}, KAEL_F64, true},
        {3, {INT64_MAX, INT64_MAX, 0}, KAEL_F64, true},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        const size_case *c = &cases[i];
        char text[KAEL_SHAPE_TEXT_SIZE];
        kael_shape_text(text, c->ndim, c->shape);
        kael_tensor *t = poison();
        const kael_status status = kael_tensor_zeros(&t, c->dtype, c->ndim, c->shape);
        if (c->fits) {
            cr_assert_eq(status, KAEL_OK, "%s: %s", text, kael_last_error_message());
            cr_expect_eq(kael_tensor_numel(t), 0, "%s", text);
            cr_expect(kael_tensor_is_contiguous(t), "%s", text);
            cr_expect_null(kael_tensor_data(t), "%s", text);
            kael_tensor_release(t);
        } else {
            expect_error(status, KAEL_ERROR_SHAPE, &t, text);
        }
    }
}

Test(Tensor, SizesBeyondTheMachineAreMemoryErrors) {
    const int64_t sizes[] = {INT64_C(1) << 61, INT64_C(1) << 62, (INT64_C(1) << 62) + 1, INT64_MAX};
    for (size_t i = 0; i < COUNT_OF(sizes); ++i) {
        kael_tensor *t = poison();
        expect_error(kael_tensor_empty(&t, KAEL_U8, 1, &sizes[i]), KAEL_ERROR_MEMORY, &t, "bytes");
    }
}

Test(Tensor, BadArgumentsAreNamed) {
    kael_tensor *t = poison();
    expect_error(kael_tensor_empty(&t, KAEL_F32, SHAPE(2, -3, 4)), KAEL_ERROR_SHAPE, &t,
                 "got -3 in dimension 1");
    t = poison();
    expect_error(kael_tensor_zeros(&t, KAEL_F32, SHAPE(0, -1)), KAEL_ERROR_SHAPE, &t,
                 "got -1 in dimension 1");
    t = poison();
    expect_error(kael_tensor_empty(&t, KAEL_F32, -1, NULL), KAEL_ERROR_SHAPE, &t,
                 "ndim must be between 0 and 16, got -1");
    t = poison();
    const int64_t many[KAEL_MAX_DIMS + 1] = {0};
    expect_error(kael_tensor_empty(&t, KAEL_F32, KAEL_MAX_DIMS + 1, many), KAEL_ERROR_SHAPE, &t,
                 "got 17");
    t = poison();
    expect_error(kael_tensor_empty(&t, KAEL_F32, INT64_MAX, many), KAEL_ERROR_SHAPE, &t, "ndim");
    t = poison();
    expect_error(kael_tensor_empty(&t, KAEL_F32, 2, NULL), KAEL_ERROR_VALUE, &t,
                 "shape must not be NULL");
    t = poison();
    expect_error(kael_tensor_empty(&t, (kael_dtype)13, SHAPE(1)), KAEL_ERROR_DTYPE, &t,
                 "13 is not a dtype");
    t = poison();
    expect_error(kael_tensor_full(&t, (kael_dtype)-1, SHAPE(1), 1.0), KAEL_ERROR_DTYPE, &t,
                 "-1 is not a dtype");
    t = poison();
    expect_error(kael_tensor_from_data(&t, KAEL_F32, SHAPE(2, 3), NULL), KAEL_ERROR_VALUE, &t,
                 "data must not be NULL for shape (2, 3)");
}

Test(Tensor, ResultPointersMustNotBeNull) {
    const float data[] = {1};
    expect_error(kael_tensor_empty(NULL, KAEL_F32, SHAPE(1)), KAEL_ERROR_VALUE, NULL,
                 "out must not be NULL");
    expect_error(kael_tensor_zeros(NULL, KAEL_F32, SHAPE(1)), KAEL_ERROR_VALUE, NULL, "out");
    expect_error(kael_tensor_ones(NULL, KAEL_F32, SHAPE(1)), KAEL_ERROR_VALUE, NULL, "out");
    expect_error(kael_tensor_full(NULL, KAEL_F32, SHAPE(1), 2), KAEL_ERROR_VALUE, NULL, "out");
    expect_error(kael_tensor_from_data(NULL, KAEL_F32, SHAPE(1), data), KAEL_ERROR_VALUE, NULL,
                 "out");
}

Test(Tensor, DataAreAligned) {
    for (int64_t size = 1; size < 3000000; size = size * 2 + 1) {
        kael_tensor *t;
        ASSERT_OK(kael_tensor_empty(&t, KAEL_F32, 1, &size));
        cr_expect_eq((uintptr_t)kael_tensor_data(t) % KAEL_MEMORY_ALIGNMENT, 0, "%" PRId64, size);
        memset(kael_tensor_data(t), 0xFF, (size_t)kael_tensor_storage_bytes(t));
        kael_tensor_release(t);
    }
}

/* Counts the bytes of a tensor that differ from the repetition of an element. */
static int64_t count_other_bytes(const kael_tensor *t, const void *element, int64_t element_size) {
    const unsigned char *data = kael_tensor_data(t);
    int64_t count = 0;
    for (int64_t i = 0; i < kael_tensor_storage_bytes(t); ++i) {
        count += data[i] != ((const unsigned char *)element)[i % element_size];
    }
    return count;
}

static const int64_t sizes_around_the_classes[] = {
    1, 2, 63, 64, 65, 255, 16000, 16384, 16385, 32768, 100000, 524288, 600000};

/* Also on memory that was dirty before. */
Test(Tensor, ZerosAndOnes) {
    const unsigned char zero[KAEL_MAX_ELEMENT_SIZE] = {0};
    for (size_t d = 0; d < COUNT_OF(all_dtypes); ++d) {
        const int64_t element_size = kael_dtype_size(all_dtypes[d]);
        unsigned char one[KAEL_MAX_ELEMENT_SIZE];
        ASSERT_OK(kael_element_from_double(one, all_dtypes[d], 1.0));
        for (size_t s = 0; s < COUNT_OF(sizes_around_the_classes); ++s) {
            const int64_t size = sizes_around_the_classes[s];
            kael_tensor *t;
            ASSERT_OK(kael_tensor_ones(&t, all_dtypes[d], 1, &size));
            cr_expect_eq(count_other_bytes(t, one, element_size), 0);
            kael_tensor_release(t);
            ASSERT_OK(kael_tensor_zeros(&t, all_dtypes[d], 1, &size));
            cr_expect_eq(count_other_bytes(t, zero, element_size), 0);
            kael_tensor_release(t);
        }
    }
}

Test(Tensor, FromDataCopies) {
    double data[] = {1, 2, 3, 4, 5, 6};
    kael_tensor *t;
    ASSERT_OK(kael_tensor_from_data(&t, KAEL_F64, SHAPE(2, 3), data));
    data[0] = 100;
    const double *elements = kael_tensor_data(t);
    for (int i = 0; i < 6; ++i) {
        cr_expect_eq(elements[i], i + 1);
    }
    kael_tensor_release(t);
    const unsigned char bytes[] = {0, 1, 2, 255};
    ASSERT_OK(kael_tensor_from_data(&t, KAEL_BOOL, SHAPE(4), bytes));
    cr_expect_eq(memcmp(kael_tensor_data(t), (const unsigned char[]){0, 1, 1, 1}, 4), 0);
    kael_tensor_release(t);
}

/* The shape may change after the call. */
Test(Tensor, ShapesAreCopied) {
    int64_t shape[] = {2, 3};
    kael_tensor *t;
    ASSERT_OK(kael_tensor_zeros(&t, KAEL_F32, 2, shape));
    shape[0] = 9;
    expect_layout(t, SHAPE(2, 3), (const int64_t[]){3, 1});
    kael_tensor_release(t);
}

/* Converting one double. */

typedef struct integer_range {
    kael_dtype dtype;
    double lowest;  /* the lowest value that is cut to one in range */
    double highest; /* the highest */
} integer_range;

static const integer_range integer_ranges[] = {
    {KAEL_I8, -128.99, 127.99},
    {KAEL_I16, -32768.99, 32767.99},
    {KAEL_I32, -2147483648.99, 2147483647.99},
    {KAEL_I64, -0x1p63, 0x1.fffffffffffffp62},
    {KAEL_U8, -0.99, 255.99},
    {KAEL_U16, -0.99, 65535.99},
    {KAEL_U32, -0.99, 4294967295.99},
    {KAEL_U64, -0.99, 0x1.fffffffffffffp63},
};

static double read_integer(const void *element, kael_dtype dtype) {
    switch (dtype) {
    case KAEL_I8:
        return *(const int8_t *)element;
    case KAEL_I16:
        return *(const int16_t *)element;
    case KAEL_I32:
        return *(const int32_t *)element;
    case KAEL_I64:
        return (double)*(const int64_t *)element;
    case KAEL_U8:
        return *(const uint8_t *)element;
    case KAEL_U16:
        return *(const uint16_t *)element;
    case KAEL_U32:
        return *(const uint32_t *)element;
    default:
        return (double)*(const uint64_t *)element;
    }
}

Test(Tensor, FullCutsFractionsOfIntegers) {
    for (size_t i = 0; i < COUNT_OF(integer_ranges); ++i) {
        const integer_range *range = &integer_ranges[i];
        const double values[] = {range->lowest, range->highest, 0.0, -0.0, 0.99, 1.5, 100.999};
        for (size_t v = 0; v < COUNT_OF(values); ++v) {
            kael_tensor *t;
            ASSERT_OK(kael_tensor_full(&t, range->dtype, SHAPE(3), values[v]));
            const char *data = kael_tensor_data(t);
            for (int64_t k = 0; k < 3; ++k) {
                cr_expect_eq(read_integer(data + k * kael_dtype_size(range->dtype), range->dtype),
                             trunc(values[v]), "%s %g", kael_dtype_name(range->dtype), values[v]);
            }
            kael_tensor_release(t);
        }
    }
}

Test(Tensor, FullRejectsIntegersOutOfRange) {
    for (size_t i = 0; i < COUNT_OF(integer_ranges); ++i) {
        const integer_range *range = &integer_ranges[i];
        const double below =
            range->lowest < -1e18 ? nextafter(range->lowest, -INFINITY) : floor(range->lowest);
        const double above =
            range->highest > 1e18 ? nextafter(range->highest, INFINITY) : ceil(range->highest);
        const double values[] = {below, above, NAN, INFINITY, -INFINITY, 1e300};
        for (size_t v = 0; v < COUNT_OF(values); ++v) {
            kael_tensor *t = poison();
            expect_error(kael_tensor_full(&t, range->dtype, SHAPE(3), values[v]), KAEL_ERROR_VALUE,
                         &t, kael_dtype_name(range->dtype));
        }
    }
    kael_tensor *t = poison();
    expect_error(kael_tensor_full(&t, KAEL_I64, SHAPE(1), 0x1p63), KAEL_ERROR_VALUE, &t, "i64");
    expect_error(kael_tensor_full(&t, KAEL_U64, SHAPE(1), 0x1p64), KAEL_ERROR_VALUE, &t, "u64");
    expect_error(kael_tensor_full(&t, KAEL_U8, SHAPE(1), 256), KAEL_ERROR_VALUE, &t,
                 "value 256 is not in the range of u8");
}

Test(Tensor, FullOfBoolTellsWhetherItIsNotZero) {
    const double values[] = {0.0, -0.0, 1.0, -1.0, 0.25, DBL_TRUE_MIN, INFINITY, NAN};
    for (size_t i = 0; i < COUNT_OF(values); ++i) {
        unsigned char element = 2;
        ASSERT_OK(kael_element_from_double(&element, KAEL_BOOL, values[i]));
        cr_expect_eq(element, i >= 2);
    }
}

Test(Tensor, FullKeepsTheSignOfZero) {
    kael_tensor *t;
    ASSERT_OK(kael_tensor_full(&t, KAEL_F32, SHAPE(2), -0.0));
    cr_expect(signbit(((float *)kael_tensor_data(t))[1]));
    kael_tensor_release(t);
}

Test(Tensor, FullRoundsF32) {
    const double values[] = {0.1, 1e300, -1e300, 0x1.000001p0, 0x1.000003p0, 1e-46, NAN};
    for (size_t i = 0; i < COUNT_OF(values); ++i) {
        kael_tensor *t;
        ASSERT_OK(kael_tensor_full(&t, KAEL_F32, SHAPE(1), values[i]));
        const float expected = (float)values[i];
        const float actual = *(float *)kael_tensor_data(t);
        cr_expect(actual == expected || (isnan(actual) && isnan(expected)), "%g", values[i]);
        kael_tensor_release(t);
    }
}

typedef struct half_format {
    kael_dtype dtype;
    int exponent_bits;
    int mantissa_bits;
} half_format;

static const half_format half_formats[] = {{KAEL_F16, 5, 10}, {KAEL_BF16, 8, 7}};

/* The value of the finite bits; of those of infinity, the power of two where it begins. */
static double decode(const half_format *format, uint32_t bits) {
    const int exponent = (int)(bits >> format->mantissa_bits);
    const uint32_t mantissa = bits & ((UINT32_C(1) << format->mantissa_bits) - 1);
    const int bias = (1 << (format->exponent_bits - 1)) - 1;
    const uint32_t leading = exponent == 0 ? 0 : UINT32_C(1) << format->mantissa_bits;
    return ldexp((double)(leading + mantissa),
                 (exponent == 0 ? 1 : exponent) - bias - format->mantissa_bits);
}

static void expect_bits(const half_format *format, double value, uint32_t expected) {
    uint16_t bits;
    ASSERT_OK(kael_element_from_double(&bits, format->dtype, value));
    if (bits != expected) {
        cr_expect(false, "%s of %a: %#x, not %#x", kael_dtype_name(format->dtype), value, bits,
                  expected);
    }
}

/* Every value, every midpoint between two neighbours, and the doubles right beside the midpoint:
 * rounding twice, through f32, gets those wrong. */
Test(Tensor, FullRoundsHalfPrecisionOnceToNearestEven) {
    for (size_t f = 0; f < COUNT_OF(half_formats); ++f) {
        const half_format *format = &half_formats[f];
        const uint32_t infinity = UINT32_C(0x7FFF) >> format->mantissa_bits
                                                          << format->mantissa_bits;
        for (uint32_t bits = 0; bits < infinity; ++bits) {
            const double value = decode(format, bits);
            const double next = decode(format, bits + 1);
            const double middle = value + (next - value) / 2;
            const uint32_t even = bits + (bits & 1);
            expect_bits(format, value, bits);
            expect_bits(format, -value, bits | 0x8000);
            expect_bits(format, nextafter(middle, 0), bits);
            expect_bits(format, middle, even);
            expect_bits(format, -middle, even | 0x8000);
            expect_bits(format, nextafter(middle, INFINITY), bits + 1);
        }
        const double beyond[] = {decode(format, infinity), 1e300, DBL_MAX, INFINITY};
        for (size_t i = 0; i < COUNT_OF(beyond); ++i) {
            expect_bits(format, beyond[i], infinity);
            expect_bits(format, -beyond[i], infinity | 0x8000);
        }
        expect_bits(format, DBL_TRUE_MIN, 0);
        expect_bits(format, -DBL_TRUE_MIN, 0x8000);
        uint16_t bits;
        ASSERT_OK(kael_element_from_double(&bits, format->dtype, NAN));
        cr_expect_gt(bits & 0x7FFF, infinity);
    }
}

/* Lifetime. */

Test(Tensor, TheLastReleaseFreesTheMemory) {
    const int64_t before = bytes_in_use();
    const int64_t sizes[] = {1, 100000};
    for (size_t i = 0; i < COUNT_OF(sizes); ++i) {
        kael_tensor *t;
        ASSERT_OK(kael_tensor_full(&t, KAEL_F32, 1, &sizes[i], 7));
        cr_expect_eq(kael_tensor_retain(t), t);
        kael_tensor_release(t);
        cr_expect_gt(bytes_in_use(), before);
        cr_expect_eq(((float *)kael_tensor_data(t))[sizes[i] - 1], 7);
        kael_tensor_release(t);
        cr_expect_eq(bytes_in_use(), before);
    }
}

Test(Tensor, NullIsFineToRetainAndRelease) {
    kael_tensor_release(NULL);
    cr_expect_null(kael_tensor_retain(NULL));
}

Test(Tensor, StorageBytesAreThoseAskedFor) {
    const int64_t sizes[] = {1, 1000, 1000000};
    for (size_t i = 0; i < COUNT_OF(sizes); ++i) {
        kael_tensor *t;
        ASSERT_OK(kael_tensor_empty(&t, KAEL_F32, 1, &sizes[i]));
        cr_expect_eq(kael_tensor_storage_bytes(t), 4 * sizes[i]);
        kael_tensor_release(t);
    }
}

Test(Tensor, SmallTensorsCostOneBlock) {
    const int64_t before = bytes_in_use();
    kael_tensor *t;
    ASSERT_OK(kael_tensor_empty(&t, KAEL_F32, SHAPE(2, 2)));
    cr_expect_eq(bytes_in_use() - before, 512);
    kael_tensor_release(t);
}

/* 4 000 000 bytes waste 194 304 of their block. */
Test(Tensor, LargeTensorsCostTheirSizeClassAndASmallBlock) {
    const int64_t before = bytes_in_use();
    kael_tensor *t;
    ASSERT_OK(kael_tensor_empty(&t, KAEL_F32, SHAPE(1000, 1000)));
    cr_expect_eq(bytes_in_use() - before, 4194304 + 512);
    cr_expect_eq(kael_tensor_storage_bytes(t), 4000000);
    kael_tensor_release(t);
}

/* A view of rows 1 to 2 and columns 3, 1 of a 4 x 4 tensor. */
static kael_tensor *make_view(const kael_tensor *t) {
    kael_tensor *view;
    ASSERT_OK(kael_tensor_create_view(&view, t->storage, t->dtype, SHAPE(2, 2),
                                      (const int64_t[]){4, -2}, 7));
    return view;
}

static kael_tensor *make_counting(int64_t rows, int64_t columns) {
    kael_tensor *t;
    ASSERT_OK(kael_tensor_empty(&t, KAEL_F64, SHAPE(rows, columns)));
    for (int64_t i = 0; i < rows * columns; ++i) {
        ((double *)kael_tensor_data(t))[i] = (double)i;
    }
    return t;
}

Test(Tensor, ViewsShareStorageAndKeepItAlive) {
    const int64_t before = bytes_in_use();
    kael_tensor *t = make_counting(4, 4);
    kael_tensor *view = make_view(t);
    kael_tensor *other = make_counting(4, 4);
    cr_expect(kael_tensor_shares_storage(t, view));
    cr_expect_not(kael_tensor_shares_storage(t, other));
    cr_expect_eq(kael_tensor_offset(view), 7);
    cr_expect_eq(kael_tensor_numel(view), 4);
    cr_expect_eq(kael_tensor_storage_bytes(view), 128);
    cr_expect_not(kael_tensor_is_contiguous(view));
    expect_sizes(kael_tensor_strides(view), 2, (const int64_t[]){4, -2});
    kael_tensor_release(t);
    kael_tensor_release(other);
    const double *data = kael_tensor_data(view);
    cr_expect_eq(data[0], 7);
    cr_expect_eq(data[-2], 5);
    cr_expect_eq(data[4], 11);
    cr_expect_eq(data[4 - 2], 9);
    kael_tensor_release(view);
    cr_expect_eq(bytes_in_use(), before);
}

typedef struct layout_case {
    int64_t ndim;
    int64_t shape[3];
    int64_t strides[3];
    bool row_major;
} layout_case;

Test(Tensor, ContiguousMeansRowMajorWithoutGaps) {
    const layout_case cases[] = {
        {2, {3, 4}, {4, 1}, true},
        {2, {4, 3}, {1, 4}, false},
        {3, {1, 3, 4}, {4, 4, 1}, true},
        {3, {1, 3, 4}, {-99, 4, 1}, true},
        {2, {2, 2}, {4, 1}, false},
        {1, {4}, {1}, true},
        {1, {3}, {4}, false},
        {3, {2, 3, 4}, {0, 4, 1}, false},
        {1, {4}, {-1}, false},
        {2, {3, 1}, {1, 77}, true},
        {2, {0, 4}, {9, 9}, true},
        {3, {1, 1, 1}, {5, 6, 7}, true},
        {1, {2}, {0}, false},
        {0, {0}, {0}, true},
    };
    for (size_t i = 0; i < COUNT_OF(cases); ++i) {
        int64_t numel;
        cr_expect_eq(
            kael_shape_is_row_major(&numel, cases[i].ndim, cases[i].shape, cases[i].strides),
            cases[i].row_major, "case %zu", i);
        cr_expect_eq(numel, kael_shape_numel(cases[i].ndim, cases[i].shape));
    }
}

/* Validating arguments. */

static void expect_message(kael_status status, kael_status expected, const char *message) {
    cr_expect_eq(status, expected, "%s", message);
    cr_expect_str_eq(kael_last_error_message(), message);
}

Test(TensorRequire, EachRuleNamesTheArgument) {
    kael_tensor *t = make_counting(4, 4);
    kael_tensor *view = make_view(t);
    ASSERT_OK(kael_tensor_require(t, "weight", KAEL_F64, SHAPE(4, KAEL_ANY_SIZE)));
    expect_message(kael_tensor_require(NULL, "weight", KAEL_F64, SHAPE(4, 4)), KAEL_ERROR_VALUE,
                   "weight must not be NULL");
    expect_message(kael_tensor_require(t, "weight", KAEL_F32, SHAPE(4, 4)), KAEL_ERROR_DTYPE,
                   "weight must have dtype f32, got f64");
    expect_message(kael_tensor_require(t, "weight", KAEL_F64, SHAPE(KAEL_ANY_SIZE, 5)),
                   KAEL_ERROR_SHAPE, "weight must have shape (*, 5), got (4, 4)");
    expect_message(kael_tensor_require(t, "bias", KAEL_F64, SHAPE(16)), KAEL_ERROR_SHAPE,
                   "bias must have shape (16), got (4, 4)");
    expect_message(kael_tensor_require(view, "input", KAEL_F64, SHAPE(2, 2)),
                   KAEL_ERROR_UNSUPPORTED, "input must be contiguous, got strides (4, -2)");
    kael_tensor_release(view);
    kael_tensor_release(t);
}

Test(TensorRequire, DimensionsCountFromEitherEnd) {
    kael_tensor *t = make_counting(4, 4);
    for (int64_t dim = -2; dim < 2; ++dim) {
        int64_t found;
        ASSERT_OK(kael_tensor_require_dim(t, dim, &found));
        cr_expect_eq(found, dim < 0 ? dim + 2 : dim);
    }
    int64_t found;
    expect_message(kael_tensor_require_dim(t, 3, &found), KAEL_ERROR_INDEX,
                   "dim 3 is out of range for a tensor of 2 dimensions");
    expect_message(kael_tensor_require_dim(t, -3, &found), KAEL_ERROR_INDEX,
                   "dim -3 is out of range for a tensor of 2 dimensions");
    cr_expect_eq(kael_tensor_require_dim(t, 2, &found), KAEL_ERROR_INDEX);
    cr_expect_eq(kael_tensor_require_dim(t, INT64_MIN, &found), KAEL_ERROR_INDEX);
    cr_expect_eq(kael_tensor_require_dim(t, INT64_MAX, &found), KAEL_ERROR_INDEX);
    kael_tensor_release(t);
}

Test(TensorRequire, FloatingPoint) {
    for (size_t i = 0; i < COUNT_OF(all_dtypes); ++i) {
        kael_tensor *t;
        ASSERT_OK(kael_tensor_empty(&t, all_dtypes[i], SHAPE(1)));
        const bool expected = all_dtypes[i] == KAEL_F32 || all_dtypes[i] == KAEL_F64;
        cr_expect_eq(kael_tensor_require_f32_or_f64(t, "input"),
                     expected ? KAEL_OK : KAEL_ERROR_DTYPE);
        kael_tensor_release(t);
    }
    cr_expect_str_eq(kael_last_error_message(), "input must have dtype f32 or f64, got bf16");
}

Test(TensorRequire, DisjointComparesAddresses) {
    kael_tensor *t = make_counting(4, 4);
    kael_tensor *other = make_counting(4, 4);
    kael_tensor *view = make_view(t); /* elements 5 to 11 */
    kael_tensor *low;
    kael_tensor *high;
    kael_tensor *inside;
    kael_tensor *none;
    ASSERT_OK(
        kael_tensor_create_view(&low, t->storage, KAEL_F64, SHAPE(5), (const int64_t[]){-1}, 4));
    ASSERT_OK(
        kael_tensor_create_view(&high, t->storage, KAEL_F64, SHAPE(4), (const int64_t[]){1}, 12));
    ASSERT_OK(
        kael_tensor_create_view(&inside, t->storage, KAEL_F64, SHAPE(1), (const int64_t[]){1}, 5));
    ASSERT_OK(
        kael_tensor_create_view(&none, t->storage, KAEL_F64, SHAPE(0), (const int64_t[]){1}, 5));
    cr_expect_eq(kael_tensor_require_disjoint(t, "out", other, "input"), KAEL_OK);
    cr_expect_eq(kael_tensor_require_disjoint(view, "out", low, "input"), KAEL_OK);
    cr_expect_eq(kael_tensor_require_disjoint(low, "out", view, "input"), KAEL_OK);
    cr_expect_eq(kael_tensor_require_disjoint(view, "out", high, "input"), KAEL_OK);
    cr_expect_eq(kael_tensor_require_disjoint(view, "out", none, "input"), KAEL_OK);
    cr_expect_eq(kael_tensor_require_disjoint(view, "out", inside, "input"), KAEL_ERROR_VALUE);
    cr_expect_eq(kael_tensor_require_disjoint(high, "out", t, "input"), KAEL_ERROR_VALUE);
    cr_expect_eq(kael_tensor_require_disjoint(t, "out", t, "input"), KAEL_ERROR_VALUE);
    cr_expect_str_eq(kael_last_error_message(), "out must not overlap input");
    kael_tensor *const all[] = {t, other, view, low, high, inside, none};
    for (size_t i = 0; i < COUNT_OF(all); ++i) {
        kael_tensor_release(all[i]);
    }
}

Test(TensorRequire, TheLongestShapeFitsItsText) {
    int64_t shape[KAEL_MAX_DIMS];
    for (int i = 0; i < KAEL_MAX_DIMS; ++i) {
        shape[i] = INT64_MIN + 1;
    }
    char text[KAEL_SHAPE_TEXT_SIZE];
    kael_shape_text(text, KAEL_MAX_DIMS, shape);
    cr_expect_eq(strlen(text), KAEL_MAX_DIMS * 20 + (KAEL_MAX_DIMS - 1) * 2 + 2);
    cr_expect_str_eq(kael_shape_text(text, 0, NULL), "()");
    cr_expect_str_eq(kael_shape_text(text, SHAPE(7)), "(7)");
}
