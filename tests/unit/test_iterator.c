/* Walks over tensors of all layouts. */
#include <criterion/criterion.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "kael/ops.h"
#include "kael/parallel.h"
#include "kael/tensor.h"
#include "random_layouts.h"
#include "tensor/iterator.h"
#include "tensor/tensor.h"
#include "tensor_checks.h"

static const int64_t thread_counts[] = {1, 2, 3, 5, 8};

static kael_tensor *view(const kael_tensor *t, int64_t ndim, const int64_t *shape,
                         const int64_t *strides, int64_t offset) {
    kael_tensor *v;
    ASSERT_OK(kael_tensor_create_view(&v, t->storage, t->dtype, ndim, shape, strides, offset));
    return v;
}

static kael_tensor *bytes(int64_t numel) {
    kael_tensor *t;
    ASSERT_OK(kael_tensor_zeros(&t, KAEL_U8, 1, &numel));
    return t;
}

/* What the iterator makes of layouts. */

typedef struct plan_case {
    const char *name;
    int64_t ndim;
    int64_t shape[4];
    int64_t out_strides[4];
    int64_t in_strides[4];
    int64_t out_offset;
    int64_t in_offset;
    int planned_ndim;
    int64_t planned_shape[3];
    int64_t planned_out[3];
    int64_t planned_in[3];
    int64_t planned_out_offset;
    int64_t planned_in_offset;
    bool is_transposed;
} plan_case;

static const plan_case plan_cases[] = {
    {"contiguous", 3, {2, 3, 4}, {12, 4, 1}, {12, 4, 1}, 0, 0, 1, {24}, {1}, {1}, 0, 0, false},
    {"one element", 2, {1, 1}, {7, 9}, {5, 3}, 4, 2, 1, {1}, {1}, {1}, 4, 2, false},
    {"no dimensions", 0, {0}, {0}, {0}, 1, 2, 1, {1}, {1}, {1}, 1, 2, false},
    {"both transposed", 2, {3, 4}, {1, 3}, {1, 3}, 0, 0, 1, {12}, {1}, {1}, 0, 0, false},
    {"input transposed", 2, {3, 4}, {4, 1}, {1, 3}, 0, 0, 2, {4, 3}, {1, 4}, {3, 1}, 0, 0, true},
    {"rows with gaps", 2, {3, 4}, {6, 1}, {4, 1}, 0, 0, 2, {4, 3}, {1, 6}, {1, 4}, 0, 0, false},
    {"broadcast rows", 2, {3, 4}, {4, 1}, {0, 1}, 0, 0, 2, {4, 3}, {1, 4}, {1, 0}, 0, 0, false},
    {"broadcast columns", 2, {3, 4}, {4, 1}, {1, 0}, 0, 0, 2, {4, 3}, {1, 4}, {0, 1}, 0, 0, false},
    {"broadcast scalar", 3, {2, 3, 4}, {12, 4, 1}, {0, 0, 0}, 0, 5, 1, {24}, {1}, {0}, 0, 5, false},
    {"both reversed", 1, {5}, {-1}, {-1}, 4, 6, 1, {5}, {1}, {1}, 0, 2, false},
    {"input reversed", 1, {5}, {1}, {-1}, 0, 4, 1, {5}, {1}, {-1}, 0, 4, false},
    {"rows reversed", 2, {3, 4}, {-4, 1}, {4, 1}, 8, 0, 2, {4, 3}, {1, 4}, {1, -4}, 0, 8, false},
    {"a size of 1 inside",
     3,
     {3, 1, 4},
     {4, 99, 1},
     {4, 77, 1},
     0,
     0,
     1,
     {12},
     {1},
     {1},
     0,
     0,
     false},
    {"dimensions 1 and 2 merge",
     3,
     {2, 3, 4},
     {12, 4, 1},
     {24, 8, 2},
     0,
     0,
     1,
     {24},
     {1},
     {2},
     0,
     0,
     false},
    {"last dimension first",
     3,
     {4, 2, 3},
     {6, 3, 1},
     {1, 12, 4},
     0,
     0,
     2,
     {6, 4},
     {1, 6},
     {4, 1},
     0,
     0,
     true},
    {"dense dimension moves next",
     3,
     {4, 2, 3},
     {6, 3, 1},
     {1, 4, 8},
     0,
     0,
     3,
     {3, 4, 2},
     {1, 6, 3},
     {8, 1, 4},
     0,
     0,
     true},
};

