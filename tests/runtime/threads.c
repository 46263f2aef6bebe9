/* Parallel loops beside and inside the threads of the program that calls them. A plain program, so
 * that the thread sanitizer can watch it. */
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "kael/linalg.h"
#include "kael/tensor.h"
#include "support/parallel.h"
#include "support/process.h"
#include "support/product.h"
#include "support/sanitizers.h"
#include "support/tap.h"

#ifdef KAEL_TEST_ADDRESS_SANITIZER
/* LLVM's runtime does not give back what it allocates for threads that end. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libomp.so";
}
#endif

#ifdef KAEL_TEST_THREAD_SANITIZER
enum { ROUNDS = 10, LARGE = 160 };
#else
enum { ROUNDS = 200, LARGE = 512 };
#endif

enum { CALLERS = 8, USER_THREADS = 4, THREADS = 8 };

static pthread_barrier_t starting_line;

static void run_callers(void *(*function)(void *)) {
    pthread_t callers[CALLERS];
    int numbers[CALLERS];
    pthread_barrier_init(&starting_line, NULL, CALLERS);
    for (int i = 0; i < CALLERS; ++i) {
        numbers[i] = i;
        CHECK(pthread_create(&callers[i], NULL, function, &numbers[i]) == 0);
    }
    for (int i = 0; i < CALLERS; ++i) {
        pthread_join(callers[i], NULL);
    }
    pthread_barrier_destroy(&starting_line);
}

/* Not atomic: every index belongs to one body. */
static kael_status write_squares(int64_t first, int64_t last, void *context) {
    int64_t *const squares = context;
    for (int64_t i = first; i < last; ++i) {
        squares[i] = i * i;
    }
    return KAEL_OK;
}

static bool squares_are_right(void) {
    enum { LENGTH = 5000 };
    int64_t *const squares = calloc(LENGTH, sizeof *squares);
    bool right =
        squares != NULL && kael_parallel_for(0, LENGTH, 7, write_squares, squares) == KAEL_OK;
    for (int64_t i = 0; right && i < LENGTH; ++i) {
        right = squares[i] == i * i;
    }
    free(squares);
    return right;
}

static void *use_first(void *unused) {
    int64_t count = 0;
    pthread_barrier_wait(&starting_line);
    CHECK(squares_are_right());
    CHECK(kael_get_num_threads(&count) == KAEL_OK && count >= 1);
    return unused;
}

static void K43_RaceForTheFirstUse(void) {
    run_callers(use_first);
}

static void *fail_and_work(void *unused) {
    for (int round = 0; round < ROUNDS; ++round) {
        char expected[64];
        const int64_t grain = -1 - round;
        CHECK(kael_parallel_for(0, 10, grain, write_squares, NULL) == KAEL_ERROR_VALUE);
        snprintf(expected, sizeof expected, "grain must be positive, got %d", (int)grain);
        CHECK(squares_are_right());
        CHECK(strcmp(kael_last_error_message(), expected) == 0);
    }
    return unused;
}

static kael_status fail_from(int64_t first, int64_t last, void *context) {
    return last > *(const int64_t *)context ? kael_parallel_for(0, 1, -first, NULL, NULL) : KAEL_OK;
}

static void ErrorsKeepToTheirCallers(void) {
    run_callers(fail_and_work);
    for (int64_t failing = 1; failing < 100; ++failing) {
        int64_t got = 0;
        CHECK(kael_parallel_for(1, 100, 1, fail_from, &failing) == KAEL_ERROR_VALUE);
        CHECK(sscanf(kael_last_error_message(), "grain must be positive, got -%ld", &got) == 1);
        CHECK(got >= failing && got < 100);
    }
}

static bool fill_and_multiply_by_identity(double value) {
    enum { ROWS = 100000 };
    static const double identity[4] = {1.0, 0.0, 0.0, 1.0};
    const kael_matmul_sizes sizes = {ROWS, 2, 2};
    double *const a = malloc(2 * ROWS * sizeof *a);
    double *const out = calloc(2 * ROWS, sizeof *out);
    bool right = a != NULL && out != NULL;
    for (int i = 0; right && i < 2 * ROWS; ++i) {
        a[i] = value;
    }
    right = right && kael_matmul_multiply_f64(a, identity, out, &sizes) == KAEL_OK &&
            memcmp(a, out, 2 * ROWS * sizeof *a) == 0;
    free(a);
    free(out);
    return right;
}

/* A batch whose products are shared among threads, and a matrix too large for one. */
static struct {
    kael_tensor *batch;
    kael_tensor *matrix;
    kael_tensor *expected_batch;
    kael_tensor *expected_matrix;
} tensors;

static kael_tensor *tensor_of_fractions(kael_dtype dtype, int64_t ndim, const int64_t *shape) {
    kael_tensor *tensor = NULL;
    CHECK(kael_tensor_empty(&tensor, KAEL_F32, ndim, shape) == KAEL_OK);
    float *elements = kael_tensor_data(tensor);
    for (int64_t i = 0; i < kael_tensor_numel(tensor); ++i) {
        elements[i] = (float)(i * 7919 % 1009) / 1009.0F - 0.5F;
    }
    kael_tensor *converted = NULL;
    CHECK(kael_tensor_to_dtype(&converted, tensor, dtype) == KAEL_OK);
    kael_tensor_release(tensor);
    return converted;
}

