/* Views and copies: layouts, what shares memory and for how long, and every argument that is out of
 * range. */
#include <stdio.h>

#include "kael/ops.h"
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

static void plus_one(kael_tensor **out, kael_tensor *a) {
    ASSERT_OK(kael_add_scalar(out, a, kael_scalar_float(1.0)));
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
    {"(&a + 1.0)", plus_one, 2, {3, 4}, {4, 1}, 0, true, false},
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

/* What a view is to hold: the values of all elements in row-major order, found without strides. */

enum { MOST_VALUES = 4096 };

typedef struct model {
    int64_t ndim;
    int64_t shape[KAEL_MAX_DIMS];
    double values[MOST_VALUES];
} model;

static int64_t model_count(const model *m) {
    return kael_shape_numel(m->ndim, m->shape);
}

/* The indices of the n-th element in row-major order. */
static void indices_of(int64_t *indices, int64_t ndim, const int64_t *shape, int64_t n) {
    for (int64_t i = ndim - 1; i >= 0; --i) {
        indices[i] = n % shape[i];
        n /= shape[i];
    }
}

static double value_at(const model *m, const int64_t *indices) {
    int64_t n = 0;
    for (int64_t i = 0; i < m->ndim; ++i) {
        n = n * m->shape[i] + indices[i];
    }
    return m->values[n];
}

/* Whether consecutive elements lie one after the other, by their addresses. */
static bool lies_row_major(const kael_tensor *t) {
    int64_t indices[KAEL_MAX_DIMS];
    for (int64_t n = 0; n < kael_tensor_numel(t); ++n) {
        indices_of(indices, kael_tensor_ndim(t), kael_tensor_shape(t), n);
        int64_t offset = 0;
        for (int64_t i = 0; i < kael_tensor_ndim(t); ++i) {
            offset += indices[i] * kael_tensor_strides(t)[i];
        }
        if (offset != n) {
            return false;
        }
    }
    return true;
}

static void expect_model(const kael_tensor *t, const model *m, const char *operation) {
    cr_assert_eq(kael_tensor_ndim(t), m->ndim, "%s", operation);
    expect_numbers(kael_tensor_shape(t), m->ndim, m->shape, operation);
    cr_assert_eq(kael_tensor_numel(t), model_count(m), "%s", operation);
    cr_expect_eq(kael_tensor_data(t) == NULL, kael_tensor_numel(t) == 0, "%s", operation);
    cr_expect_eq(kael_tensor_is_contiguous(t), lies_row_major(t), "%s", operation);
    for (int64_t n = 0; n < kael_tensor_numel(t); ++n) {
        int64_t indices[KAEL_MAX_DIMS];
        double value;
        indices_of(indices, m->ndim, m->shape, n);
        ASSERT_OK(kael_tensor_get(&value, t, indices));
        cr_assert_eq(value, m->values[n], "%s: element %" PRId64 " is %g, not %g", operation, n,
                     value, m->values[n]);
    }
}

/* A step of a walk: an operation on a random tensor with random arguments, which changes the model
 * in the same way. It leaves *out NULL where it does not apply. */
typedef struct walk {
    uint64_t state;
    model m;
} walk;

static int64_t draw(walk *w, int64_t count) {
    w->state = w->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int64_t)((w->state >> 33) % (uint64_t)count);
}

/* Names a dimension from either end. */
static int64_t draw_name(walk *w, int64_t dim, int64_t ndim) {
    return draw(w, 2) == 0 ? dim : dim - ndim;
}

/* Rebuilds the values for a new shape: `source` turns indices of the view into those before. */
static void rebuild(model *m, int64_t ndim, const int64_t *shape,
                    void (*source)(int64_t *old, const int64_t *indices, const int64_t *arguments),
                    const int64_t *arguments) {
    const model before = *m;
    m->ndim = ndim;
    memmove(m->shape, shape, (size_t)ndim * sizeof *shape);
    for (int64_t n = 0; n < model_count(m); ++n) {
        int64_t indices[KAEL_MAX_DIMS];
        int64_t old[KAEL_MAX_DIMS];
        indices_of(indices, ndim, m->shape, n);
        source(old, indices, arguments);
        m->values[n] = value_at(&before, old);
    }
}

/* arguments: ndim before, then the dimension of the tensor behind each one of the view. */
static void permuted_source(int64_t *old, const int64_t *indices, const int64_t *arguments) {
    for (int64_t i = 0; i < arguments[0]; ++i) {
        old[arguments[1 + i]] = indices[i];
    }
}

static void walk_permute(kael_tensor **out, const kael_tensor *t, walk *w) {
    const int64_t ndim = w->m.ndim;
    int64_t arguments[1 + KAEL_MAX_DIMS] = {ndim};
    int64_t *dims = arguments + 1;
    int64_t names[KAEL_MAX_DIMS];
    int64_t shape[KAEL_MAX_DIMS];
    for (int64_t i = 0; i < ndim; ++i) {
        const int64_t other = draw(w, i + 1);
        dims[i] = dims[other];
        dims[other] = i;
    }
    for (int64_t i = 0; i < ndim; ++i) {
        names[i] = draw_name(w, dims[i], ndim);
        shape[i] = w->m.shape[dims[i]];
    }
    ASSERT_OK(kael_tensor_permute(out, t, names));
    rebuild(&w->m, ndim, shape, permuted_source, arguments);
}

