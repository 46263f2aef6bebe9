/* Trains a network on the Fashion-MNIST images with kael, and prints loss, accuracy and time of
 * every epoch and a digest that shows that the bits of the result depend on no thread count, kernel
 * or instruction set. */
#include <inttypes.h>
#include <kael/kael.h>
#include <stdio.h>
#include <stdlib.h>

#include "dataset.h"
#include "digest.h"
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
    activations full;   /* of a whole batch */
    activations rest;   /* of the last, shorter batch of an epoch; unused if there is none */
    kael_tensor *order; /* i64: the training images in the order of this epoch */
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
    activations *values = first + t->full.rows <= t->train.count ? &t->full : &t->rest;
    const int64_t *order = kael_tensor_data(t->order);
    kael_tensor *losses = NULL;
    TRY(dataset_gather(&t->train, order + first, values->rows, values->input, values->targets));
    TRY(network_train_step(&t->net, values, learning_rate_at(t, epoch, first), momentum, &losses));
    t->digest = digest_add(t->digest, losses);
    *loss_sum += sum_of(losses);
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

static int64_t count_right(const activations *values) {
    const float *logits = kael_tensor_data(values->logits);
    const int64_t *targets = kael_tensor_data(values->targets);
    int64_t right = 0;
    for (int64_t row = 0; row < values->rows; ++row, logits += CLASSES) {
        int64_t best = 0;
        for (int64_t class = 1; class < CLASSES; ++class) {
            best = logits[class] > logits[best] ? class : best;
        }
        right += best == targets[row];
    }
    return right;
}

static kael_status test_rows(const training *t, const int64_t *order, int64_t rows,
                             int64_t *right) {
    activations values;
    kael_status status = activations_create(&values, &t->net, rows);
    if (status == KAEL_OK) {
        status = dataset_gather(&t->test, order, rows, values.input, values.targets);
    }
    if (status == KAEL_OK) {
        status = network_forward(&t->net, &values);
    }
    if (status == KAEL_OK) {
        *right += count_right(&values);
    }
    activations_release(&values);
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

static kael_status prepare(training *t) {
    const int64_t count = t->train.count;
    const int64_t batch = t->options->batch < count ? t->options->batch : count;
    TRY(network_create(&t->net, t->train.pixels, HIDDEN, CLASSES, (uint64_t)t->options->seed));
    TRY(activations_create(&t->full, &t->net, batch));
    if (count % batch != 0) {
        TRY(activations_create(&t->rest, &t->net, count % batch));
    }
    return kael_tensor_empty(&t->order, KAEL_I64, 1, &count);
}

static kael_status train_and_test(training *t) {
    TRY(prepare(t));
    for (int64_t epoch = 1; epoch <= t->options->epochs; ++epoch) {
        double loss = 0;
        double accuracy = 0;
        const double start = seconds_now();
        TRY(train_epoch(t, epoch, &loss));
        const double seconds = seconds_now() - start;
        TRY(test_accuracy(t, &accuracy));
        printf("epoch %" PRId64 "  loss %.4f  accuracy %.2f %%  time %.3f s  %.0f images/s\n",
               epoch, loss, accuracy, seconds, (double)t->train.count / seconds);
        fflush(stdout);
    }
    for (int i = 0; i < PARAMETERS; ++i) {
        t->digest = digest_add(t->digest, t->net.parameters[i].value);
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
    activations_release(&t->full);
    activations_release(&t->rest);
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
    printf("kael %s, %s kernels, %" PRId64 " thread%s, %" PRId64 " training images of %" PRId64
           " pixels\n",
           kael_version(), isa, threads, threads == 1 ? "" : "s", t->train.count, t->train.pixels);
    return report(train_and_test(t));
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