static void prepare_tensors(void) {
    tensors.batch = tensor_of_fractions(KAEL_F16, 3, (const int64_t[]){24, 60, 60});
    tensors.matrix = tensor_of_fractions(KAEL_F32, 2, (const int64_t[]){200, 200});
    CHECK(kael_matmul(&tensors.expected_batch, tensors.batch, tensors.batch) == KAEL_OK);
    CHECK(kael_matmul(&tensors.expected_matrix, tensors.matrix, tensors.matrix) == KAEL_OK);
}

static void release_tensors(void) {
    kael_tensor_release(tensors.batch);
    kael_tensor_release(tensors.matrix);
    kael_tensor_release(tensors.expected_batch);
    kael_tensor_release(tensors.expected_matrix);
}

static bool square_is(const kael_tensor *tensor, const kael_tensor *expected) {
    kael_tensor *square = NULL;
    const size_t bytes =
        (size_t)(kael_tensor_numel(expected) * kael_dtype_size(kael_tensor_dtype(expected)));
    const bool same = kael_matmul(&square, tensor, tensor) == KAEL_OK &&
                      memcmp(kael_tensor_data(square), kael_tensor_data(expected), bytes) == 0;
    kael_tensor_release(square);
    return same;
}

static bool tensor_products_repeat(void) {
    return square_is(tensors.batch, tensors.expected_batch) &&
           square_is(tensors.matrix, tensors.expected_matrix);
}

static product small_product;
static product large_product;

static void *multiply_repeatedly(void *number) {
    pthread_barrier_wait(&starting_line);
    for (int round = 0; round < ROUNDS; ++round) {
        CHECK(fill_and_multiply_by_identity(1.0 + *(const int *)number));
        CHECK(product_repeats(&small_product));
        CHECK(tensor_products_repeat());
        CHECK(squares_are_right());
    }
    return number;
}

static void K43_ConcurrentProducts(void) {
    run_callers(multiply_repeatedly);
}

static void expect_serial_bits(void) {
    CHECK(product_repeats(&small_product));
    CHECK(product_repeats(&large_product));
    CHECK(tensor_products_repeat());
    CHECK(squares_are_right());
}

static void multiply_in_team(void) {
#pragma omp parallel num_threads(USER_THREADS)
    expect_serial_bits();
}

static void multiply_in_tasks(void) {
#pragma omp parallel num_threads(USER_THREADS)
#pragma omp single
    for (int task = 0; task < 2 * USER_THREADS; ++task) {
#pragma omp task
        expect_serial_bits();
    }
}

/* A user's region has its own threads already: none are added. */
static void expect_no_more_threads(void (*function)(void)) {
    multiply_in_team();
    CHECK(threads_that_meet(THREADS) == THREADS);
    const int before = process_threads();
    function();
    CHECK(process_threads() <= before);
}

static void K42_InsideTheCallersOwnRegion(void) {
    expect_no_more_threads(multiply_in_team);
}

static void K42_InsideATask(void) {
    expect_no_more_threads(multiply_in_tasks);
}

static void K42_WhateverTheLevelsOfNesting(void) {
    static const int levels[] = {1, 2, 4};
    const int usual = omp_get_max_active_levels();
    for (int i = 0; i < 3; ++i) {
        omp_set_max_active_levels(levels[i]);
        expect_no_more_threads(multiply_in_team);
        expect_no_more_threads(multiply_in_tasks);
    }
    omp_set_max_active_levels(usual);
}

static kael_status multiply_in_body(int64_t first, int64_t last, void *context) {
    (void)first;
    (void)last;
    (void)context;
    return product_repeats(&small_product) && tensor_products_repeat() && squares_are_right()
               ? KAEL_OK
               : KAEL_ERROR_STATE;
}

static void K42_InsideABody(void) {
    CHECK(kael_parallel_for(0, THREADS, 1, multiply_in_body, NULL) == KAEL_OK);
}

/* A region of one thread leaves the others idle. */
static void K42_RegionOfOneThreadLeavesTheOthersToUs(void) {
    int met = 0;
#pragma omp parallel num_threads(1)
    met = threads_that_meet(THREADS);
    CHECK(met == THREADS);
}

int main(void) {
    tap_time_limit(500);
    TAP_RUN(K43_RaceForTheFirstUse);
    CHECK(kael_set_num_threads(1) == KAEL_OK);
    CHECK(product_prepare(&small_product, 64) && product_prepare(&large_product, LARGE));
    prepare_tensors();
    CHECK(kael_set_num_threads(THREADS) == KAEL_OK);
    TAP_RUN(ErrorsKeepToTheirCallers);
    TAP_RUN(K43_ConcurrentProducts);
    TAP_RUN(K42_InsideTheCallersOwnRegion);
    TAP_RUN(K42_InsideATask);
    TAP_RUN(K42_WhateverTheLevelsOfNesting);
    TAP_RUN(K42_InsideABody);
    TAP_RUN(K42_RegionOfOneThreadLeavesTheOthersToUs);
    product_free(&small_product);
    product_free(&large_product);
    release_tensors();
    return tap_finish();
}