Test(Iterator, PlansLayouts) {
    kael_tensor *out_bytes = bytes(200);
    kael_tensor *in_bytes = bytes(200);
    for (size_t i = 0; i < COUNT_OF(plan_cases); ++i) {
        const plan_case *c = &plan_cases[i];
        kael_tensor *out = view(out_bytes, c->ndim, c->shape, c->out_strides, c->out_offset);
        kael_tensor *in = view(in_bytes, c->ndim, c->shape, c->in_strides, c->in_offset);
        kael_iterator it;
        kael_iterator_init(&it, 2, (const kael_tensor *const[]){out, in});
        cr_expect_eq(it.ndim, c->planned_ndim, "%s: %d dimensions", c->name, it.ndim);
        cr_expect_eq(it.is_transposed, c->is_transposed, "%s", c->name);
        expect_numbers(it.shape, c->planned_ndim, c->planned_shape, c->name);
        expect_numbers(it.strides[0], c->planned_ndim, c->planned_out, c->name);
        expect_numbers(it.strides[1], c->planned_ndim, c->planned_in, c->name);
        cr_expect_eq(it.data[0] - (char *)out_bytes->data, c->planned_out_offset, "%s", c->name);
        cr_expect_eq(it.data[1] - (char *)in_bytes->data, c->planned_in_offset, "%s", c->name);
        kael_tensor_release(out);
        kael_tensor_release(in);
    }
    kael_tensor_release(out_bytes);
    kael_tensor_release(in_bytes);
}

/* Walking. */

typedef struct mix_record {
    atomic_llong elements;
    atomic_int breaches; /* of what loop.h promises */
    atomic_int calls;
} mix_record;

/* u32 out = 5 * u16 a + u8 b; the strides of an only element mean nothing. */
static void mix(const kael_loop *loop, const void *parameters) {
    mix_record *const record = *(mix_record *const *)parameters;
    const int64_t sizes[] = {4, 2, 1};
    for (int k = 0; k < 3 && loop->inner > 1; ++k) {
        const int64_t stride = loop->inner_strides[k];
        atomic_fetch_add(&record->breaches, stride != sizes[k] && (stride != 0 || k == 0));
    }
    atomic_fetch_add(&record->breaches, loop->inner < 1 || loop->outer < 1);
    atomic_fetch_add(&record->elements, loop->inner * loop->outer);
    atomic_fetch_add(&record->calls, 1);
    for (int64_t j = 0; j < loop->outer; ++j) {
        for (int64_t i = 0; i < loop->inner; ++i) {
            const char *places[3];
            for (int k = 0; k < 3; ++k) {
                places[k] = loop->data[k] + j * loop->outer_strides[k] + i * loop->inner_strides[k];
            }
            const uint32_t a = *(const uint16_t *)(const void *)places[1];
            const uint32_t b = *(const uint8_t *)places[2];
            *(uint32_t *)(void *)(loop->data[0] + (places[0] - loop->data[0])) = 5 * a + b;
        }
    }
}

static unsigned char *expected_mix(const kael_tensor *out, const kael_tensor *a,
                                   const kael_tensor *b) {
    unsigned char *expected = layout_storage_copy(out);
    int64_t indices[KAEL_MAX_DIMS] = {0};
    do {
        uint16_t x;
        memcpy(&x, layout_element(a, out->ndim, indices), sizeof x);
        const uint8_t y = *(uint8_t *)layout_element(b, out->ndim, indices);
        const uint32_t result = UINT32_C(5) * x + y;
        memcpy(layout_in_copy(expected, out, layout_element(out, out->ndim, indices)), &result,
               sizeof result);
    } while (layout_next(out->ndim, out->sizes, indices));
    return expected;
}

