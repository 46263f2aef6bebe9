/* Reads past the end of a block. */
#include <stdlib.h>

int main(int count, char **arguments) {
    (void)arguments;
    char *const volatile block = calloc(16, 1);
    const int value = block == NULL ? 0 : block[15 + count];
    free(block);
    return value;
}
