/* Loses a block of memory: in the main thread, or as `leak region` in the threads of a region. */
#include <stdlib.h>

static void *volatile block;

__attribute__((noinline)) static void lose_block(void) {
    block = malloc(100);
    block = NULL;
}

int main(int count, char **arguments) {
    (void)arguments;
    if (count == 1) {
        lose_block();
        return 0;
    }
#pragma omp parallel for num_threads(2) schedule(static)
    for (int i = 0; i < 2; ++i) {
        lose_block();
    }
    return 0;
}