static void check_mix(const layout *out_layout, const layout *a_layout, const layout *b_layout,
                      int64_t grain) {
    kael_tensor *out = layout_tensor(out_layout, KAEL_U32, 1);
    kael_tensor *a = layout_tensor(a_layout, KAEL_U16, 2);
    kael_tensor *b = layout_tensor(b_layout, KAEL_U8, 3);
    unsigned char *expected = expected_mix(out, a, b);
    mix_record record = {0};
    mix_record *const pointer = &record;
    kael_iterator iterator;
    kael_iterator_init(&iterator, 3, (const kael_tensor *const[]){out, a, b});
    ASSERT_OK(kael_iterator_run(&iterator, grain, mix, (const void *)&pointer));
    const bool same = memcmp(expected, out->storage->data, (size_t)out->storage->bytes) == 0;
    if (!same || record.elements != out->numel || record.breaches > 0) {
        cr_expect(false, "grain %" PRId64 ", %lld elements, %d breaches: %s; %s; %s", grain,
                  (long long)record.elements, record.breaches, layout_text(out), layout_text(a),
                  layout_text(b));
    }
    free(expected);
    kael_tensor_release(out);
    kael_tensor_release(a);
    kael_tensor_release(b);
}

/* Grains from one element up begin chunks anywhere in rows and tiles. */
Test(Iterator, VisitsEveryElementOfEveryLayoutOnce) {
    for (int round = 0; round < 4000; ++round) {
        const int ndim = (int)layout_random(6);
        int64_t shape[KAEL_MAX_DIMS];
        layout_random_shape(ndim, shape, INT64_C(500) << layout_random(5));
        const layout out = layout_make(ndim, shape, LAYOUT_DISTINCT);
        layout a = layout_make(ndim, shape, LAYOUT_REPEATED);
        layout b = layout_make(ndim, shape, LAYOUT_REPEATED);
        if (round % 3 == 0) {
            layout_shrink(&a);
        }
        ASSERT_OK(kael_set_num_threads(thread_counts[round % 5]));
        check_mix(&out, &a, &b, 1 + layout_random(INT64_C(1) << layout_random(12)));
    }
}

/* All dimensions there can be, none of which merge. */
Test(Iterator, WalksSixteenDimensions) {
    layout out = {.ndim = KAEL_MAX_DIMS, .room = 1};
    layout in = {.ndim = KAEL_MAX_DIMS, .room = 1};
    for (int i = 0; i < KAEL_MAX_DIMS; ++i) {
        const int last = KAEL_MAX_DIMS - 1 - i;
        out.shape[i] = in.shape[i] = 2;
        out.strides[last] = out.room;
        out.room = out.room * 2 + (i % 5 == 0);
        in.strides[i] = in.room;
        in.room *= 2;
    }
    check_mix(&out, &in, &in, 1000);
}

Test(Iterator, EmptyTensorsCallNothing) {
    const int64_t shapes[][2] = {{0, 5}, {5, 0}, {0, 0}};
    for (size_t i = 0; i < COUNT_OF(shapes); ++i) {
        kael_tensor *out;
        ASSERT_OK(kael_tensor_empty(&out, KAEL_U32, 2, shapes[i]));
        kael_iterator iterator;
        kael_iterator_init(&iterator, 3, (const kael_tensor *const[]){out, out, out});
        cr_expect_eq(iterator.numel, 0);
        ASSERT_OK(kael_iterator_run(&iterator, 1, mix, NULL));
        ASSERT_OK(kael_iterator_run_strided(&iterator, 1, mix, NULL));
        ASSERT_OK(kael_iterator_copy(&iterator, 1));
        kael_tensor_release(out);
    }
}

/* Kernels that take any strides. */

static void count_elements(const kael_loop *loop, const void *parameters) {
    atomic_llong *const elements = *(atomic_llong *const *)parameters;
    atomic_fetch_add(elements, loop->inner * loop->outer);
}

static long long count_walk(const kael_tensor *t) {
    atomic_llong elements;
    atomic_init(&elements, 0);
    atomic_llong *const pointer = &elements;
    kael_iterator iterator;
    kael_iterator_init(&iterator, 1, &t);
    ASSERT_OK(kael_iterator_run_strided(&iterator, KAEL_ELEMENT_GRAIN, count_elements,
                                        (const void *)&pointer));
    return atomic_load(&elements);
}