static void walk_transpose(kael_tensor **out, const kael_tensor *t, walk *w) {
    const int64_t ndim = w->m.ndim;
    if (ndim == 0) {
        return;
    }
    int64_t arguments[1 + KAEL_MAX_DIMS] = {ndim};
    const int64_t a = draw(w, ndim);
    const int64_t b = draw(w, ndim);
    int64_t shape[KAEL_MAX_DIMS];
    for (int64_t i = 0; i < ndim; ++i) {
        arguments[1 + i] = i == a ? b : i == b ? a : i;
        shape[i] = w->m.shape[arguments[1 + i]];
    }
    ASSERT_OK(kael_tensor_transpose(out, t, draw_name(w, a, ndim), draw_name(w, b, ndim)));
    rebuild(&w->m, ndim, shape, permuted_source, arguments);
}

/* arguments: ndim, the dimension, start, step. */
static void sliced_source(int64_t *old, const int64_t *indices, const int64_t *arguments) {
    for (int64_t i = 0; i < arguments[0]; ++i) {
        old[i] = i == arguments[1] ? arguments[2] + indices[i] * arguments[3] : indices[i];
    }
}

static void walk_narrow(kael_tensor **out, const kael_tensor *t, walk *w) {
    const int64_t ndim = w->m.ndim;
    if (ndim == 0) {
        return;
    }
    const int64_t dim = draw(w, ndim);
    const int64_t start = draw(w, w->m.shape[dim] + 1);
    const int64_t length = draw(w, w->m.shape[dim] - start + 1);
    ASSERT_OK(kael_tensor_narrow(out, t, draw_name(w, dim, ndim), start, length));
    int64_t shape[KAEL_MAX_DIMS];
    memcpy(shape, w->m.shape, sizeof shape);
    shape[dim] = length;
    rebuild(&w->m, ndim, shape, sliced_source, DIMS(ndim, dim, start, 1));
}

static void walk_slice(kael_tensor **out, const kael_tensor *t, walk *w) {
    const int64_t ndim = w->m.ndim;
    if (ndim == 0) {
        return;
    }
    const int64_t dim = draw(w, ndim);
    const int64_t size = w->m.shape[dim];
    const int64_t step = draw(w, 2) == 0 ? 1 + draw(w, 4) : -1 - draw(w, 4);
    const int64_t lowest = step > 0 ? 0 : -1;
    const int64_t start = lowest + draw(w, size + 1);
    const int64_t stop = lowest + draw(w, size + 1);
    int64_t length = 0;
    for (int64_t i = start; step > 0 ? i < stop : i > stop; i += step) {
        ++length;
    }
    ASSERT_OK(kael_tensor_slice(out, t, draw_name(w, dim, ndim), start, stop, step));
    int64_t shape[KAEL_MAX_DIMS];
    memcpy(shape, w->m.shape, sizeof shape);
    shape[dim] = length;
    rebuild(&w->m, ndim, shape, sliced_source, DIMS(ndim, dim, start, step));
}

/* arguments: ndim before, the dimension, the index. */
static void selected_source(int64_t *old, const int64_t *indices, const int64_t *arguments) {
    for (int64_t i = 0; i < arguments[0]; ++i) {
        old[i] = i == arguments[1] ? arguments[2] : indices[i < arguments[1] ? i : i - 1];
    }
}

static void without_dim(int64_t *shape, const model *m, int64_t dim) {
    for (int64_t i = 0; i < m->ndim - 1; ++i) {
        shape[i] = m->shape[i < dim ? i : i + 1];
    }
}

static void walk_select(kael_tensor **out, const kael_tensor *t, walk *w) {
    const int64_t ndim = w->m.ndim;
    const int64_t dim = ndim == 0 ? 0 : draw(w, ndim);
    if (ndim == 0 || w->m.shape[dim] == 0) {
        return;
    }
    const int64_t index = draw(w, w->m.shape[dim]);
    ASSERT_OK(
        kael_tensor_select(out, t, draw_name(w, dim, ndim), draw_name(w, index, w->m.shape[dim])));
    int64_t shape[KAEL_MAX_DIMS];
    without_dim(shape, &w->m, dim);
    rebuild(&w->m, ndim - 1, shape, selected_source, DIMS(ndim, dim, index));
}

static void walk_squeeze(kael_tensor **out, const kael_tensor *t, walk *w) {
    const int64_t ndim = w->m.ndim;
    if (ndim == 0) {
        return;
    }
    const int64_t dim = draw(w, ndim);
    ASSERT_OK(kael_tensor_squeeze(out, t, draw_name(w, dim, ndim)));
    cr_expect_eq(*out == t, w->m.shape[dim] != 1);
    if (w->m.shape[dim] == 1) {
        int64_t shape[KAEL_MAX_DIMS];
        without_dim(shape, &w->m, dim);
        rebuild(&w->m, ndim - 1, shape, selected_source, DIMS(ndim, dim, 0));
    }
}

static void walk_unsqueeze(kael_tensor **out, const kael_tensor *t, walk *w) {
    model *m = &w->m;
    if (m->ndim == 6) {
        return;
    }
    const int64_t dim = draw(w, m->ndim + 1);
    ASSERT_OK(kael_tensor_unsqueeze(out, t, draw_name(w, dim, m->ndim + 1)));
    memmove(m->shape + dim + 1, m->shape + dim, (size_t)(m->ndim - dim) * sizeof *m->shape);
    m->shape[dim] = 1;
    ++m->ndim;
}

/* arguments: ndim before, dimensions added, the shape before. */
static void broadcast_source(int64_t *old, const int64_t *indices, const int64_t *arguments) {
    for (int64_t i = 0; i < arguments[0]; ++i) {
        old[i] = arguments[2 + i] == 1 ? 0 : indices[arguments[1] + i];
    }
}

