/* A user's program: a tensor, a product, a parallel loop and an error. */
#include <kael/kael.h>

#include <stdio.h>
#include <string.h>

typedef struct doubling {
    double values[1000];
} doubling;

static kael_status double_range(int64_t first, int64_t last, void *context) {
    doubling *work = context;
    for (int64_t i = first; i < last; ++i) {
        work->values[i] *= 2;
    }
    return KAEL_OK;
}

static int fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, kael_last_error_message());
    return 1;
}

int main(void) {
    if (strcmp(kael_version(), KAEL_VERSION_STRING) != 0) {
        return fail("the library and its headers differ in version");
    }

    const int64_t shape[] = {2, 2};
    const float a[] = {1, 2, 3, 4};
    kael_tensor *left = NULL;
    kael_tensor *right = NULL;
    if (kael_tensor_from_data(&left, KAEL_F32, 2, shape, a) != KAEL_OK ||
        kael_tensor_ones(&right, KAEL_F32, 2, shape) != KAEL_OK) {
        return fail("tensors");
    }
    float product[4] = {0, 0, 0, 0};
    const kael_matmul_sizes sizes = {2, 2, 2};
    if (kael_matmul_multiply_f32(kael_tensor_data(left), kael_tensor_data(right), product,
                                 &sizes) != KAEL_OK) {
        return fail("matmul");
    }
    kael_tensor_release(left);
    kael_tensor_release(right);
    const float expected[] = {3, 3, 7, 7};
    if (memcmp(product, expected, sizeof expected) != 0) {
        return fail("the product is wrong");
    }

    doubling work;
    for (int i = 0; i < 1000; ++i) {
        work.values[i] = i;
    }
    if (kael_parallel_for(0, 1000, 10, double_range, &work) != KAEL_OK) {
        return fail("parallel loop");
    }
    for (int i = 0; i < 1000; ++i) {
        if (work.values[i] != 2 * i) {
            return fail("the parallel loop is wrong");
        }
    }

    if (kael_parallel_for(0, 1, 0, double_range, &work) != KAEL_ERROR_VALUE ||
        kael_last_error_message()[0] == '\0') {
        return fail("a bad grain is no error");
    }
    puts(kael_version());
    return 0;
}