Test(Iterator, K48_MoreElementsThan32BitsCount) {
    kael_tensor *t = bytes(3);
    const int64_t shape[] = {3, INT64_C(2147483664) / 3};
    kael_tensor *expanded = view(t, 2, shape, DIMS(1, 0), 0);
    cr_expect_eq(count_walk(expanded), 2147483664);
    kael_tensor_release(expanded);
    expanded = view(t, 3, DIMS(1 << 20, 3, 1 << 20), DIMS(0, 1, 0), 0);
    cr_expect_eq(count_walk(expanded), INT64_C(3) << 40);
    kael_tensor_release(expanded);
    kael_tensor_release(t);
}

/* The parallel walk. */

static int count_calls(int64_t rows, int64_t columns) {
    kael_tensor *out;
    kael_tensor *a;
    kael_tensor *b;
    ASSERT_OK(kael_tensor_empty(&out, KAEL_U32, 2, DIMS(rows, columns)));
    ASSERT_OK(kael_tensor_zeros(&a, KAEL_U16, 2, DIMS(rows, columns)));
    ASSERT_OK(kael_tensor_zeros(&b, KAEL_U8, 2, DIMS(rows, columns)));
    mix_record record = {0};
    mix_record *const pointer = &record;
    kael_iterator iterator;
    kael_iterator_init(&iterator, 3, (const kael_tensor *const[]){out, a, b});
    ASSERT_OK(kael_iterator_run(&iterator, KAEL_ELEMENT_GRAIN, mix, (const void *)&pointer));
    cr_expect_eq(record.elements, rows * columns);
    kael_tensor_release(out);
    kael_tensor_release(a);
    kael_tensor_release(b);
    return record.calls;
}

Test(ParallelIterator, LargeRangesSplitSmallRangesDoNot) {
    ASSERT_OK(kael_set_num_threads(2));
    cr_expect_eq(count_calls(1000, 1000), 2);
    cr_expect_eq(count_calls(2000, 2000), 8);
    cr_expect_eq(count_calls(1, KAEL_ELEMENT_GRAIN), 1);
    cr_expect_eq(count_calls(1, KAEL_ELEMENT_GRAIN + 1), 2);
    cr_expect_eq(count_calls(10, 10), 1);
    ASSERT_OK(kael_set_num_threads(1));
    cr_expect_eq(count_calls(2000, 2000), 1);
}

static const int64_t large_shape[] = {1201, 1103};

/* Layouts of that shape, larger than two grains. */
static layout large_layout(int number) {
    const int64_t rows = large_shape[0];
    const int64_t columns = large_shape[1];
    const layout layouts[] = {
        {2, {rows, columns}, {columns, 1}, 0, rows * columns},
        {2, {rows, columns}, {1, rows}, 0, rows * columns},
        {2, {rows, columns}, {columns + 1, 1}, 3, rows * (columns + 1) + 3},
        {2, {rows, columns}, {2 * columns, 2}, 1, rows * columns * 2 + 1},
        {2, {rows, columns}, {-columns, -1}, rows * columns - 1, rows * columns},
        {2, {rows, columns}, {-1, rows}, rows - 1, rows * columns},
    };
    return layouts[number];
}

enum { LARGE_LAYOUTS = 6 };

Test(ParallelIterator, EveryLayoutWritesEveryElementInPlace) {
    const layout row = {1, {large_shape[1]}, {1}, 0, large_shape[1]};
    const layout column = {2, {large_shape[0], 1}, {1, 1}, 0, large_shape[0]};
    ASSERT_OK(kael_set_num_threads(3));
    for (int i = 0; i < LARGE_LAYOUTS; ++i) {
        const layout out = large_layout(i);
        const layout a = large_layout((i + 1) % LARGE_LAYOUTS);
        const layout b = large_layout((i + 3) % LARGE_LAYOUTS);
        check_mix(&out, &a, i % 2 == 0 ? &b : &a, KAEL_ELEMENT_GRAIN);
        check_mix(&out, i % 2 == 0 ? &row : &column, &b, KAEL_ELEMENT_GRAIN);
    }
}