static void walk_broadcast(kael_tensor **out, const kael_tensor *t, walk *w) {
    const int64_t ndim = w->m.ndim;
    const int64_t added = ndim < 6 ? draw(w, 2) : 0;
    int64_t arguments[2 + KAEL_MAX_DIMS] = {ndim, added};
    int64_t shape[KAEL_MAX_DIMS];
    for (int64_t i = 0; i < added; ++i) {
        shape[i] = draw(w, 4);
    }
    for (int64_t i = 0; i < ndim; ++i) {
        arguments[2 + i] = w->m.shape[i];
        shape[added + i] = w->m.shape[i] == 1 ? draw(w, 4) : w->m.shape[i];
    }
    if (kael_shape_numel(ndim + added, shape) > MOST_VALUES) {
        return;
    }
    ASSERT_OK(kael_tensor_broadcast_to(out, t, ndim + added, shape));
    cr_expect(kael_tensor_shares_storage(*out, t));
    rebuild(&w->m, ndim + added, shape, broadcast_source, arguments);
}

/* A random factorisation of the number of elements. */
static void walk_reshape(kael_tensor **out, const kael_tensor *t, walk *w) {
    int64_t shape[KAEL_MAX_DIMS];
    int64_t ndim = 0;
    int64_t rest = model_count(&w->m);
    const bool empty = rest == 0;
    while (ndim < 5 && (rest > 1 || draw(w, 3) == 0)) {
        int64_t size = empty ? draw(w, 4) : 1 + draw(w, rest < 12 ? rest : 12);
        while (!empty && rest % size != 0) {
            --size;
        }
        shape[ndim++] = size;
        rest = empty ? 2 : rest / size;
    }
    if (empty ? kael_shape_numel(ndim, shape) > 0 : rest > 1) {
        shape[ndim++] = rest * !empty;
    }
    const int64_t open = ndim == 0 || empty ? -1 : draw(w, ndim + 1) - 1;
    w->m.ndim = ndim;
    memcpy(w->m.shape, shape, sizeof shape);
    if (open >= 0) {
        shape[open] = -1;
    }
    ASSERT_OK(kael_tensor_reshape(out, t, ndim, shape));
    cr_expect(!kael_tensor_is_contiguous(t) || kael_tensor_shares_storage(*out, t));
}

static void walk_flatten(kael_tensor **out, const kael_tensor *t, walk *w) {
    ASSERT_OK(kael_tensor_flatten(out, t));
    w->m.shape[0] = model_count(&w->m);
    w->m.ndim = 1;
}

static void walk_contiguous(kael_tensor **out, const kael_tensor *t, walk *w) {
    (void)w;
    ASSERT_OK(kael_tensor_contiguous(out, t));
    cr_expect_eq(*out == t, kael_tensor_is_contiguous(t));
    cr_expect(kael_tensor_is_contiguous(*out));
}

static void walk_clone(kael_tensor **out, const kael_tensor *t, walk *w) {
    (void)w;
    ASSERT_OK(kael_tensor_clone(out, t));
    cr_expect_not(kael_tensor_shares_storage(*out, t));
    cr_expect(kael_tensor_is_contiguous(*out));
    cr_expect_eq(kael_tensor_storage_bytes(*out),
                 kael_tensor_numel(t) * kael_dtype_size(kael_tensor_dtype(t)));
}

static void walk_detach(kael_tensor **out, const kael_tensor *t, walk *w) {
    (void)w;
    ASSERT_OK(kael_tensor_detach(out, t));
    cr_expect_neq(*out, t);
    cr_expect(kael_tensor_shares_storage(*out, t));
}

static void walk_to_dtype(kael_tensor **out, const kael_tensor *t, walk *w) {
    static const kael_dtype dtypes[] = {KAEL_I16, KAEL_U16, KAEL_I32, KAEL_U32,
                                        KAEL_I64, KAEL_U64, KAEL_F32, KAEL_F64};
    const kael_dtype dtype = dtypes[draw(w, COUNT_OF(dtypes))];
    ASSERT_OK(kael_tensor_to_dtype(out, t, dtype));
    cr_expect_eq(*out == t, kael_tensor_dtype(t) == dtype);
    cr_expect_eq(kael_tensor_dtype(*out), dtype);
}

typedef struct walk_step {
    const char *name;
    void (*run)(kael_tensor **out, const kael_tensor *t, walk *w);
} walk_step;

static const walk_step walk_steps[] = {
    {"permute", walk_permute},     {"transpose", walk_transpose},   {"narrow", walk_narrow},
    {"slice", walk_slice},         {"select", walk_select},         {"squeeze", walk_squeeze},
    {"unsqueeze", walk_unsqueeze}, {"broadcast", walk_broadcast},   {"reshape", walk_reshape},
    {"flatten", walk_flatten},     {"contiguous", walk_contiguous}, {"clone", walk_clone},
    {"detach", walk_detach},       {"to_dtype", walk_to_dtype},
};

/* The numbers 0, 1, 2 ... in foreign memory that runs backwards. */
static float foreign[MOST_VALUES];
static int64_t foreign_releases;

static void count_release(void *data, void *context) {
    (void)data;
    ++*(int64_t *)context;
}

