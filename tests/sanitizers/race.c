/* Threads of an OpenMP region write one variable: in turn as `race sound`, at once as `race`. */
#include <stddef.h>

static long total;
static long parts[2];

int main(int count, char **arguments) {
    (void)arguments;
    if (count > 1) {
        /* The join of the region orders the reads after the writes; a sanitizer that does not know
         * the OpenMP runtime takes them for races. */
        for (long round = 0; round < 100; ++round) {
#pragma omp parallel for num_threads(2) schedule(static)
            for (int i = 0; i < 2; ++i) {
                parts[i] += round;
            }
            total += parts[0] + parts[1];
        }
        return 0;
    }
#pragma omp parallel for num_threads(2) schedule(static)
    for (long i = 0; i < 100000; ++i) {
        total += i;
    }
    return 0;
}
