/* Tensors on memory that exists already. */
#include <stdio.h>
#include <stdlib.h>

#include "memory/system.h"
#include "tensor_checks.h"

typedef struct release_record {
    int count;
    void *data;
} release_record;

static void record_release(void *data, void *context) {
    release_record *record = context;
    ++record->count;
    record->data = data;
}

static void free_data(void *data, void *context) {
    ++*(int *)context;
    free(data);
}

Test(Wrap, AdoptsMemoryAndGivesItBackOnce) {
    double data[] = {0, 1, 2, 3, 4, 5};
    release_record record = {0, NULL};
    const int64_t before = bytes_in_use();
    kael_tensor *t;
    ASSERT_OK(kael_tensor_wrap(&t, KAEL_F64, SHAPE(2, 3), NULL, data, record_release, &record));
    cr_expect_eq(kael_tensor_data(t), (void *)data);
    cr_expect_eq(kael_tensor_storage_bytes(t), 48);
    cr_expect_eq(kael_tensor_offset(t), 0);
    cr_expect(kael_tensor_is_contiguous(t));
    expect_numbers(kael_tensor_strides(t), 2, DIMS(3, 1), "strides");
    ASSERT_OK(kael_tensor_set(t, DIMS(1, 1), 40));
    cr_expect_eq(data[4], 40);
    kael_tensor_release(t);
    cr_expect_eq(record.count, 1);
    cr_expect_eq(record.data, (void *)data);
    cr_expect_eq(bytes_in_use(), before);
}

Test(Wrap, TheLastTensorThatSharesGivesBack) {
    int64_t data[] = {0, 1, 2, 3};
    release_record record = {0, NULL};
    kael_tensor *t;
    kael_tensor *view;
    kael_tensor *same;
    kael_tensor *copy;
    ASSERT_OK(kael_tensor_wrap(&t, KAEL_I64, SHAPE(4), NULL, data, record_release, &record));
    ASSERT_OK(kael_tensor_slice(&view, t, 0, 3, -1, -2));
    ASSERT_OK(kael_tensor_contiguous(&same, t));
    ASSERT_OK(kael_tensor_clone(&copy, t));
    cr_expect_eq(same, t);
    kael_tensor_release(t);
    kael_tensor_release(same);
    cr_expect_eq(record.count, 0);
    EXPECT_VALUES(view, 3, 1);
    kael_tensor_release(view);
    cr_expect_eq(record.count, 1);
    EXPECT_VALUES(copy, 0, 1, 2, 3);
    kael_tensor_release(copy);
    cr_expect_eq(record.count, 1);
}

Test(Wrap, TheCallbackMayFreeAndUseTheLibrary) {
    int freed = 0;
    float *data = malloc(3 * sizeof *data);
    cr_assert_not_null(data);
    kael_tensor *t;
    ASSERT_OK(kael_tensor_wrap(&t, KAEL_F32, SHAPE(3), NULL, data, free_data, &freed));
    kael_tensor_release(t);
    cr_expect_eq(freed, 1);
}

Test(Wrap, WithoutACallbackTheMemoryIsLeftAlone) {
    uint8_t data[] = {1, 2, 3};
    kael_tensor *t;
    ASSERT_OK(kael_tensor_wrap(&t, KAEL_U8, SHAPE(3), NULL, data, NULL, NULL));
    kael_tensor_release(t);
    cr_expect_eq(data[2], 3);
}