static kael_tensor *backwards(int64_t ndim, const int64_t *shape) {
    const int64_t count = kael_shape_numel(ndim, shape);
    int64_t strides[KAEL_MAX_DIMS];
    int64_t stride = -1;
    for (int64_t i = ndim - 1; i >= 0; --i) {
        strides[i] = stride;
        stride *= shape[i];
    }
    for (int64_t i = 0; i < count; ++i) {
        foreign[i] = (float)(count - 1 - i);
    }
    kael_tensor *t;
    ASSERT_OK(kael_tensor_wrap(&t, KAEL_F32, ndim, shape, strides,
                               foreign + (count > 0 ? count - 1 : 0), count_release,
                               &foreign_releases));
    return t;
}

static void take_walk(uint64_t seed) {
    static walk w;
    w.state = seed;
    w.m.ndim = draw(&w, 5);
    for (int64_t i = 0; i < w.m.ndim; ++i) {
        w.m.shape[i] = draw(&w, 40) == 0 ? 0 : 1 + draw(&w, 6);
    }
    for (int64_t i = 0; i < model_count(&w.m); ++i) {
        w.m.values[i] = (double)i;
    }
    kael_tensor *t =
        seed % 2 == 0 ? counting(KAEL_F32, w.m.ndim, w.m.shape) : backwards(w.m.ndim, w.m.shape);
    expect_model(t, &w.m, "start");
    for (int step = 0; step < 8; ++step) {
        const walk_step *s = &walk_steps[draw(&w, COUNT_OF(walk_steps))];
        kael_tensor *next = NULL;
        s->run(&next, t, &w);
        if (next != NULL) {
            expect_model(next, &w.m, s->name);
            kael_tensor_release(t);
            t = next;
        }
    }
    kael_tensor_release(t);
}

Test(Views, ChainsOfViewsHoldWhatTheirDefinitionsSay) {
    enum { WALKS = 10000 };
    const int64_t before = bytes_in_use();
    for (uint64_t seed = 0; seed < WALKS; ++seed) {
        take_walk(seed);
    }
    cr_expect_eq(bytes_in_use(), before);
    cr_expect_eq(foreign_releases, WALKS / 2);
}

/* Layouts that the walks may miss. */

static void expect_layout(const kael_tensor *t, int64_t ndim, const int64_t *shape,
                          const int64_t *strides, int64_t offset) {
    cr_assert_eq(kael_tensor_ndim(t), ndim);
    expect_numbers(kael_tensor_shape(t), ndim, shape, "shape");
    expect_numbers(kael_tensor_strides(t), ndim, strides, "strides");
    cr_expect_eq(kael_tensor_offset(t), offset);
}

Test(Views, SlicesTakeResolvedPositions) {
    kael_tensor *a = arange(KAEL_I64, 7);
    kael_tensor *t;
    ASSERT_OK(kael_tensor_slice(&t, a, 0, 6, -1, -1));
    expect_layout(t, SHAPE(7), DIMS(-1), 6);
    EXPECT_VALUES(t, 6, 5, 4, 3, 2, 1, 0);
    kael_tensor_release(t);
    ASSERT_OK(kael_tensor_slice(&t, a, 0, 5, -1, -3));
    expect_layout(t, SHAPE(2), DIMS(-3), 5);
    EXPECT_VALUES(t, 5, 2);
    kael_tensor_release(t);
    ASSERT_OK(kael_tensor_slice(&t, a, -1, 1, 7, 3));
    expect_layout(t, SHAPE(2), DIMS(3), 1);
    EXPECT_VALUES(t, 1, 4);
    kael_tensor_release(t);
    const int64_t empty[][3] = {{3, 3, 1},  {7, 7, 1},    {5, 2, 1},
                                {2, 5, -1}, {-1, -1, -1}, {0, 0, 9}};
    for (size_t i = 0; i < COUNT_OF(empty); ++i) {
        ASSERT_OK(kael_tensor_slice(&t, a, 0, empty[i][0], empty[i][1], empty[i][2]));
        expect_layout(t, SHAPE(0), &empty[i][2], 0);
        cr_expect_null(kael_tensor_data(t));
        cr_expect(kael_tensor_is_contiguous(t));
        cr_expect(kael_tensor_shares_storage(t, a));
        kael_tensor_release(t);
    }
    const int64_t long_steps[] = {INT64_C(1) << 59, -(INT64_C(1) << 59)};
    for (size_t i = 0; i < COUNT_OF(long_steps); ++i) {
        ASSERT_OK(kael_tensor_slice(&t, a, 0, 4, long_steps[i] > 0 ? 7 : -1, long_steps[i]));
        EXPECT_VALUES(t, 4);
        kael_tensor_release(t);
    }
    kael_tensor_release(a);
}

Test(Views, ReshapesCopyOnlyWhereNoStridesWouldDo) {
    kael_tensor *a = counting(KAEL_I32, SHAPE(4, 6));
    kael_tensor *columns;
    kael_tensor *t;
    ASSERT_OK(kael_tensor_slice(&columns, a, 1, 0, 6, 2));
    ASSERT_OK(kael_tensor_reshape(&t, columns, SHAPE(2, 2, 3)));
    expect_layout(t, SHAPE(2, 2, 3), DIMS(12, 6, 2), 0);
    cr_expect(kael_tensor_shares_storage(t, a));
    kael_tensor_release(t);
    ASSERT_OK(kael_tensor_reshape(&t, columns, SHAPE(12)));
    expect_layout(t, SHAPE(12), DIMS(2), 0); /* 6 = 3 * 2: no gap at the ends of rows */
    kael_tensor_release(t);
    kael_tensor_release(columns);
    ASSERT_OK(kael_tensor_narrow(&columns, a, 1, 0, 3));
    ASSERT_OK(kael_tensor_reshape(&t, columns, SHAPE(4, 1, 3, 1)));
    cr_expect(kael_tensor_shares_storage(t, a));
    kael_tensor_release(t);
    ASSERT_OK(kael_tensor_reshape(&t, columns, SHAPE(-1)));
    expect_layout(t, SHAPE(12), DIMS(1), 0);
    cr_expect_not(kael_tensor_shares_storage(t, a));
    EXPECT_VALUES(t, 0, 1, 2, 6, 7, 8, 12, 13, 14, 18, 19, 20);
    kael_tensor_release(t);
    kael_tensor_release(columns);
    ASSERT_OK(kael_tensor_broadcast_to(&columns, a, SHAPE(3, 4, 6)));
    ASSERT_OK(kael_tensor_reshape(&t, columns, SHAPE(3, 24)));
    expect_layout(t, SHAPE(3, 24), DIMS(0, 1), 0);
    kael_tensor_release(t);
    kael_tensor_release(columns);
    kael_tensor_release(a);
}

