/* Views and copies: layouts, what shares memory and for how long, and every argument that is out of
 * range. */
#include "tensor_checks.h"

/* A lesson on views: fifteen operations on a (3, 4) tensor of 0 to 11, what their results look like
 * and whether they see the same memory. */

typedef struct lesson_row {
    const char *operation;
    void (*run)(kael_tensor **out, kael_tensor *a);
    int64_t ndim;
    int64_t shape[3];
    int64_t strides[3];
    int64_t offset;
    bool contiguous;
    bool same_buffer;
} lesson_row;

static void retain(kael_tensor **out, kael_tensor *a) {
    *out = kael_tensor_retain(a);
}

static void reshape_2_6(kael_tensor **out, kael_tensor *a) {
    ASSERT_OK(kael_tensor_reshape(out, a, SHAPE(2, 6)));
}

static void unsqueeze_0(kael_tensor **out, kael_tensor *a) {
    ASSERT_OK(kael_tensor_unsqueeze(out, a, 0));
}

static void transposed(kael_tensor **out, kael_tensor *a) {
    ASSERT_OK(kael_tensor_transpose(out, a, 0, 1));
}

static void transposed_contiguous(kael_tensor **out, kael_tensor *a) {
    kael_tensor *t;
    ASSERT_OK(kael_tensor_transpose(&t, a, -1, -2));
    ASSERT_OK(kael_tensor_contiguous(out, t));
    kael_tensor_release(t);
}

static void transposed_reshaped(kael_tensor **out, kael_tensor *a) {
    kael_tensor *t;
    ASSERT_OK(kael_tensor_transpose(&t, a, 0, 1));
    ASSERT_OK(kael_tensor_reshape(out, t, SHAPE(12)));
    kael_tensor_release(t);
}

static void block(kael_tensor **out, kael_tensor *a) {
    kael_tensor *rows;
    ASSERT_OK(kael_tensor_slice(&rows, a, 0, 1, 3, 1));
    ASSERT_OK(kael_tensor_narrow(out, rows, 1, 1, 2));
    kael_tensor_release(rows);
}

static void row_2(kael_tensor **out, kael_tensor *a) {
    ASSERT_OK(kael_tensor_select(out, a, 0, 2));
}

static void column_2(kael_tensor **out, kael_tensor *a) {
    ASSERT_OK(kael_tensor_select(out, a, 1, 2));
}

static void broadcast_2_3_4(kael_tensor **out, kael_tensor *a) {
    ASSERT_OK(kael_tensor_broadcast_to(out, a, SHAPE(2, 3, 4)));
}

static void same_dtype(kael_tensor **out, kael_tensor *a) {
    ASSERT_OK(kael_tensor_to_dtype(out, a, KAEL_F32));
}

static void detached(kael_tensor **out, kael_tensor *a) {
    ASSERT_OK(kael_tensor_detach(out, a));
}

static void cloned(kael_tensor **out, kael_tensor *a) {
    ASSERT_OK(kael_tensor_clone(out, a));
}

static const lesson_row lesson_rows[] = {
    {"a", retain, 2, {3, 4}, {4, 1}, 0, true, true},
    {"a.clone()", retain, 2, {3, 4}, {4, 1}, 0, true, true},
    {"a.reshape((2, 6))", reshape_2_6, 2, {2, 6}, {6, 1}, 0, true, true},
    {"a.unsqueeze(0)", unsqueeze_0, 3, {1, 3, 4}, {4, 4, 1}, 0, true, true},
    {"a.t()", transposed, 2, {4, 3}, {1, 4}, 0, false, true},
    {"a.t().contiguous()", transposed_contiguous, 2, {4, 3}, {3, 1}, 0, true, false},
    {"a.t().reshape(12)", transposed_reshaped, 1, {12}, {1}, 0, true, false},
    {"a.i((1.., 1..3))", block, 2, {2, 2}, {4, 1}, 5, false, true},
    {"a.i(2)", row_2, 1, {4}, {1}, 8, true, true},
    {"a.i((.., 2))", column_2, 1, {3}, {4}, 2, false, true},
    {"a.broadcast_as((2, 3, 4))", broadcast_2_3_4, 3, {2, 3, 4}, {0, 4, 1}, 0, false, true},
    {"a.to_dtype(F32)", same_dtype, 2, {3, 4}, {4, 1}, 0, true, true},
    {"a.detach()", detached, 2, {3, 4}, {4, 1}, 0, true, true},
    {"a.copy()", cloned, 2, {3, 4}, {4, 1}, 0, true, false},
};

Test(Views, TheLessonsTable) {
    kael_tensor *a = counting(KAEL_F32, SHAPE(3, 4));
    for (size_t i = 0; i < COUNT_OF(lesson_rows); ++i) {
        const lesson_row *row = &lesson_rows[i];
        kael_tensor *t;
        row->run(&t, a);
        cr_assert_eq(kael_tensor_ndim(t), row->ndim, "%s", row->operation);
        expect_numbers(kael_tensor_shape(t), row->ndim, row->shape, row->operation);
        expect_numbers(kael_tensor_strides(t), row->ndim, row->strides, row->operation);
        cr_expect_eq(kael_tensor_offset(t), row->offset, "%s", row->operation);
        cr_expect_eq(kael_tensor_is_contiguous(t), row->contiguous, "%s", row->operation);
        cr_expect_eq(kael_tensor_shares_storage(t, a), row->same_buffer, "%s", row->operation);
        cr_expect_eq(kael_tensor_data(t) == (void *)((float *)kael_tensor_data(a) + row->offset),
                     row->same_buffer, "%s", row->operation);
        kael_tensor_release(t);
    }
    kael_tensor_release(a);
}

