/* Tensors that several threads own. */
#include <pthread.h>

#include "kael/allocator.h"
#include "kael/tensor.h"
#include "support/tap.h"

enum { THREADS = 4, ROUNDS = 20000 };

static int64_t bytes_in_use(void) {
    kael_allocator_statistics now;
    return kael_allocator_stats(&now) == KAEL_OK ? now.in_use_bytes : -1;
}

/* Each thread owns the tensor; whichever releases last frees it. */
static void *use_and_release(void *argument) {
    kael_tensor *tensor = argument;
    for (int i = 0; i < ROUNDS; ++i) {
        kael_tensor *mine = kael_tensor_retain(tensor);
        kael_tensor *view;
        if (CHECK(kael_tensor_slice(&view, mine, 0, 2, -1, -1) == KAEL_OK)) {
            CHECK(*(const int64_t *)kael_tensor_data(view) == 7);
            kael_tensor_release(mine);
            kael_tensor_release(view);
        }
    }
    kael_tensor_release(tensor);
    return NULL;
}

/* Shares the tensor, which it takes over, among threads until all have released it. */
static void share(kael_tensor *tensor) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; ++i) {
        CHECK(pthread_create(&threads[i], NULL, use_and_release, kael_tensor_retain(tensor)) == 0);
    }
    kael_tensor_release(tensor);
    for (int i = 0; i < THREADS; ++i) {
        pthread_join(threads[i], NULL);
    }
}

static void TheLastOwnerFreesTheTensor(void) {
    const int64_t before = bytes_in_use();
    for (int round = 0; round < 20; ++round) {
        kael_tensor *tensor;
        if (!CHECK(kael_tensor_full(&tensor, KAEL_I64, 1, (const int64_t[]){3}, 7) == KAEL_OK)) {
            return;
        }
        share(tensor);
        CHECK(bytes_in_use() == before);
    }
}

static void count_release(void *data, void *context) {
    CHECK(*(const int64_t *)data == 7);
    ++*(int *)context;
}

static void TheLastOwnerGivesForeignMemoryBackOnce(void) {
    int64_t data[] = {7, 7, 7};
    for (int round = 0; round < 20; ++round) {
        int released = 0;
        kael_tensor *tensor;
        if (!CHECK(kael_tensor_wrap(&tensor, KAEL_I64, 1, (const int64_t[]){3}, NULL, data,
                                    count_release, &released) == KAEL_OK)) {
            return;
        }
        share(tensor);
        CHECK(released == 1);
    }
}

int main(void) {
    tap_time_limit(300);
    TAP_RUN(TheLastOwnerFreesTheTensor);
    TAP_RUN(TheLastOwnerGivesForeignMemoryBackOnce);
    return tap_finish();
}