Test(Views, ReshapesInferOneSize) {
    kael_tensor *a = counting(KAEL_I32, SHAPE(4, 6));
    kael_tensor *t;
    ASSERT_OK(kael_tensor_reshape(&t, a, SHAPE(2, -1, 3)));
    expect_layout(t, SHAPE(2, 4, 3), DIMS(12, 3, 1), 0);
    kael_tensor_release(t);
    ASSERT_OK(kael_tensor_reshape(&t, a, SHAPE(24, -1)));
    expect_layout(t, SHAPE(24, 1), DIMS(1, 1), 0);
    kael_tensor_release(t);
    kael_tensor *empty;
    ASSERT_OK(kael_tensor_empty(&empty, KAEL_I32, SHAPE(0, 3)));
    ASSERT_OK(kael_tensor_reshape(&t, empty, SHAPE(5, -1)));
    expect_layout(t, SHAPE(5, 0), DIMS(0, 1), 0);
    kael_tensor_release(t);
    ASSERT_OK(kael_tensor_reshape(&t, empty, SHAPE(0, 7, 2)));
    expect_layout(t, SHAPE(0, 7, 2), DIMS(14, 2, 1), 0);
    kael_tensor_release(t);
    kael_tensor_release(empty);
    kael_tensor_release(a);
    kael_tensor *scalar;
    ASSERT_OK(kael_tensor_full(&scalar, KAEL_F32, 0, NULL, 3));
    ASSERT_OK(kael_tensor_flatten(&t, scalar));
    expect_layout(t, SHAPE(1), DIMS(1), 0);
    ASSERT_OK(kael_tensor_reshape(&a, t, 0, NULL));
    cr_expect_eq(kael_tensor_ndim(a), 0);
    kael_tensor_release(a);
    kael_tensor_release(t);
    kael_tensor_release(scalar);
}

Test(Views, TheLargestNumberOfDimensions) {
    int64_t shape[KAEL_MAX_DIMS];
    int64_t dims[KAEL_MAX_DIMS];
    for (int i = 0; i < KAEL_MAX_DIMS; ++i) {
        shape[i] = i % 2 + 1;
        dims[i] = KAEL_MAX_DIMS - 1 - i;
    }
    kael_tensor *a = counting(KAEL_I16, KAEL_MAX_DIMS, shape);
    kael_tensor *t;
    ASSERT_OK(kael_tensor_permute(&t, a, dims));
    double value;
    int64_t indices[KAEL_MAX_DIMS] = {1};
    ASSERT_OK(kael_tensor_get(&value, t, indices));
    cr_expect_eq(value, 1);
    kael_tensor *copy;
    ASSERT_OK(kael_tensor_clone(&copy, t));
    ASSERT_OK(kael_tensor_get(&value, copy, indices));
    cr_expect_eq(value, 1);
    kael_tensor_release(copy);
    kael_tensor_release(t);
    EXPECT_FAILURE(KAEL_ERROR_SHAPE, "tensor must have less than 16 dimensions to get one",
                   kael_tensor_unsqueeze, a, 0);
    kael_tensor_release(a);
}

/* As elementwise operations do. */
Test(Views, ConversionsKeepTheOrderOfDimensions) {
    kael_tensor *a = counting(KAEL_F32, SHAPE(2, 3, 4));
    kael_tensor *t;
    kael_tensor *converted;
    ASSERT_OK(kael_tensor_permute(&t, a, DIMS(2, 0, 1)));
    ASSERT_OK(kael_tensor_to_dtype(&converted, t, KAEL_F64));
    expect_layout(converted, SHAPE(4, 2, 3), DIMS(1, 12, 4), 0);
    kael_tensor_release(converted);
    kael_tensor_release(t);
    ASSERT_OK(kael_tensor_slice(&t, a, 2, 3, -1, -2));
    ASSERT_OK(kael_tensor_to_dtype(&converted, t, KAEL_I8));
    expect_layout(converted, SHAPE(2, 3, 2), DIMS(6, 2, 1), 0);
    EXPECT_VALUES(converted, 3, 1, 7, 5, 11, 9, 15, 13, 19, 17, 23, 21);
    kael_tensor_release(converted);
    kael_tensor_release(t);
    kael_tensor_release(a);
}

Test(Views, WhatIsWrittenThroughOneIsSeenThroughAll) {
    kael_tensor *a = counting(KAEL_F64, SHAPE(2, 3));
    kael_tensor *t;
    ASSERT_OK(kael_tensor_transpose(&t, a, 0, 1));
    ASSERT_OK(kael_tensor_set(t, DIMS(2, 0), 20));
    EXPECT_VALUES(a, 0, 1, 20, 3, 4, 5);
    kael_tensor_release(t);
    kael_tensor_release(a);
}

