/* Trains a network on the Fashion-MNIST images with kael, and prints loss, accuracy and time of
 * every epoch and a digest that shows that the bits of the result depend on no thread count, kernel
 * or instruction set. */
#include <errno.h>
#include <inttypes.h>
#include <kael/kael.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dataset.h"
#include "digest.h"
#include "loss_curve.h"
#include "network.h"
#include "options.h"
#include "progress.h"
#include "random.h"
#include "status.h"

enum { HIDDEN = 256, TEST_ROWS = 500, FIRST_SHUFFLE_STREAM = 16 };
static const double momentum = 0.9;

typedef struct training {
    const options *options;
    dataset train;
    dataset test;
    network net;
    batch full;
    batch rest;         /* the last, shorter one of an epoch; unused if there is none */
    kael_tensor *order; /* i64: the training images in the order of this epoch */
    loss_curve curve;
    progress line;
    uint64_t digest;
} training;

/* Fisher-Yates over the numbers 0 .. count - 1. */
static void shuffle(int64_t *order, int64_t count, random_stream stream) {
    for (int64_t i = 0; i < count; ++i) {
        order[i] = i;
    }
    for (int64_t i = count - 1; i > 0; --i) {
        const int64_t other = random_below(stream, (uint64_t)i, i + 1);
        const int64_t swapped = order[i];
        order[i] = order[other];
        order[other] = swapped;
    }
}

static double sum_of(const kael_tensor *losses) {
    const float *loss = kael_tensor_data(losses);
    double sum = 0;
    for (int64_t i = 0; i < kael_tensor_numel(losses); ++i) {
        sum += (double)loss[i];
    }
    return sum;
}

/* Falls from the option's value to zero over the whole training, in a straight line. */
static double learning_rate_at(const training *t, int64_t epoch, int64_t first) {
    const double done = (double)(epoch - 1) + (double)first / (double)t->train.count;
    return t->options->learning_rate * (1 - done / (double)t->options->epochs);
}

static kael_status train_batch(training *t, int64_t epoch, int64_t first, double *loss_sum) {
    const batch *b = first + t->full.rows <= t->train.count ? &t->full : &t->rest;
    const int64_t *order = kael_tensor_data(t->order);
    kael_tensor *losses = NULL;
    TRY(dataset_gather(&t->train, order + first, b->rows, b->input, b->targets));
    TRY(network_train_step(&t->net, b, learning_rate_at(t, epoch, first), &losses));
    t->digest = digest_add(t->digest, losses);
    const double sum = sum_of(losses);
    loss_curve_add(&t->curve, sum / (double)b->rows);
    *loss_sum += sum;
    kael_tensor_release(losses);
    return KAEL_OK;
}

static kael_status train_epoch(training *t, int64_t epoch, double *mean_loss) {
    double loss_sum = 0;
    const int64_t count = t->train.count;
    shuffle(kael_tensor_data(t->order), count,
            random_stream_of((uint64_t)t->options->seed, FIRST_SHUFFLE_STREAM + (uint64_t)epoch));
    for (int64_t first = 0; first < count; first += t->full.rows) {
        TRY(train_batch(t, epoch, first, &loss_sum));
        const int64_t done = first + t->full.rows < count ? first + t->full.rows : count;
        progress_show(&t->line, epoch, t->options->epochs, done, count, loss_sum / (double)done);
    }
    progress_clear(&t->line);
    *mean_loss = loss_sum / (double)count;
    return KAEL_OK;
}

static int64_t count_equal(const kael_tensor *classes, const kael_tensor *targets) {
    const int64_t *class = kael_tensor_data(classes);
    const int64_t *target = kael_tensor_data(targets);
    int64_t equal = 0;
    for (int64_t row = 0; row < kael_tensor_numel(targets); ++row) {
        equal += class[row] == target[row];
    }
    return equal;
}

static kael_status count_right(int64_t *right, const network *net, const batch *b) {
    kael_tensor *logits;
    TRY(network_forward(&logits, net, b->input));
    kael_tensor *classes = NULL;
    const kael_status status = kael_argmax(&classes, logits, 1, false);
    kael_tensor_release(logits);
    TRY(status);
    *right += count_equal(classes, b->targets);
    kael_tensor_release(classes);
    return KAEL_OK;
}

static kael_status test_rows(const training *t, const int64_t *order, int64_t rows,
                             int64_t *right) {
    batch b;
    kael_status status = batch_create(&b, rows, t->test.pixels);
    if (status == KAEL_OK) {
        status = dataset_gather(&t->test, order, rows, b.input, b.targets);
    }
    if (status == KAEL_OK) {
        status = count_right(right, &t->net, &b);
    }
    batch_release(&b);
    return status;
}

