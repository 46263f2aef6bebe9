#include "kael/init.h"

#include <math.h>
#include <stdbool.h>

#include "core/error.h"
#include "kael/autograd.h"
#include "tensor/require.h"
#include "tensor/tensor.h"

static kael_status check(const kael_tensor *weight, double gain) {
    KAEL_TRY(kael_require_not_null(weight, "weight"));
    if (weight->ndim < 2) {
        return kael_error(KAEL_ERROR_SHAPE, "weight must have at least 2 dimensions, got %d",
                          weight->ndim);
    }
    return gain > 0 && isfinite(gain)
               ? KAEL_OK
               : kael_error(KAEL_ERROR_VALUE, "gain must be positive and finite, got %g", gain);
}

/* The elements of the weight beside those along one of the first two dimensions. */
static double fan(const kael_tensor *weight, int along) {
    const int64_t others = weight->sizes[along] == 0 ? 0 : weight->numel / weight->sizes[along];
    return (double)others;
}

static kael_status fill(kael_tensor *weight, kael_generator *generator, double deviation,
                        bool is_normal) {
    const bool recorded = kael_grad_mode_enabled();
    const double bound = sqrt(3.0) * deviation;
    kael_set_grad_mode(false);
    const kael_status status = is_normal
                                   ? kael_random_normal_into(weight, generator, 0, deviation)
                                   : kael_random_uniform_into(weight, generator, -bound, bound);
    kael_set_grad_mode(recorded);
    return status;
}

static kael_status xavier(kael_tensor *weight, kael_generator *generator, double gain,
                          bool is_normal) {
    KAEL_TRY(check(weight, gain));
    const double fans = fan(weight, 0) + fan(weight, 1);
    return fill(weight, generator, gain * sqrt(2 / fmax(1, fans)), is_normal);
}

static kael_status kaiming(kael_tensor *weight, kael_generator *generator, double gain,
                           bool is_normal) {
    KAEL_TRY(check(weight, gain));
    return fill(weight, generator, gain / sqrt(fmax(1, fan(weight, 0))), is_normal);
}

kael_status kael_init_xavier_uniform(kael_tensor *weight, kael_generator *generator, double gain) {
    return xavier(weight, generator, gain, false);
}

kael_status kael_init_xavier_normal(kael_tensor *weight, kael_generator *generator, double gain) {
    return xavier(weight, generator, gain, true);
}

kael_status kael_init_kaiming_uniform(kael_tensor *weight, kael_generator *generator, double gain) {
    return kaiming(weight, generator, gain, false);
}

kael_status kael_init_kaiming_normal(kael_tensor *weight, kael_generator *generator, double gain) {
    return kaiming(weight, generator, gain, true);
}