/* data names the first element; the storage begins at the lowest one. */
Test(Wrap, StridesMayBeNegativeZeroOrWide) {
    int32_t data[24];
    for (int i = 0; i < 24; ++i) {
        data[i] = i;
    }
    release_record record = {0, NULL};
    kael_tensor *t;
    ASSERT_OK(kael_tensor_wrap(&t, KAEL_I32, SHAPE(2, 3), DIMS(-12, 2), data + 14, record_release,
                               &record));
    EXPECT_VALUES(t, 14, 16, 18, 2, 4, 6);
    cr_expect_eq(kael_tensor_offset(t), 12);
    cr_expect_eq(kael_tensor_storage_bytes(t), (12 + 4 + 1) * 4);
    cr_expect_eq(kael_tensor_data(t), (void *)(data + 14));
    cr_expect_not(kael_tensor_is_contiguous(t));
    kael_tensor_release(t);
    cr_expect_eq(record.data, (void *)(data + 14));
    ASSERT_OK(kael_tensor_wrap(&t, KAEL_I32, SHAPE(3, 2), DIMS(0, -5), data + 5, NULL, NULL));
    EXPECT_VALUES(t, 5, 0, 5, 0, 5, 0);
    cr_expect_eq(kael_tensor_offset(t), 5);
    cr_expect_eq(kael_tensor_storage_bytes(t), 24);
    kael_tensor_release(t);
    ASSERT_OK(kael_tensor_wrap(&t, KAEL_I32, SHAPE(1, 4), DIMS(-1000, 1), data, NULL, NULL));
    EXPECT_VALUES(t, 0, 1, 2, 3);
    cr_expect_eq(kael_tensor_storage_bytes(t), 16);
    cr_expect(kael_tensor_is_contiguous(t));
    kael_tensor_release(t);
    ASSERT_OK(kael_tensor_wrap(&t, KAEL_I32, 0, NULL, NULL, data + 7, NULL, NULL));
    EXPECT_VALUES(t, 7);
    kael_tensor_release(t);
}

Test(Wrap, NothingMayBeWrapped) {
    release_record record = {0, NULL};
    double unused;
    void *const addresses[] = {NULL, &unused};
    for (size_t i = 0; i < COUNT_OF(addresses); ++i) {
        kael_tensor *t;
        ASSERT_OK(kael_tensor_wrap(&t, KAEL_F64, SHAPE(3, 0), DIMS(5, -1000), addresses[i],
                                   record_release, &record));
        cr_expect_null(kael_tensor_data(t));
        cr_expect_eq(kael_tensor_storage_bytes(t), 0);
        cr_expect_eq(kael_tensor_offset(t), 0);
        cr_expect(kael_tensor_is_contiguous(t));
        expect_numbers(kael_tensor_strides(t), 2, DIMS(5, -1000), "strides");
        kael_tensor_release(t);
        cr_expect_eq(record.count, (int)i + 1);
        cr_expect_eq(record.data, addresses[i]);
    }
}

/* Bytes that an element of each dtype must lie at a multiple of. */
Test(Wrap, K60_MisalignedDataAreRejected) {
    static const kael_dtype dtypes[] = {
        KAEL_BOOL, KAEL_I8,  KAEL_I16, KAEL_I32,  KAEL_I64, KAEL_U8,  KAEL_U16,
        KAEL_U32,  KAEL_U64, KAEL_F16, KAEL_BF16, KAEL_F32, KAEL_F64,
    };
    static _Alignas(8) unsigned char data[33 * 8 + 8];
    release_record record = {0, NULL};
    for (size_t d = 0; d < COUNT_OF(dtypes); ++d) {
        const int64_t size = kael_dtype_size(dtypes[d]);
        for (int64_t shift = 0; shift < 8; ++shift) {
            kael_tensor *t = poison();
            const kael_status status = kael_tensor_wrap(&t, dtypes[d], SHAPE(33), NULL,
                                                        data + shift, record_release, &record);
            if (shift % size == 0) {
                ASSERT_OK(status);
                kael_tensor_release(t);
                cr_expect_eq(record.count, 1);
                record.count = 0;
            } else {
                char message[120];
                snprintf(message, sizeof message,
                         "data must lie at a multiple of %" PRId64
                         " bytes for dtype %s, got address %#" PRIxPTR,
                         size, kael_dtype_name(dtypes[d]), (uintptr_t)(data + shift));
                cr_expect_eq(status, KAEL_ERROR_VALUE);
                cr_expect_null(t);
                cr_expect_str_eq(kael_last_error_message(), message);
                cr_expect_eq(record.count, 0);
            }
        }
    }
}

static void expect_rejection(kael_status expected, const char *message, kael_dtype dtype,
                             int64_t ndim, const int64_t *shape, const int64_t *strides,
                             void *data) {
    release_record record = {0, NULL};
    EXPECT_FAILURE(expected, message, kael_tensor_wrap, dtype, ndim, shape, strides, data,
                   record_release, &record);
    cr_expect_eq(record.count, 0, "a failed wrap gives nothing back");
}

