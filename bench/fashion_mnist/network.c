#include "network.h"

#include <math.h>
#include <stddef.h>

#include "random.h"
#include "status.h"

static kael_status parameter_create(parameter *p, int64_t ndim, const int64_t *shape, float bound,
                                    random_stream stream) {
    TRY(kael_tensor_empty(&p->value, KAEL_F32, ndim, shape));
    TRY(kael_tensor_zeros(&p->gradient, KAEL_F32, ndim, shape));
    TRY(kael_tensor_zeros(&p->velocity, KAEL_F32, ndim, shape));
    float *value = kael_tensor_data(p->value);
    for (int64_t i = 0; i < kael_tensor_numel(p->value); ++i) {
        value[i] = bound * random_signed_unit(stream, (uint64_t)i);
    }
    return KAEL_OK;
}

static kael_status layer_create(parameter *weight, parameter *bias, int64_t inputs, int64_t outputs,
                                uint64_t seed, uint64_t first_stream) {
    const int64_t shape[] = {outputs, inputs};
    const float bound = (float)(1.0 / sqrt((double)inputs));
    TRY(parameter_create(weight, 2, shape, bound, random_stream_of(seed, first_stream)));
    return parameter_create(bias, 1, shape, bound, random_stream_of(seed, first_stream + 1));
}

kael_status network_create(network *net, int64_t inputs, int64_t hidden, int64_t classes,
                           uint64_t seed) {
    *net = (network){0};
    parameter *p = net->parameters;
    TRY(layer_create(&p[HIDDEN_WEIGHT], &p[HIDDEN_BIAS], inputs, hidden, seed, HIDDEN_WEIGHT));
    return layer_create(&p[OUTPUT_WEIGHT], &p[OUTPUT_BIAS], hidden, classes, seed, OUTPUT_WEIGHT);
}

void network_release(network *net) {
    for (int i = 0; i < PARAMETERS; ++i) {
        kael_tensor_release(net->parameters[i].value);
        kael_tensor_release(net->parameters[i].gradient);
        kael_tensor_release(net->parameters[i].velocity);
    }
    *net = (network){0};
}

kael_status activations_create(activations *values, const network *net, int64_t rows) {
    const int64_t *hidden_weight = kael_tensor_shape(net->parameters[HIDDEN_WEIGHT].value);
    const int64_t *output_weight = kael_tensor_shape(net->parameters[OUTPUT_WEIGHT].value);
    const int64_t input_shape[] = {rows, hidden_weight[1]};
    const int64_t hidden_shape[] = {rows, hidden_weight[0]};
    const int64_t logits_shape[] = {rows, output_weight[0]};
    *values = (activations){.rows = rows};
    TRY(kael_tensor_empty(&values->input, KAEL_F32, 2, input_shape));
    TRY(kael_tensor_empty(&values->targets, KAEL_I64, 1, input_shape));
    TRY(kael_tensor_empty(&values->hidden, KAEL_F32, 2, hidden_shape));
    TRY(kael_tensor_empty(&values->hidden_gradient, KAEL_F32, 2, hidden_shape));
    return kael_tensor_empty(&values->logits, KAEL_F32, 2, logits_shape);
}

void activations_release(activations *values) {
    kael_tensor_release(values->input);
    kael_tensor_release(values->targets);
    kael_tensor_release(values->hidden);
    kael_tensor_release(values->hidden_gradient);
    kael_tensor_release(values->logits);
    *values = (activations){0};
}

kael_status network_forward(const network *net, activations *values) {
    const parameter *p = net->parameters;
    TRY(kael_linear_into(values->hidden, values->input, p[HIDDEN_WEIGHT].value,
                         p[HIDDEN_BIAS].value));
    TRY(kael_relu_into(values->hidden, values->hidden));
    return kael_linear_into(values->logits, values->hidden, p[OUTPUT_WEIGHT].value,
                            p[OUTPUT_BIAS].value);
}

/* Fills the gradients of all parameters; the gradient of the mean loss takes the logits' place. */
static kael_status backward(network *net, activations *values) {
    parameter *p = net->parameters;
    kael_tensor *logits_gradient = values->logits;
    TRY(kael_cross_entropy_backward_into(logits_gradient, 1.0 / (double)values->rows,
                                         values->logits, values->targets));
    TRY(kael_linear_backward_into(values->hidden_gradient, p[OUTPUT_WEIGHT].gradient,
                                  p[OUTPUT_BIAS].gradient, logits_gradient, values->hidden,
                                  p[OUTPUT_WEIGHT].value));
    TRY(kael_relu_backward_into(values->hidden_gradient, values->hidden_gradient, values->hidden));
    return kael_linear_backward_into(NULL, p[HIDDEN_WEIGHT].gradient, p[HIDDEN_BIAS].gradient,
                                     values->hidden_gradient, values->input,
                                     p[HIDDEN_WEIGHT].value);
}

static kael_status backward_and_step(network *net, activations *values, double learning_rate,
                                     double momentum) {
    TRY(backward(net, values));
    for (int i = 0; i < PARAMETERS; ++i) {
        const parameter *p = &net->parameters[i];
        TRY(kael_sgd_step(p->value, p->velocity, p->gradient, learning_rate, momentum));
    }
    return KAEL_OK;
}

kael_status network_train_step(network *net, activations *values, double learning_rate,
                               double momentum, kael_tensor **losses) {
    TRY(network_forward(net, values));
    TRY(kael_cross_entropy_losses(losses, values->logits, values->targets));
    const kael_status status = backward_and_step(net, values, learning_rate, momentum);
    if (status != KAEL_OK) {
        kael_tensor_release(*losses);
        *losses = NULL;
    }
    return status;
}
