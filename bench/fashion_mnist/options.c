#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static const char help[] =
    "Usage: fashion_mnist [OPTION]...\n"
    "Trains a 784-256-10 network on the Fashion-MNIST images and shows its accuracy.\n"
    "\n"
    "  --threads N         threads to use, 1 to 1024 (default: what the library detects)\n"
    "  --epochs N          passes over the training images (default 5)\n"
    "  --batch N           images in a step (default 64)\n"
    "  --learning-rate X   of the first step, falling linearly to zero (default 0.05)\n"
    "  --seed N            of the first weights and the order of the images (default 1)\n"
    "  --data DIRECTORY    where the four .gz files are\n"
    "                      (default /usr/share/datasets/fashion-mnist)\n"
    "  --loss-curve FILE   write the loss of the training as an SVG picture\n"
    "  --help              show this text\n"
    "\n"
    "The digest at the end is a hash of all losses and trained weights. It depends on the options\n"
    "above but --threads and --loss-curve, and on nothing else.\n";

static bool parse_integer(int64_t *value, const char *name, const char *text, int64_t least,
                          int64_t most) {
    char *end = NULL;
    errno = 0;
    const long long parsed = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || parsed < least || parsed > most) {
        fprintf(stderr, "fashion_mnist: --%s must be an integer from %lld to %lld, got '%s'\n",
                name, (long long)least, (long long)most, text);
        return false;
    }
    *value = parsed;
    return true;
}

static bool parse_rate(double *value, const char *text) {
    char *end = NULL;
    const double parsed = strtod(text, &end);
    if (end == text || *end != '\0' || !(parsed > 0) || isinf(parsed)) {
        fprintf(stderr, "fashion_mnist: --learning-rate must be a positive number, got '%s'\n",
                text);
        return false;
    }
    *value = parsed;
    return true;
}

static bool parse_option(options *result, int option) {
    switch (option) {
    case 't':
        return parse_integer(&result->threads, "threads", optarg, 1, 1024);
    case 'e':
        return parse_integer(&result->epochs, "epochs", optarg, 0, 1000000);
    case 'b':
        return parse_integer(&result->batch, "batch", optarg, 1, 1000000);
    case 's':
        return parse_integer(&result->seed, "seed", optarg, 0, INT64_MAX);
    case 'r':
        return parse_rate(&result->learning_rate, optarg);
    case 'd':
        result->data = optarg;
        return true;
    case 'c':
        result->loss_curve = optarg;
        return true;
    default: /* getopt_long has said what is wrong */
        return false;
    }
}

options_result parse_options(options *result, int argc, char **argv) {
    static const struct option long_options[] = {
        {"threads", required_argument, NULL, 't'},
        {"epochs", required_argument, NULL, 'e'},
        {"batch", required_argument, NULL, 'b'},
        {"learning-rate", required_argument, NULL, 'r'},
        {"seed", required_argument, NULL, 's'},
        {"data", required_argument, NULL, 'd'},
        {"loss-curve", required_argument, NULL, 'c'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    *result = (options){
        .data = "/usr/share/datasets/fashion-mnist",
        .epochs = 5,
        .batch = 64,
        .seed = 1,
        .learning_rate = 0.05,
    };
    for (int option; (option = getopt_long(argc, argv, "", long_options, NULL)) != -1;) {
        if (option == 'h') {
            fputs(help, stdout);
            return OPTIONS_HELP;
        }
        if (!parse_option(result, option)) {
            fputs("Try 'fashion_mnist --help'.\n", stderr);
            return OPTIONS_BAD;
        }
    }
    if (optind < argc) {
        fprintf(stderr, "fashion_mnist: unexpected argument '%s'\nTry 'fashion_mnist --help'.\n",
                argv[optind]);
        return OPTIONS_BAD;
    }
    return OPTIONS_RUN;
}
