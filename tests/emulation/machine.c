/* Prints the instruction sets of this machine that the library has kernels for, and on a line of
 * its own the one in use. */
#include <stdio.h>

#include "cpu/dispatch.h"
#include "kael/cpu.h"
#include "kael/status.h"

int main(void) {
    for (const kael_kernels *const *set = kael_kernels_supported(); *set != NULL; ++set) {
        printf("%s%c", (*set)->name, set[1] == NULL ? '\n' : ' ');
    }
    const char *isa = kael_cpu_isa();
    puts(isa == NULL ? kael_last_error_message() : isa);
    return isa == NULL;
}
