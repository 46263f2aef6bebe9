#define _GNU_SOURCE
#include "parallel/system_file.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

FILE *kael_open_system_file(const char *root, const char *format, ...) {
    char path[PATH_MAX];
    const int root_length = snprintf(path, sizeof path, "%s", root);
    if (root_length < 0 || root_length >= (int)sizeof path) {
        return NULL;
    }
    const size_t room = sizeof path - (size_t)root_length;
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(path + root_length, room, format, arguments);
    va_end(arguments);
    return length >= 0 && (size_t)length < room ? fopen(path, "re") : NULL;
}

bool kael_read_first_line(FILE *stream, char *line, int size) {
    if (stream == NULL) {
        return false;
    }
    const bool read = fgets(line, size, stream) != NULL;
    fclose(stream);
    if (!read) {
        return false;
    }
    char *const end = strchr(line, '\n');
    if (end == NULL) {
        return strlen(line) + 1 < (size_t)size;
    }
    *end = '\0';
    return true;
}

bool kael_read_integer(FILE *stream, int64_t *value) {
    char line[32];
    if (!kael_read_first_line(stream, line, sizeof line)) {
        return false;
    }
    char *end = NULL;
    *value = strtoll(line, &end, 10);
    return end != line && *end == '\0';
}