typedef kael_status large_operation(kael_tensor **out, const kael_tensor *t);

static kael_status broadcast_add(kael_tensor **out, const kael_tensor *t) {
    kael_tensor *row;
    ASSERT_OK(kael_tensor_select(&row, t, 0, 7));
    const kael_status status = kael_add(out, t, row);
    kael_tensor_release(row);
    return status;
}

static kael_status transposed_exp(kael_tensor **out, const kael_tensor *t) {
    kael_tensor *transposed;
    ASSERT_OK(kael_tensor_transpose(&transposed, t, 0, 1));
    const kael_status status = kael_exp(out, transposed);
    kael_tensor_release(transposed);
    return status;
}

static kael_status transposed_copy(kael_tensor **out, const kael_tensor *t) {
    kael_tensor *transposed;
    ASSERT_OK(kael_tensor_transpose(&transposed, t, 0, 1));
    const kael_status status = kael_tensor_contiguous(out, transposed);
    kael_tensor_release(transposed);
    return status;
}

static kael_status transposed_addend(kael_tensor **out, const kael_tensor *t) {
    kael_tensor *square;
    kael_tensor *transposed;
    ASSERT_OK(kael_tensor_narrow(&square, t, 0, 0, large_shape[1]));
    ASSERT_OK(kael_tensor_transpose(&transposed, square, 0, 1));
    const kael_status status = kael_add(out, square, transposed);
    kael_tensor_release(transposed);
    kael_tensor_release(square);
    return status;
}

Test(ParallelIterator, ResultsDoNotDependOnThreadCount) {
    large_operation *const operations[] = {broadcast_add, transposed_exp, transposed_copy,
                                           transposed_addend};
    kael_tensor *numbers = counting(KAEL_F32, 2, large_shape);
    kael_tensor *t;
    ASSERT_OK(kael_mul_scalar(&t, numbers, kael_scalar_float(0x1p-16)));
    for (size_t i = 0; i < COUNT_OF(operations); ++i) {
        kael_tensor *first = NULL;
        for (size_t k = 0; k < COUNT_OF(thread_counts); ++k) {
            kael_tensor *out;
            ASSERT_OK(kael_set_num_threads(thread_counts[k]));
            ASSERT_OK(operations[i](&out, t));
            if (first == NULL) {
                first = out;
                continue;
            }
            cr_expect_arr_eq(out->data, first->data, (size_t)(out->numel * 4), "operation %zu", i);
            kael_tensor_release(out);
        }
        kael_tensor_release(first);
    }
    kael_tensor_release(t);
    kael_tensor_release(numbers);
}

Test(ParallelIterator, IntegerDivisionByZeroReachesTheCaller) {
    ASSERT_OK(kael_set_num_threads(2));
    kael_tensor *t = counting(KAEL_I32, 2, large_shape);
    kael_tensor *out = poison();
    cr_expect_eq(kael_floor_divide(&out, t, t), KAEL_ERROR_ARITHMETIC);
    cr_expect_null(out);
    ASSERT_OK(kael_add(&out, t, t));
    cr_expect_eq(((int32_t *)out->data)[1000000], 2000000);
    kael_tensor_release(out);
    kael_tensor_release(t);
}

/* So large that the sums go past the caches, from rows that begin anywhere in a cache line. */
Test(ParallelIterator, LargeTransposedAddend) {
    const int64_t side = 1801;
    ASSERT_OK(kael_set_num_threads(2));
    kael_tensor *a = counting(KAEL_F64, SHAPE(side, side));
    kael_tensor *transposed;
    kael_tensor *out;
    ASSERT_OK(kael_tensor_transpose(&transposed, a, 0, 1));
    ASSERT_OK(kael_add(&out, a, transposed));
    cr_expect(kael_tensor_is_contiguous(out));
    const double *sums = out->data;
    for (int64_t i = 0; i < side; ++i) {
        for (int64_t j = 0; j < side; ++j) {
            cr_assert_eq(sums[i * side + j], (double)((i + j) * (side + 1)));
        }
    }
    kael_tensor_release(out);
    kael_tensor_release(transposed);
    kael_tensor_release(a);
}
