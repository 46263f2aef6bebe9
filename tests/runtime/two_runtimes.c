/* Two OpenMP runtimes in one process: the library's, and that of a helper from another compiler. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "other_runtime.h"
#include "support/parallel.h"
#include "support/product.h"
#include "support/tap.h"

enum { THREADS = 4 };

static int (*run)(other_runtime_task *task, void *context);

static bool is_mapped(const char *library) {
    char line[1024];
    bool found = false;
    FILE *const maps = fopen("/proc/self/maps", "r");
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        found = found || strstr(line, library) != NULL;
    }
    if (maps != NULL) {
        fclose(maps);
    }
    return found;
}

static void load_helper(void) {
    void *const helper = dlopen(getenv("KAEL_TEST_HELPER"), RTLD_NOW | RTLD_LOCAL);
    if (!CHECK(helper != NULL)) {
        printf("# %s\n", dlerror());
        return;
    }
    *(void **)&run = dlsym(helper, "other_runtime_run");
    CHECK(run != NULL);
}

static void count_call(void *context) {
    atomic_fetch_add((atomic_int *)context, 1);
}

static bool other_runtime_works(void) {
    atomic_int calls = 0;
    const int threads = run(count_call, &calls);
    return threads == 4 && calls == 4;
}

static void repeat_product(void *context) {
    for (int i = 0; i < 20; ++i) {
        CHECK(product_repeats(context));
    }
}

static product cube;

static void K49_ProductsAfterARegionOfTheOtherRuntime(void) {
    CHECK(product_prepare(&cube, 96));
    CHECK(other_runtime_works());
    for (int i = 0; i < 1000; ++i) {
        CHECK(product_repeats(&cube));
    }
    CHECK(threads_that_meet(THREADS) == THREADS);
}

static void K49_RegionsInTurns(void) {
    for (int i = 0; i < 100; ++i) {
        CHECK(other_runtime_works());
        CHECK(product_repeats(&cube));
    }
    CHECK(threads_that_meet(THREADS) == THREADS);
}

static void K49_ProductsInsideARegionOfTheOtherRuntime(void) {
    CHECK(run(repeat_product, &cube) == 4);
    CHECK(threads_that_meet(THREADS) == THREADS);
}

int main(void) {
    tap_time_limit(120);
    CHECK(kael_set_num_threads(THREADS) == KAEL_OK);
    load_helper();
    if (run != NULL && CHECK(is_mapped("libgomp.so")) && CHECK(is_mapped("libomp.so"))) {
        TAP_RUN(K49_ProductsAfterARegionOfTheOtherRuntime);
        TAP_RUN(K49_RegionsInTurns);
        TAP_RUN(K49_ProductsInsideARegionOfTheOtherRuntime);
        product_free(&cube);
    } else {
        tap_report(false, "both runtimes are loaded");
    }
    return tap_finish();
}