/* Lifetime. */

Test(Views, AViewKeepsItsStorageAlive) {
    const int64_t before = bytes_in_use();
    kael_tensor *a = arange(KAEL_F64, 100000);
    kael_tensor *rows;
    kael_tensor *row;
    ASSERT_OK(kael_tensor_reshape(&rows, a, SHAPE(100, 1000)));
    ASSERT_OK(kael_tensor_select(&row, rows, 0, 7));
    kael_tensor_release(a);
    kael_tensor_release(rows);
    cr_expect_geq(bytes_in_use(), before + 800000);
    double value;
    ASSERT_OK(kael_tensor_get(&value, row, DIMS(3)));
    cr_expect_eq(value, 7003);
    kael_tensor_release(row);
    cr_expect_eq(bytes_in_use(), before);
}

Test(Views, AViewCostsOneSmallBlock) {
    kael_tensor *a = arange(KAEL_F64, 100000);
    const int64_t before = bytes_in_use();
    kael_tensor *t;
    ASSERT_OK(kael_tensor_slice(&t, a, 0, 0, 100000, 2));
    cr_expect_leq(bytes_in_use() - before, 512);
    kael_tensor_release(t);
    kael_tensor_release(a);
}

/* Arguments that do not fit. */

#define EACH_VIEW(X, out, tensor)                                                                  \
    X(kael_tensor_reshape(out, tensor, SHAPE(6)));                                                 \
    X(kael_tensor_flatten(out, tensor));                                                           \
    X(kael_tensor_broadcast_to(out, tensor, SHAPE(2, 3)));                                         \
    X(kael_tensor_permute(out, tensor, DIMS(1, 0)));                                               \
    X(kael_tensor_transpose(out, tensor, 0, 1));                                                   \
    X(kael_tensor_narrow(out, tensor, 0, 0, 1));                                                   \
    X(kael_tensor_slice(out, tensor, 0, 0, 1, 1));                                                 \
    X(kael_tensor_select(out, tensor, 0, 0));                                                      \
    X(kael_tensor_squeeze(out, tensor, 0));                                                        \
    X(kael_tensor_unsqueeze(out, tensor, 0));                                                      \
    X(kael_tensor_detach(out, tensor));                                                            \
    X(kael_tensor_contiguous(out, tensor));                                                        \
    X(kael_tensor_clone(out, tensor));                                                             \
    X(kael_tensor_to_dtype(out, tensor, KAEL_F64))

Test(Views, NullArgumentsAreNamed) {
    kael_tensor *a = counting(KAEL_F32, SHAPE(2, 3));
#define EXPECT_OUT_ERROR(call)                                                                     \
    cr_expect_eq(call, KAEL_ERROR_VALUE);                                                          \
    cr_expect_str_eq(kael_last_error_message(), "out must not be NULL")
    EACH_VIEW(EXPECT_OUT_ERROR, NULL, a);
#define EXPECT_TENSOR_ERROR(call)                                                                  \
    t = poison();                                                                                  \
    cr_expect_eq(call, KAEL_ERROR_VALUE);                                                          \
    cr_expect_null(t);                                                                             \
    cr_expect_str_eq(kael_last_error_message(), "tensor must not be NULL")
    kael_tensor *t;
    EACH_VIEW(EXPECT_TENSOR_ERROR, &t, NULL);
    EXPECT_FAILURE(KAEL_ERROR_VALUE, "shape must not be NULL when ndim is 1", kael_tensor_reshape,
                   a, 1, NULL);
    EXPECT_FAILURE(KAEL_ERROR_VALUE, "shape must not be NULL when ndim is 3",
                   kael_tensor_broadcast_to, a, 3, NULL);
    EXPECT_FAILURE(KAEL_ERROR_VALUE, "dims must not be NULL", kael_tensor_permute, a, NULL);
    kael_tensor_release(a);
    ASSERT_OK(kael_tensor_ones(&a, KAEL_F32, 0, NULL));
    ASSERT_OK(kael_tensor_permute(&t, a, NULL));
    kael_tensor_release(t);
    kael_tensor_release(a);
}

Test(Views, DimensionsOutOfRangeAreNamed) {
    kael_tensor *a = counting(KAEL_F32, SHAPE(2, 3));
    const int64_t dims[] = {2, 3, -3, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < COUNT_OF(dims); ++i) {
        char message[100];
        snprintf(message, sizeof message,
                 "dim %" PRId64 " is out of range for a tensor of 2 dimensions", dims[i]);
        EXPECT_FAILURE(KAEL_ERROR_INDEX, message, kael_tensor_transpose, a, dims[i], 0);
        EXPECT_FAILURE(KAEL_ERROR_INDEX, message, kael_tensor_transpose, a, 0, dims[i]);
        EXPECT_FAILURE(KAEL_ERROR_INDEX, message, kael_tensor_permute, a, DIMS(0, dims[i]));
        EXPECT_FAILURE(KAEL_ERROR_INDEX, message, kael_tensor_narrow, a, dims[i], 0, 1);
        EXPECT_FAILURE(KAEL_ERROR_INDEX, message, kael_tensor_slice, a, dims[i], 0, 1, 1);
        EXPECT_FAILURE(KAEL_ERROR_INDEX, message, kael_tensor_select, a, dims[i], 0);
        EXPECT_FAILURE(KAEL_ERROR_INDEX, message, kael_tensor_squeeze, a, dims[i]);
    }
    EXPECT_FAILURE(KAEL_ERROR_INDEX, "dim 3 is out of range for a view of 3 dimensions",
                   kael_tensor_unsqueeze, a, 3);
    EXPECT_FAILURE(KAEL_ERROR_INDEX, "dim -4 is out of range for a view of 3 dimensions",
                   kael_tensor_unsqueeze, a, -4);
    EXPECT_FAILURE(KAEL_ERROR_VALUE, "dims must name each dimension once, got dimension 1 twice",
                   kael_tensor_permute, a, DIMS(1, -1));
    kael_tensor_release(a);
    ASSERT_OK(kael_tensor_ones(&a, KAEL_F32, 0, NULL));
    EXPECT_FAILURE(KAEL_ERROR_INDEX, "dim 0 is out of range for a tensor of 0 dimensions",
                   kael_tensor_squeeze, a, 0);
    EXPECT_FAILURE(KAEL_ERROR_INDEX, "dim -1 is out of range for a tensor of 0 dimensions",
                   kael_tensor_select, a, -1, 0);
    kael_tensor_release(a);
}

