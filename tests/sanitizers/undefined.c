/* Overflows a signed integer. */
#include <limits.h>

int main(int count, char **arguments) {
    (void)arguments;
    return INT_MAX + count == 0;
}
