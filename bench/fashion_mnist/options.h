/* The command line. */
#ifndef FASHION_MNIST_OPTIONS_H
#define FASHION_MNIST_OPTIONS_H

#include <stdint.h>

typedef struct options {
    const char *data;       /* directory of the four files */
    const char *loss_curve; /* a file for the picture, or NULL */
    int64_t threads;        /* 0: the library's own choice */
    int64_t epochs;
    int64_t batch;
    int64_t seed;
    double learning_rate;
} options;

typedef enum options_result { OPTIONS_RUN, OPTIONS_HELP, OPTIONS_BAD } options_result;

/* Reads the command line; prints the help text or what is wrong. */
options_result parse_options(options *result, int argc, char **argv);

#endif