Test(Views, IndicesOutOfRangeAreNamed) {
    kael_tensor *a = counting(KAEL_F32, SHAPE(2, 3));
    EXPECT_FAILURE(KAEL_ERROR_INDEX, "index 3 is out of range for dim 1 of size 3",
                   kael_tensor_select, a, -1, 3);
    EXPECT_FAILURE(KAEL_ERROR_INDEX, "index -4 is out of range for dim 1 of size 3",
                   kael_tensor_select, a, 1, -4);
    EXPECT_FAILURE(KAEL_ERROR_INDEX,
                   "index -9223372036854775808 is out of range for dim 0 of size 2",
                   kael_tensor_select, a, 0, INT64_MIN);
    EXPECT_FAILURE(KAEL_ERROR_INDEX, "start 1 and length 3 are out of range for dim 1 of size 3",
                   kael_tensor_narrow, a, 1, 1, 3);
    const int64_t narrows[][2] = {{-1, 1}, {0, -1}, {0, 4}, {4, 0}, {1, INT64_MAX}, {INT64_MAX, 1}};
    for (size_t i = 0; i < COUNT_OF(narrows); ++i) {
        char message[100];
        snprintf(message, sizeof message,
                 "start %" PRId64 " and length %" PRId64 " are out of range for dim 1 of size 3",
                 narrows[i][0], narrows[i][1]);
        EXPECT_FAILURE(KAEL_ERROR_INDEX, message, kael_tensor_narrow, a, 1, narrows[i][0],
                       narrows[i][1]);
    }
    EXPECT_FAILURE(KAEL_ERROR_VALUE, "step must not be 0", kael_tensor_slice, a, 1, 0, 1, 0);
    EXPECT_FAILURE(KAEL_ERROR_INDEX,
                   "start and stop must be between 0 and 3 for step 2 and dim 1 of size 3, got -1 "
                   "and 2",
                   kael_tensor_slice, a, 1, -1, 2, 2);
    EXPECT_FAILURE(KAEL_ERROR_INDEX,
                   "start and stop must be between -1 and 2 for step -1 and dim 1 of size 3, got 3 "
                   "and -1",
                   kael_tensor_slice, a, 1, 3, -1, -1);
    const int64_t slices[][3] = {{0, 4, 1},   {4, 3, 1},    {0, INT64_MAX, 1}, {INT64_MIN, 1, 1},
                                 {2, -2, -1}, {-2, -1, -1}, {2, 3, -1}};
    for (size_t i = 0; i < COUNT_OF(slices); ++i) {
        kael_tensor *t = poison();
        cr_expect_eq(kael_tensor_slice(&t, a, 1, slices[i][0], slices[i][1], slices[i][2]),
                     KAEL_ERROR_INDEX, "%zu", i);
        cr_expect_null(t);
    }
    kael_tensor_release(a);
}

Test(Views, ShapesThatDoNotFitAreNamed) {
    kael_tensor *a = counting(KAEL_F32, SHAPE(3, 4));
    EXPECT_FAILURE(KAEL_ERROR_SHAPE, "a tensor of shape (3, 4) cannot be reshaped to (5, 2)",
                   kael_tensor_reshape, a, SHAPE(5, 2));
    EXPECT_FAILURE(KAEL_ERROR_SHAPE, "a tensor of shape (3, 4) cannot be reshaped to (5, -1)",
                   kael_tensor_reshape, a, SHAPE(5, -1));
    EXPECT_FAILURE(KAEL_ERROR_SHAPE, "a tensor of shape (3, 4) cannot be reshaped to (0, -1)",
                   kael_tensor_reshape, a, SHAPE(0, -1));
    EXPECT_FAILURE(KAEL_ERROR_SHAPE, "at most one size of shape may be -1, got (-1, 2, -1)",
                   kael_tensor_reshape, a, SHAPE(-1, 2, -1));
    EXPECT_FAILURE(KAEL_ERROR_SHAPE, "sizes must not be negative, got -2 in dimension 1",
                   kael_tensor_reshape, a, SHAPE(-1, -2));
    EXPECT_FAILURE(KAEL_ERROR_SHAPE, "ndim must be between 0 and 16, got 17", kael_tensor_reshape,
                   a, 17, DIMS(1));
    EXPECT_FAILURE(KAEL_ERROR_SHAPE, "ndim must be between 0 and 16, got -1", kael_tensor_reshape,
                   a, -1, DIMS(1));
    EXPECT_FAILURE(KAEL_ERROR_SHAPE, "shape (3, 4) does not broadcast to (3, 5)",
                   kael_tensor_broadcast_to, a, SHAPE(3, 5));
    EXPECT_FAILURE(KAEL_ERROR_SHAPE, "shape (3, 4) does not broadcast to (4)",
                   kael_tensor_broadcast_to, a, SHAPE(4));
    EXPECT_FAILURE(KAEL_ERROR_SHAPE, "shape (3, 4) does not broadcast to (3, 0)",
                   kael_tensor_broadcast_to, a, SHAPE(3, 0));
    EXPECT_FAILURE(KAEL_ERROR_SHAPE, "sizes must not be negative, got -1 in dimension 0",
                   kael_tensor_broadcast_to, a, SHAPE(-1, 4));
    EXPECT_FAILURE(KAEL_ERROR_SHAPE, "ndim must be between 0 and 16, got 17",
                   kael_tensor_broadcast_to, a, 17, DIMS(1));
    EXPECT_FAILURE(KAEL_ERROR_DTYPE, "13 is not a dtype", kael_tensor_to_dtype, a, (kael_dtype)13);
    EXPECT_FAILURE(KAEL_ERROR_DTYPE, "-1 is not a dtype", kael_tensor_to_dtype, a, (kael_dtype)-1);
    kael_tensor_release(a);
}

