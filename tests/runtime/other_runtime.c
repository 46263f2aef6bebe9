/* A library built with another compiler, on its OpenMP runtime. */
#include <omp.h>

#include "other_runtime.h"

int other_runtime_run(other_runtime_task *task, void *context) {
    int threads = 0;
#pragma omp parallel num_threads(4)
    {
        task(context);
#pragma omp atomic
        ++threads;
    }
    return threads;
}
