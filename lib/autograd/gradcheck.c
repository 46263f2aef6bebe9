/* Gradients against differences. */
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "core/error.h"
#include "kael/autograd.h"
#include "kael/ops.h"
#include "kael/reduce.h"
#include "memory/block.h"
#include "tensor/graph.h"
#include "tensor/require.h"

typedef struct check {
    kael_gradcheck_function *function;
    void *context;
    int64_t count;
    const kael_tensor *const *inputs;
    double step;
    double relative;
    double absolute;
    kael_tensor **own; /* the inputs, as leaves of this check alone */
} check;

/* Weights that no symmetry of a function cancels. */
static kael_status make_weights(kael_tensor **weights, const kael_tensor *result) {
    KAEL_TRY(kael_tensor_empty(weights, KAEL_F64, result->ndim, result->sizes));
    double *elements = (*weights)->data;
    for (int64_t i = 0; i < (*weights)->numel; ++i) {
        elements[i] = 0.5 + fmod((double)i * 0.6180339887498949, 1);
    }
    return KAEL_OK;
}

static kael_status evaluate(kael_tensor **out, const check *c) {
    *out = NULL;
    KAEL_TRY(c->function(out, (const kael_tensor *const *)c->own, c->context));
    const kael_status status = kael_tensor_require_dtype(*out, "the function's result", KAEL_F64);
    if (status != KAEL_OK) {
        kael_tensor_release(*out);
    }
    return status;
}

/* The sum of weights[i] * (plus[i] - minus[i]). */
static kael_status weighted_difference(double *sum, const kael_tensor *weights,
                                       const kael_tensor *plus, const kael_tensor *minus) {
    kael_tensor *difference;
    KAEL_TRY(kael_sub(&difference, plus, minus));
    kael_status status = kael_mul_in_place(difference, weights);
    kael_tensor *total = NULL;
    if (status == KAEL_OK) {
        status = kael_sum(&total, difference, 0, NULL, false);
    }
    if (status == KAEL_OK) {
        status = kael_tensor_item(sum, total);
    }
    kael_tensor_release(total);
    kael_tensor_release(difference);
    return status;
}

/* The result is copied, for it may be a view of the input that changes. */
static kael_status evaluate_at(kael_tensor **out, const check *c, double *element, double value) {
    const double kept = *element;
    kael_tensor *result;
    *element = value;
    kael_status status = evaluate(&result, c);
    if (status == KAEL_OK) {
        status = kael_tensor_clone(out, result);
        kael_tensor_release(result);
    }
    *element = kept;
    return status;
}

static kael_status difference_at(double *slope, const check *c, const kael_tensor *weights,
                                 double *element) {
    const double x = *element;
    kael_tensor *plus;
    KAEL_TRY(evaluate_at(&plus, c, element, x + c->step));
    kael_tensor *minus = NULL;
    kael_status status = evaluate_at(&minus, c, element, x - c->step);
    if (status == KAEL_OK) {
        status = weighted_difference(slope, weights, plus, minus);
        kael_tensor_release(minus);
    }
    kael_tensor_release(plus);
    *slope /= (x + c->step) - (x - c->step);
    return status;
}

static kael_status compare(const check *c, int64_t input, const kael_tensor *weights,
                           const kael_tensor *gradient) {
    kael_tensor *own = c->own[input];
    double *elements = own->data;
    for (int64_t i = 0; i < own->numel; ++i) {
        double slope = 0;
        KAEL_TRY(difference_at(&slope, c, weights, &elements[i]));
        const double found = gradient == NULL ? 0 : ((const double *)gradient->data)[i];
        if (!(fabs(found - slope) <= c->absolute + c->relative * fabs(slope))) {
            return kael_error(KAEL_ERROR_ARITHMETIC,
                              "the gradient of input %" PRId64 " at element %" PRId64
                              " is %.9g, and differences give %.9g",
                              input, i, found, slope);
        }
    }
    return KAEL_OK;
}

static kael_status compare_all(const check *c, const kael_tensor *weights) {
    for (int64_t i = 0; i < c->count; ++i) {
        if (c->own[i]->node == NULL) {
            continue;
        }
        kael_tensor *gradient;
        KAEL_TRY(kael_tensor_grad(&gradient, c->own[i]));
        const kael_status status = compare(c, i, weights, gradient);
        kael_tensor_release(gradient);
        KAEL_TRY(status);
    }
    return KAEL_OK;
}

static kael_status run(const check *c) {
    kael_tensor *result;
    KAEL_TRY(evaluate(&result, c));
    kael_tensor *weights = NULL;
    kael_status status = make_weights(&weights, result);
    if (status == KAEL_OK) {
        status = kael_backward_from(result, weights, false);
    }
    kael_tensor_release(result);
    if (status == KAEL_OK) {
        kael_set_grad_mode(false);
        status = compare_all(c, weights);
        kael_set_grad_mode(true);
    }
    kael_tensor_release(weights);
    return status;
}

static kael_status copy_inputs(const check *c) {
    for (int64_t i = 0; i < c->count; ++i) {
        const kael_tensor *input = c->inputs[i];
        KAEL_TRY(kael_require_not_null(input, "an input"));
        kael_tensor *plain;
        KAEL_TRY(kael_tensor_detach(&plain, input));
        const kael_status status = kael_tensor_clone(&c->own[i], plain);
        kael_tensor_release(plain);
        KAEL_TRY(status);
        if (input->node != NULL) {
            KAEL_TRY(kael_tensor_require_dtype(input, "an input", KAEL_F64));
            KAEL_TRY(kael_tensor_set_requires_grad(c->own[i], true));
        }
    }
    return KAEL_OK;
}

kael_status kael_gradcheck(kael_gradcheck_function *function, void *context, int64_t count,
                           const kael_tensor *const *inputs, double step, double relative,
                           double absolute) {
    if (function == NULL || inputs == NULL || count < 1) {
        return kael_error(KAEL_ERROR_VALUE,
                          "function and inputs must not be NULL and count at least 1");
    }
    if (!(step > 0) || !(relative > 0) || !(absolute > 0)) {
        return kael_error(KAEL_ERROR_VALUE,
                          "step, relative and absolute must be positive, got %g, %g and %g", step,
                          relative, absolute);
    }
    kael_block block;
    KAEL_TRY(kael_block_allocate_zeroed(&block, count * (int64_t)sizeof(kael_tensor *)));
    check c = {function, context, count, inputs, step, relative, absolute, block.data};
    const bool recording = kael_grad_mode_enabled();
    kael_set_grad_mode(true);
    kael_status status = copy_inputs(&c);
    if (status == KAEL_OK) {
        status = run(&c);
    }
    kael_set_grad_mode(recording);
    for (int64_t i = 0; i < count; ++i) {
        kael_tensor_release(c.own[i]);
    }
    kael_block_release(&block);
    return status;
}
