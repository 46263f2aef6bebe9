#include "parallel/thread_environment.h"

#include <errno.h>
#include <stdlib.h>

#include "kael/parallel.h"

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* Reads digits at *text and moves *text behind them; numbers too large become KAEL_MAX_THREADS + 1.
 * False if there is no digit. */
static bool parse_digits(const char **text, int *number) {
    const char *at = *text;
    int64_t value = 0;
    for (; is_digit(*at); ++at) {
        value = value * 10 + (*at - '0');
        value = value > KAEL_MAX_THREADS ? KAEL_MAX_THREADS + 1 : value;
    }
    const bool found = at != *text;
    *text = at;
    *number = (int)value;
    return found;
}

static const char *skip_space(const char *text) {
    while (*text == ' ' || (*text >= '\t' && *text <= '\r')) {
        ++text;
    }
    return text;
}

bool kael_parse_num_threads(const char *text, int *count) {
    return parse_digits(&text, count) && *text == '\0' && *count >= 1 && *count <= KAEL_MAX_THREADS;
}

bool kael_parse_omp_num_threads(const char *text, int *count) {
    *count = 0;
    for (;;) {
        int number = 0;
        text = skip_space(text);
        if (!parse_digits(&text, &number) || number == 0) {
            return false;
        }
        if (*count == 0) {
            *count = number > KAEL_MAX_THREADS ? (int)KAEL_MAX_THREADS : number;
        }
        text = skip_space(text);
        if (*text != ',') {
            return *text == '\0';
        }
        ++text;
    }
}

/* The power of two that a unit stands for; -1 for another character. */
static int unit_shift(char unit) {
    switch (unit) {
    case 'b':
    case 'B':
        return 0;
    case 'k':
    case 'K':
        return 10;
    case 'm':
    case 'M':
        return 20;
    case 'g':
    case 'G':
        return 30;
    default:
        return -1;
    }
}

bool kael_parse_stack_size(const char *text, size_t *size) {
    char *end = NULL;
    int shift = 10;
    if (*skip_space(text) == '\0') {
        return false;
    }
    const int error = errno;
    errno = 0;
    const unsigned long value = strtoul(text, &end, 10);
    const char *rest = skip_space(end);
    if (*rest != '\0') {
        shift = unit_shift(*rest);
        rest = skip_space(rest + 1);
    }
    const bool in_range = errno == 0;
    errno = error;
    if (!in_range || *rest != '\0' || shift < 0 || value > SIZE_MAX >> shift) {
        return false;
    }
    *size = (size_t)value << shift;
    return true;
}
