#define _POSIX_C_SOURCE 200809L

#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

progress progress_start(void) {
    return (progress){.on_terminal = isatty(STDOUT_FILENO) != 0};
}

void progress_show(progress *line, int64_t epoch, int64_t epochs, int64_t done, int64_t count,
                   double mean_loss) {
    static const char bar[] = "##############################";
    enum { WIDTH = sizeof bar - 1 };
    const double now = line->on_terminal ? seconds_now() : 0;
    if (!line->on_terminal || now - line->last_shown < 0.1) {
        return;
    }
    line->last_shown = now;
    printf("\repoch %" PRId64 "/%" PRId64 "  [%-*.*s] %3" PRId64 " %%  loss %.4f", epoch, epochs,
           WIDTH, (int)(done * WIDTH / count), bar, done * 100 / count, mean_loss);
    fflush(stdout);
}

void progress_clear(progress *line) {
    if (line->on_terminal) {
        printf("\r\x1b[K");
    }
    line->last_shown = 0;
}