Test(Wrap, BadArgumentsAreNamed) {
    double data[4] = {0};
    const int64_t two62 = INT64_C(1) << 62;
    cr_expect_eq(kael_tensor_wrap(NULL, KAEL_F64, SHAPE(4), NULL, data, NULL, NULL),
                 KAEL_ERROR_VALUE);
    cr_expect_str_eq(kael_last_error_message(), "out must not be NULL");
    expect_rejection(KAEL_ERROR_VALUE, "data must not be NULL", KAEL_F64, SHAPE(4), NULL, NULL);
    expect_rejection(KAEL_ERROR_VALUE, "shape must not be NULL when ndim is 1", KAEL_F64, 1, NULL,
                     NULL, data);
    expect_rejection(KAEL_ERROR_DTYPE, "13 is not a dtype", (kael_dtype)13, SHAPE(4), NULL, data);
    expect_rejection(KAEL_ERROR_SHAPE, "ndim must be between 0 and 16, got 17", KAEL_F64, 17,
                     DIMS(1), NULL, data);
    expect_rejection(KAEL_ERROR_SHAPE, "sizes must not be negative, got -4 in dimension 0",
                     KAEL_F64, SHAPE(-4), NULL, data);
    expect_rejection(
        KAEL_ERROR_SHAPE,
        "the bytes of shape (4611686018427387904, 8) and dtype f64 do not fit in 63 bits", KAEL_F64,
        SHAPE(two62, 8), DIMS(0, 0), data);
    expect_rejection(
        KAEL_ERROR_SHAPE,
        "the elements of shape (1), strides (4611686018427387904) and dtype f64 do not "
        "fit in memory",
        KAEL_F64, SHAPE(1), DIMS(two62), data);
    const struct {
        int64_t shape[2];
        int64_t strides[2];
    } far[] = {
        {{4, 1}, {two62, 0}},
        {{4, 1}, {-two62, 0}},
        {{1, 1}, {INT64_MIN, 0}},
        {{2, 2}, {two62 / 8, two62 / 8}},
        {{2, 2}, {two62 / 8, -two62 / 8}},
        {{2, 1}, {-(INT64_C(1) << 59), 0}},
        {{0, 4}, {INT64_MIN, 0}},
    };
    for (size_t i = 0; i < COUNT_OF(far); ++i) {
        kael_tensor *t = poison();
        cr_expect_eq(
            kael_tensor_wrap(&t, KAEL_F64, 2, far[i].shape, far[i].strides, data, NULL, NULL),
            KAEL_ERROR_SHAPE, "%zu", i);
        cr_expect_null(t);
    }
}

Test(Wrap, K48_StridesOf2To62) {
    static uint8_t data[1];
    expect_rejection(KAEL_ERROR_SHAPE,
                     "the elements of shape (4), strides (4611686018427387904) and dtype u8 do not "
                     "fit in memory",
                     KAEL_U8, SHAPE(4), DIMS(INT64_C(1) << 62), data);
}

Test(Wrap, OutOfMemoryGivesNothingBack) {
    double data[4] = {0};
    release_record record = {0, NULL};
    kael_empty_cache();
    kael_tensor *t = poison();
    kael_system_inject_failures(1, 1000);
    const kael_status status =
        kael_tensor_wrap(&t, KAEL_F64, SHAPE(4), NULL, data, record_release, &record);
    kael_system_inject_failures(0, 0);
    cr_expect_eq(status, KAEL_ERROR_MEMORY);
    cr_expect_null(t);
    cr_expect_eq(record.count, 0);
}

/* Views of views of wrapped memory, whose first and last dimensions alternate in direction. */
Test(Wrap, ReversingTwiceGivesTheSameLayout) {
    int16_t data[60];
    for (int i = 0; i < 60; ++i) {
        data[i] = (int16_t)i;
    }
    kael_tensor *t;
    kael_tensor *reversed;
    kael_tensor *again;
    ASSERT_OK(
        kael_tensor_wrap(&t, KAEL_I16, SHAPE(3, 4, 5), DIMS(20, -5, 1), data + 15, NULL, NULL));
    ASSERT_OK(kael_tensor_slice(&reversed, t, 1, 3, -1, -1));
    cr_expect(kael_tensor_is_contiguous(reversed));
    cr_expect_eq(kael_tensor_offset(reversed), 0);
    ASSERT_OK(kael_tensor_slice(&again, reversed, 1, 3, -1, -1));
    expect_numbers(kael_tensor_strides(again), 3, kael_tensor_strides(t), "strides");
    cr_expect_eq(kael_tensor_offset(again), kael_tensor_offset(t));
    kael_tensor_release(again);
    kael_tensor_release(reversed);
    kael_tensor_release(t);
}