static kael_status test_accuracy(const training *t, double *accuracy) {
    int64_t right = 0;
    for (int64_t first = 0; first < t->test.count; first += TEST_ROWS) {
        int64_t order[TEST_ROWS];
        const int64_t rest = t->test.count - first;
        for (int64_t i = 0; i < TEST_ROWS; ++i) {
            order[i] = first + i;
        }
        TRY(test_rows(t, order, rest < TEST_ROWS ? rest : TEST_ROWS, &right));
    }
    *accuracy = 100.0 * (double)right / (double)t->test.count;
    return KAEL_OK;
}

static int64_t batch_rows(const training *t) {
    return t->options->batch < t->train.count ? t->options->batch : t->train.count;
}

static kael_status prepare(training *t) {
    const int64_t count = t->train.count;
    const int64_t rows = batch_rows(t);
    TRY(network_create(&t->net, t->train.pixels, HIDDEN, CLASSES, (uint64_t)t->options->seed,
                       momentum));
    TRY(batch_create(&t->full, rows, t->train.pixels));
    if (count % rows != 0) {
        TRY(batch_create(&t->rest, count % rows, t->train.pixels));
    }
    return kael_tensor_empty(&t->order, KAEL_I64, 1, &count);
}

static kael_status prepare_loss_curve(training *t) {
    const int64_t rows = batch_rows(t);
    const int64_t steps = (t->train.count + rows - 1) / rows * t->options->epochs;
    if (t->options->loss_curve != NULL && !loss_curve_create(&t->curve, steps)) {
        fprintf(stderr, "fashion_mnist: no memory for the losses of %" PRId64 " steps\n", steps);
        return KAEL_ERROR_MEMORY;
    }
    return KAEL_OK;
}

static kael_status write_loss_curve(const training *t) {
    const char *path = t->options->loss_curve;
    if (path == NULL || loss_curve_write(&t->curve, t->options->epochs, path)) {
        return KAEL_OK;
    }
    fprintf(stderr, "fashion_mnist: cannot write %s: %s\n", path, strerror(errno));
    return KAEL_ERROR_IO;
}

static kael_status train_and_test(training *t) {
    TRY(prepare(t));
    for (int64_t epoch = 1; epoch <= t->options->epochs; ++epoch) {
        double loss = 0;
        double accuracy = 0;
        const double start = seconds_now();
        TRY(train_epoch(t, epoch, &loss));
        const double seconds = seconds_now() - start;
        kael_set_grad_mode(false);
        const kael_status tested = test_accuracy(t, &accuracy);
        kael_set_grad_mode(true);
        TRY(tested);
        printf("epoch %" PRId64 "  loss %.4f  accuracy %.2f %%  time %.3f s  %.0f images/s\n",
               epoch, loss, accuracy, seconds, (double)t->train.count / seconds);
        fflush(stdout);
    }
    for (int i = 0; i < PARAMETERS; ++i) {
        t->digest = digest_add(t->digest, t->net.parameters[i]);
    }
    printf("digest %016" PRIx64 "\n", t->digest);
    return KAEL_OK;
}

static kael_status load_data(training *t) {
    TRY(dataset_load(&t->train, t->options->data, "train"));
    TRY(dataset_load(&t->test, t->options->data, "t10k"));
    if (t->train.pixels != t->test.pixels) {
        fprintf(stderr, "fashion_mnist: training and test images must be equally large\n");
        return KAEL_ERROR_SHAPE;
    }
    return KAEL_OK;
}

static kael_status choose_threads(int64_t *threads, const options *chosen) {
    if (chosen->threads > 0) {
        TRY(kael_set_num_threads(chosen->threads));
    }
    return kael_get_num_threads(threads);
}

static kael_status report(kael_status status) {
    if (status != KAEL_OK) {
        fprintf(stderr, "fashion_mnist: %s: %s\n", kael_status_string(status),
                kael_last_error_message());
    }
    return status;
}

static void release(training *t) {
    dataset_release(&t->train);
    dataset_release(&t->test);
    network_release(&t->net);
    batch_release(&t->full);
    batch_release(&t->rest);
    loss_curve_release(&t->curve);
    kael_tensor_release(t->order);
}

static kael_status run(training *t) {
    int64_t threads = 0;
    TRY(report(choose_threads(&threads, t->options)));
    const char *isa = kael_cpu_isa();
    if (isa == NULL) {
        return report(KAEL_ERROR_VALUE);
    }
    TRY(load_data(t));
    TRY(prepare_loss_curve(t));
    printf("kael %s, %s kernels, %" PRId64 " thread%s, %" PRId64 " training images of %" PRId64
           " pixels\n",
           kael_version(), isa, threads, threads == 1 ? "" : "s", t->train.count, t->train.pixels);
    TRY(report(train_and_test(t)));
    return write_loss_curve(t);
}

int main(int argc, char **argv) {
    options chosen;
    switch (parse_options(&chosen, argc, argv)) {
    case OPTIONS_HELP:
        return EXIT_SUCCESS;
    case OPTIONS_BAD:
        return 2;
    default:
        break;
    }
    training t = {.options = &chosen, .line = progress_start(), .digest = DIGEST_START};
    const kael_status status = run(&t);
    release(&t);
    return status == KAEL_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
