/* Evenly spaced numbers. */
#include <math.h>

#include "core/checked.h"
#include "core/error.h"
#include "kael/parallel.h"
#include "kael/tensor.h"
#include "tensor/copy.h"
#include "tensor/dtype.h"
#include "tensor/element.h"
#include "tensor/require.h"
#include "tensor/tensor.h"

/* Numbers computed before they are converted. */
enum { BATCH = 512 };

typedef struct progression {
    kael_tensor *out;
    double start;
    double step;
    uint64_t integer_start; /* of integer dtypes: the same modulo 2^64 */
    uint64_t integer_step;
} progression;

static kael_status write_integers(const progression *p, void *out, int64_t first, int64_t count) {
    uint64_t numbers[BATCH];
    const uint64_t start = p->integer_start + (uint64_t)first * p->integer_step;
    for (int64_t i = 0; i < count; ++i) {
        numbers[i] = start + (uint64_t)i * p->integer_step;
    }
    return kael_convert_array(p->out->dtype, out, KAEL_U64, numbers, count);
}

static kael_status write_floats(const progression *p, void *out, int64_t first, int64_t count) {
    double numbers[BATCH];
    for (int i = 0; i < (int)count; ++i) {
        numbers[i] = p->start + ((double)first + i) * p->step;
    }
    return kael_convert_array(p->out->dtype, out, KAEL_F64, numbers, count);
}

static kael_status write_range(int64_t first, int64_t last, void *context) {
    const progression *p = context;
    const int64_t element_size = kael_dtype_size(p->out->dtype);
    for (; first < last; first += BATCH) {
        const int64_t count = kael_min_i64(BATCH, last - first);
        char *out = (char *)p->out->data + first * element_size;
        KAEL_TRY(kael_dtype_is_integer(p->out->dtype) ? write_integers(p, out, first, count)
                                                      : write_floats(p, out, first, count));
    }
    return KAEL_OK;
}

static kael_status check_finite(double value, const char *name) {
    return isfinite(value) ? KAEL_OK
                           : kael_error(KAEL_ERROR_VALUE, "%s must be finite, got %g", name, value);
}

static kael_status check_whole(double value, const char *name, kael_dtype dtype) {
    return trunc(value) == value
               ? KAEL_OK
               : kael_error(KAEL_ERROR_VALUE, "%s must be whole for dtype %s, got %g", name,
                            kael_dtype_name(dtype), value);
}

static kael_status check_arguments(kael_dtype dtype, double start, double stop, double step) {
    if (kael_dtype_size(dtype) == 0 || dtype == KAEL_BOOL) {
        return kael_error(KAEL_ERROR_DTYPE, "dtype must be one of numbers, got %s (%d)",
                          kael_dtype_name(dtype), (int)dtype);
    }
    KAEL_TRY(check_finite(start, "start"));
    KAEL_TRY(check_finite(stop, "stop"));
    KAEL_TRY(check_finite(step, "step"));
    if (step == 0) {
        return kael_error(KAEL_ERROR_VALUE, "step must not be 0");
    }
    if (kael_dtype_is_integer(dtype)) {
        KAEL_TRY(check_whole(start, "start", dtype));
        KAEL_TRY(check_whole(step, "step", dtype));
    }
    return KAEL_OK;
}

static kael_status count_numbers(int64_t *count, double start, double stop, double step) {
    const double steps = ceil((stop - start) / step);
    *count = 0;
    if (steps >= 0x1p63) {
        return kael_error(KAEL_ERROR_SHAPE, "%g numbers do not fit in a tensor", steps);
    }
    if (steps > 0) {
        *count = (int64_t)steps;
    }
    return KAEL_OK;
}

/* A whole number of less than 2^64, modulo 2^64. */
static uint64_t wrap(double whole) {
    const uint64_t magnitude = (uint64_t)fabs(whole);
    return whole < 0 ? -magnitude : magnitude;
}

/* Whether start + (count - 1) * step stays within the range of the dtype, as start does. */
static bool last_fits(kael_dtype dtype, double start, double step, int64_t count) {
    const int bits = 8 * (int)kael_dtype_size(dtype);
    const bool has_sign = kael_kind_of_dtype(dtype) == KAEL_KIND_SIGNED;
    const uint64_t highest = UINT64_MAX >> (64 - bits) >> has_sign;
    const uint64_t lowest = has_sign ? ~highest : 0;
    const uint64_t room = step > 0 ? highest - wrap(start) : wrap(start) - lowest;
    uint64_t distance;
    return fabs(step) < 0x1p64 &&
           !__builtin_mul_overflow((uint64_t)(count - 1), (uint64_t)fabs(step), &distance) &&
           distance <= room;
}

static kael_status check_range(kael_dtype dtype, double start, double step, int64_t count) {
    unsigned char element[KAEL_MAX_ELEMENT_SIZE];
    KAEL_TRY(kael_element_from_double(element, dtype, start));
    return count == 1 || last_fits(dtype, start, step, count)
               ? KAEL_OK
               : kael_error(KAEL_ERROR_VALUE,
                            "the last number, about %g, is not in the range of %s",
                            start + (double)(count - 1) * step, kael_dtype_name(dtype));
}

kael_status kael_tensor_arange(kael_tensor **out, kael_dtype dtype, double start, double stop,
                               double step) {
    KAEL_TRY(kael_require_out(out));
    KAEL_TRY(check_arguments(dtype, start, stop, step));
    int64_t count;
    KAEL_TRY(count_numbers(&count, start, stop, step));
    const bool is_integer = kael_dtype_is_integer(dtype);
    if (is_integer && count > 0) {
        KAEL_TRY(check_range(dtype, start, step, count));
    }
    KAEL_TRY(kael_tensor_empty(out, dtype, 1, &count));
    const progression p = {*out, start, step, is_integer && count > 0 ? wrap(start) : 0,
                           is_integer && count > 1 ? wrap(step) : 0};
    const kael_status status =
        kael_parallel_for(0, count, KAEL_ELEMENT_GRAIN, write_range, (void *)(uintptr_t)&p);
    if (status != KAEL_OK) {
        kael_tensor_release(*out);
        *out = NULL;
    }
    return status;
}