Test(Views, K48_SizesOfViewsThatOverflowAreRejected) {
    const int64_t two40 = INT64_C(1) << 40;
    const int64_t two62 = INT64_C(1) << 62;
    kael_tensor *one;
    kael_tensor *t;
    ASSERT_OK(kael_tensor_ones(&one, KAEL_U8, SHAPE(1)));
    EXPECT_FAILURE(
        KAEL_ERROR_SHAPE,
        "the bytes of shape (1099511627776, 1099511627776) and dtype u8 do not fit in 63 "
        "bits",
        kael_tensor_broadcast_to, one, SHAPE(two40, two40));
    ASSERT_OK(kael_tensor_broadcast_to(&t, one, SHAPE((INT64_C(1) << 31) + 16)));
    cr_expect_eq(kael_tensor_numel(t), 2147483664);
    cr_expect_eq(kael_tensor_storage_bytes(t), 1);
    kael_tensor_release(t);
    kael_tensor_release(one);

    ASSERT_OK(kael_tensor_empty(&one, KAEL_F64, SHAPE(two40, 0, two40)));
    ASSERT_OK(kael_tensor_transpose(&t, one, 0, 1));
    cr_expect(kael_tensor_is_contiguous(t));
    kael_tensor_release(t);
    ASSERT_OK(kael_tensor_select(&t, one, 0, -1));
    expect_layout(t, SHAPE(0, two40), DIMS(two40, 1), 0);
    kael_tensor_release(t);
    ASSERT_OK(kael_tensor_slice(&t, one, 2, two40 - 1, -1, -3));
    cr_expect_eq(kael_tensor_numel(t), 0);
    kael_tensor_release(t);
    kael_tensor *copy;
    ASSERT_OK(kael_tensor_clone(&copy, one));
    kael_tensor_release(copy);
    EXPECT_FAILURE(
        KAEL_ERROR_SHAPE,
        "a tensor of shape (1099511627776, 0, 1099511627776) cannot be reshaped to (0, -1)",
        kael_tensor_reshape, one, SHAPE(0, -1));
    kael_tensor_release(one);

    uint8_t byte = 0;
    ASSERT_OK(kael_tensor_wrap(&t, KAEL_U8, SHAPE(1), DIMS(two62), &byte, NULL, NULL));
    EXPECT_FAILURE(KAEL_ERROR_VALUE,
                   "the bytes of stride 4611686018427387904 times step 3 do not fit in 63 bits",
                   kael_tensor_slice, t, 0, 0, 1, 3);
    kael_tensor_release(t);
    ASSERT_OK(kael_tensor_wrap(&t, KAEL_U8, SHAPE(0, 7), DIMS(two62, two62), NULL, NULL, NULL));
    EXPECT_FAILURE(KAEL_ERROR_VALUE,
                   "the bytes of stride 4611686018427387904 times step 3 do not fit in 63 bits",
                   kael_tensor_slice, t, 0, 0, 0, 3);
    ASSERT_OK(kael_tensor_select(&one, t, 1, 6));
    expect_layout(one, SHAPE(0), DIMS(two62), 0);
    kael_tensor_release(one);
    kael_tensor_release(t);
}

/* A clone that cannot be had is an error, not a crash. */
Test(Views, CopiesBeyondTheMachineAreMemoryErrors) {
    kael_tensor *one;
    kael_tensor *wide;
    ASSERT_OK(kael_tensor_ones(&one, KAEL_U8, SHAPE(1)));
    ASSERT_OK(kael_tensor_broadcast_to(&wide, one, SHAPE(INT64_C(1) << 61)));
    const int64_t before = bytes_in_use();
    kael_tensor *t = poison();
    cr_expect_eq(kael_tensor_clone(&t, wide), KAEL_ERROR_MEMORY);
    cr_expect_null(t);
    t = poison();
    cr_expect_eq(kael_tensor_reshape(&t, wide, SHAPE(INT64_C(1) << 60, 2)), KAEL_OK);
    kael_tensor_release(t);
    EXPECT_FAILURE(KAEL_ERROR_SHAPE,
                   "the bytes of shape (2305843009213693952) and dtype f64 do not fit in 63 bits",
                   kael_tensor_to_dtype, wide, KAEL_F64);
    cr_expect_eq(bytes_in_use(), before);
    kael_tensor_release(wide);
    kael_tensor_release(one);
}
