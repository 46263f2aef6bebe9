#include "network.h"

#include <math.h>
#include <stddef.h>

#include "random.h"
#include "status.h"

static kael_status parameter_create(kael_tensor **out, int64_t ndim, const int64_t *shape,
                                    float bound, random_stream stream) {
    TRY(kael_tensor_empty(out, KAEL_F32, ndim, shape));
    float *value = kael_tensor_data(*out);
    for (int64_t i = 0; i < kael_tensor_numel(*out); ++i) {
        value[i] = bound * random_signed_unit(stream, (uint64_t)i);
    }
    return kael_tensor_set_requires_grad(*out, true);
}

static kael_status layer_create(kael_tensor **weight, kael_tensor **bias, int64_t inputs,
                                int64_t outputs, uint64_t seed, uint64_t first_stream) {
    const int64_t shape[] = {outputs, inputs};
    const float bound = (float)(1.0 / sqrt((double)inputs));
    TRY(parameter_create(weight, 2, shape, bound, random_stream_of(seed, first_stream)));
    return parameter_create(bias, 1, shape, bound, random_stream_of(seed, first_stream + 1));
}

kael_status network_create(network *net, int64_t inputs, int64_t hidden, int64_t classes,
                           uint64_t seed, double momentum) {
    *net = (network){0};
    kael_tensor **p = net->parameters;
    TRY(layer_create(&p[HIDDEN_WEIGHT], &p[HIDDEN_BIAS], inputs, hidden, seed, HIDDEN_WEIGHT));
    TRY(layer_create(&p[OUTPUT_WEIGHT], &p[OUTPUT_BIAS], hidden, classes, seed, OUTPUT_WEIGHT));
    const kael_sgd_options options = {.learning_rate = 1, .momentum = momentum};
    return kael_sgd_create(&net->optimizer, PARAMETERS, p, &options);
}

void network_release(network *net) {
    for (int i = 0; i < PARAMETERS; ++i) {
        kael_tensor_release(net->parameters[i]);
    }
    kael_optimizer_release(net->optimizer);
    *net = (network){0};
}

kael_status batch_create(batch *b, int64_t rows, int64_t inputs) {
    const int64_t shape[] = {rows, inputs};
    *b = (batch){.rows = rows};
    TRY(kael_tensor_empty(&b->input, KAEL_F32, 2, shape));
    return kael_tensor_empty(&b->targets, KAEL_I64, 1, shape);
}

void batch_release(batch *b) {
    kael_tensor_release(b->input);
    kael_tensor_release(b->targets);
    *b = (batch){0};
}

kael_status network_forward(kael_tensor **logits, const network *net, const kael_tensor *input) {
    kael_tensor *const *p = net->parameters;
    kael_tensor *sums;
    TRY(kael_linear(&sums, input, p[HIDDEN_WEIGHT], p[HIDDEN_BIAS]));
    kael_tensor *hidden = NULL;
    kael_status status = kael_relu(&hidden, sums);
    kael_tensor_release(sums);
    TRY(status);
    status = kael_linear(logits, hidden, p[OUTPUT_WEIGHT], p[OUTPUT_BIAS]);
    kael_tensor_release(hidden);
    return status;
}

static kael_status losses_of(kael_tensor **losses, const network *net, const batch *b) {
    kael_tensor *logits;
    TRY(network_forward(&logits, net, b->input));
    const kael_status status = kael_cross_entropy_losses(losses, logits, b->targets);
    kael_tensor_release(logits);
    return status;
}

static kael_status backward_from_mean(const kael_tensor *losses) {
    kael_tensor *mean;
    TRY(kael_mean(&mean, losses, 0, NULL, false));
    const kael_status status = kael_backward(mean);
    kael_tensor_release(mean);
    return status;
}

static kael_status backward_and_step(network *net, const kael_tensor *losses,
                                     double learning_rate) {
    TRY(kael_optimizer_zero_grad(net->optimizer));
    TRY(backward_from_mean(losses));
    TRY(kael_optimizer_set_learning_rate(net->optimizer, learning_rate));
    return kael_optimizer_step(net->optimizer);
}

kael_status network_train_step(network *net, const batch *b, double learning_rate,
                               kael_tensor **losses) {
    TRY(losses_of(losses, net, b));
    const kael_status status = backward_and_step(net, *losses, learning_rate);
    if (status != KAEL_OK) {
        kael_tensor_release(*losses);
        *losses = NULL;
    }
    return status;
}