Test(Views, FromDataCopiesAndWrapDoesNot) {
    float data[] = {1, 2, 3};
    kael_tensor *copied;
    kael_tensor *wrapped;
    ASSERT_OK(kael_tensor_from_data(&copied, KAEL_F32, SHAPE(3), data));
    ASSERT_OK(kael_tensor_wrap(&wrapped, KAEL_F32, SHAPE(3), NULL, data, NULL, NULL));
    cr_expect_neq(kael_tensor_data(copied), (void *)data);
    cr_expect_eq(kael_tensor_data(wrapped), (void *)data);
    kael_tensor_release(copied);
    kael_tensor_release(wrapped);
}

Test(Views, AViewAndACopyHoldTheSameValues) {
    kael_tensor *a = counting(KAEL_F32, SHAPE(3, 4));
    kael_tensor *t;
    kael_tensor *copy;
    transposed(&t, a);
    ASSERT_OK(kael_tensor_contiguous(&copy, t));
    kael_tensor *const both[] = {t, copy};
    for (int i = 0; i < 2; ++i) {
        kael_tensor *first;
        ASSERT_OK(kael_tensor_select(&first, both[i], 0, 0));
        EXPECT_VALUES(first, 0, 4, 8);
        EXPECT_VALUES(both[i], 0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11);
        kael_tensor_release(first);
    }
    kael_tensor_release(copy);
    kael_tensor_release(t);
    kael_tensor_release(a);
}

static void expect_kind(kael_tensor *t, bool contiguous, bool same_buffer, const kael_tensor *a,
                        const char *operation) {
    cr_expect_eq(kael_tensor_is_contiguous(t), contiguous, "%s", operation);
    cr_expect_eq(kael_tensor_shares_storage(t, a), same_buffer, "%s", operation);
}

Test(Views, TheLessonsFirstExercise) {
    kael_tensor *a = counting(KAEL_F32, SHAPE(2, 3, 4));
    kael_tensor *t;
    kael_tensor *u;
    ASSERT_OK(kael_tensor_permute(&t, a, DIMS(2, 0, 1)));
    expect_kind(t, false, true, a, "a.permute((2, 0, 1))");
    ASSERT_OK(kael_tensor_flatten(&u, t));
    expect_kind(u, true, false, a, "a.permute((2, 0, 1)).flatten_all()");
    kael_tensor_release(t);
    kael_tensor_release(u);
    ASSERT_OK(kael_tensor_flatten(&t, a));
    expect_kind(t, true, true, a, "a.flatten_all()");
    kael_tensor_release(t);
    ASSERT_OK(kael_tensor_select(&t, a, 1, 1));
    expect_kind(t, false, true, a, "a.i((.., 1, ..))");
    ASSERT_OK(kael_tensor_contiguous(&u, t));
    expect_kind(u, true, false, a, "a.i((.., 1, ..)).contiguous()");
    kael_tensor_release(t);
    kael_tensor_release(u);
    ASSERT_OK(kael_tensor_select(&t, a, 0, 1));
    cr_expect_eq(kael_tensor_offset(t), 12);
    ASSERT_OK(kael_tensor_contiguous(&u, t));
    expect_kind(u, true, true, a, "a.i((1, ..)).contiguous()");
    cr_expect_eq(u, t);
    kael_tensor_release(t);
    kael_tensor_release(u);
    ASSERT_OK(kael_tensor_squeeze(&t, a, 0));
    expect_kind(t, true, true, a, "a.squeeze(0)");
    cr_expect_eq(t, a);
    kael_tensor_release(t);
    ASSERT_OK(kael_tensor_transpose(&t, a, 1, 1));
    expect_kind(t, true, true, a, "a.transpose(1, 1)");
    kael_tensor_release(t);
    kael_tensor_release(a);
}

static void expect_bytes(const kael_tensor *t, int64_t numel, int64_t bytes, const char *step) {
    cr_expect_eq(kael_tensor_numel(t), numel, "%s", step);
    cr_expect_eq(kael_tensor_storage_bytes(t), bytes, "%s: %" PRId64, step,
                 kael_tensor_storage_bytes(t));
}

/* The lesson's copy() keeps 4000000 bytes for the row; its force_contiguous is our clone. */
Test(Views, TheLessonsSecondExercise) {
    kael_tensor *bias;
    kael_tensor *wide;
    kael_tensor *copy;
    kael_tensor *row;
    kael_tensor *compact;
    ASSERT_OK(kael_tensor_zeros(&bias, KAEL_F32, SHAPE(1000)));
    ASSERT_OK(kael_tensor_broadcast_to(&wide, bias, SHAPE(1000, 1000)));
    expect_bytes(wide, 1000000, 4000, "wide");
    const int64_t before_copy = bytes_in_use();
    ASSERT_OK(kael_tensor_contiguous(&copy, wide));
    expect_bytes(copy, 1000000, 4000000, "copy");
    cr_expect_geq(bytes_in_use(), before_copy + 4000000);
    ASSERT_OK(kael_tensor_select(&row, copy, 0, 0));
    expect_bytes(row, 1000, 4000000, "copy.i(0)");
    ASSERT_OK(kael_tensor_clone(&compact, row));
    expect_bytes(compact, 1000, 4000, "copy.i(0).force_contiguous()");
    kael_tensor_release(copy);
    cr_expect_geq(bytes_in_use(), before_copy + 4000000, "the row keeps the whole copy alive");
    kael_tensor_release(row);
    cr_expect_lt(bytes_in_use(), before_copy + 20000, "its release frees it");
    kael_tensor_release(compact);
    kael_tensor_release(wide);
    kael_tensor_release(bias);
}
