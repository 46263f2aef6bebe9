/* Reading the kernel's text files, below a root directory: "" in earnest, a fake tree in tests. */
#ifndef KAEL_PARALLEL_SYSTEM_FILE_H
#define KAEL_PARALLEL_SYSTEM_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Opens root/format... for reading; NULL if that fails. */
__attribute__((format(printf, 2, 3))) FILE *kael_open_system_file(const char *root,
                                                                  const char *format, ...);

/* Reads the first line, without its end, of the file `stream`, which may be NULL, and closes it;
 * false if there is none, or it does not fit. */
bool kael_read_first_line(FILE *stream, char *line, int size);

/* As kael_read_first_line, for a line that is one integer. */
bool kael_read_integer(FILE *stream, int64_t *value);

#endif
