#include "parallel/thread_environment.h"

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
