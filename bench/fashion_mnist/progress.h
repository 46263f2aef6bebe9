/* The line that shows how far an epoch is; only on a terminal. */
#ifndef FASHION_MNIST_PROGRESS_H
#define FASHION_MNIST_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct progress {
    bool on_terminal;
    double last_shown; /* seconds */
} progress;

/* Seconds of a clock that never jumps. */
double seconds_now(void);

progress progress_start(void);

/* Rewrites the line, a few times a second. */
void progress_show(progress *line, int64_t epoch, int64_t epochs, int64_t done, int64_t count,
                   double mean_loss);

/* Removes the line. */
void progress_clear(progress *line);

#endif
