/* One element type's oracle: the including file defines REAL and NAME(base). */

/* Not inlined, so that no loop around them is vectorised. */
static __attribute__((noinline)) REAL NAME(scalar_exp)(REAL x) {
    return NAME(kael_exp)(x);
}

static __attribute__((noinline)) REAL NAME(scalar_log)(REAL x) {
    return NAME(kael_log)(x);
}

static __attribute__((noinline)) REAL NAME(scalar_sqrt)(REAL x) {
    return (REAL)sqrt((double)x);
}

static void NAME(relu)(int64_t count, const REAL *in, REAL *out) {
    for (int64_t i = 0; i < count; ++i) {
        if (in[i] > 0 || isnan(in[i])) {
            out[i] = in[i];
        } else {
            out[i] = 0;
        }
    }
}

static void NAME(relu_backward)(int64_t count, const REAL *output_gradient, const REAL *output,
                                REAL *gradient) {
    for (int64_t i = 0; i < count; ++i) {
        if (output[i] > 0) {
            gradient[i] = output_gradient[i];
        } else {
            gradient[i] = 0;
        }
    }
}

static void NAME(add_bias)(int64_t rows, int64_t columns, const REAL *bias, REAL *out) {
    for (int64_t i = 0; i < rows; ++i) {
        for (int64_t j = 0; j < columns; ++j) {
            out[i * columns + j] = out[i * columns + j] + bias[j];
        }
    }
}

static void NAME(column_sums)(int64_t rows, int64_t columns, const REAL *in, REAL *out) {
    double *terms = new_terms(rows);
    for (int64_t j = 0; j < columns; ++j) {
        for (int64_t i = 0; i < rows; ++i) {
            terms[i] = (double)in[i * columns + j];
        }
        out[j] = (REAL)oracle_sum(terms, rows);
    }
    free(terms);
}

static REAL NAME(max)(int64_t count, const REAL *row) {
    REAL largest = row[0];
    for (int64_t i = 1; i < count; ++i) {
        if (isnan(row[i]) || row[i] > largest) {
            largest = row[i];
        }
        if (isnan(largest)) {
            break;
        }
    }
    return largest;
}

static REAL NAME(exp_total)(int64_t count, const REAL *row, REAL largest) {
    double *terms = new_terms(count);
    for (int64_t i = 0; i < count; ++i) {
        const REAL shifted = row[i] - largest;
        terms[i] = (double)NAME(scalar_exp)(shifted);
    }
    const REAL total = (REAL)oracle_sum(terms, count);
    free(terms);
    return total;
}

static void NAME(softmax)(int64_t count, const REAL *row, REAL *out) {
    const REAL largest = NAME(max)(count, row);
    const REAL total = NAME(exp_total)(count, row, largest);
    for (int64_t i = 0; i < count; ++i) {
        const REAL shifted = row[i] - largest;
        out[i] = NAME(scalar_exp)(shifted) / total;
    }
}

static void NAME(log_softmax)(int64_t count, const REAL *row, REAL *out) {
    const REAL largest = NAME(max)(count, row);
    const REAL log_total = NAME(scalar_log)(NAME(exp_total)(count, row, largest));
    for (int64_t i = 0; i < count; ++i) {
        const REAL shifted = row[i] - largest;
        out[i] = shifted - log_total;
    }
}

static void NAME(softmax_backward)(int64_t count, const REAL *result, const REAL *gradient,
                                   REAL *out) {
    double *terms = new_terms(count);
    for (int64_t i = 0; i < count; ++i) {
        terms[i] = (double)gradient[i] * (double)result[i];
    }
    const REAL sum = (REAL)oracle_sum(terms, count);
    for (int64_t i = 0; i < count; ++i) {
        const REAL difference = gradient[i] - sum;
        out[i] = difference * result[i];
    }
    free(terms);
}

static void NAME(log_softmax_backward)(int64_t count, const REAL *result, const REAL *gradient,
                                       REAL *out) {
    double *terms = new_terms(count);
    for (int64_t i = 0; i < count; ++i) {
        terms[i] = (double)gradient[i];
    }
    const REAL sum = (REAL)oracle_sum(terms, count);
    for (int64_t i = 0; i < count; ++i) {
        const REAL part = NAME(scalar_exp)(result[i]) * sum;
        out[i] = gradient[i] - part;
    }
    free(terms);
}

static void NAME(cross_entropy)(int64_t count, const REAL *row, int64_t target, REAL *loss) {
    const REAL largest = NAME(max)(count, row);
    const REAL total = NAME(exp_total)(count, row, largest);
    const REAL shifted = row[target] - largest;
    *loss = NAME(scalar_log)(total) - shifted;
}

static void NAME(cross_entropy_backward)(int64_t count, const REAL *row, int64_t target,
                                         REAL row_gradient, REAL *gradient) {
    const REAL largest = NAME(max)(count, row);
    const REAL total = NAME(exp_total)(count, row, largest);
    for (int64_t i = 0; i < count; ++i) {
        const REAL shifted = row[i] - largest;
        const REAL softmax = NAME(scalar_exp)(shifted) / total;
        const REAL scaled = softmax * row_gradient;
        gradient[i] = i == target ? scaled - row_gradient : scaled;
    }
}

static void NAME(sgd)(int64_t count, const kael_sgd_options *options, const REAL *gradient,
                      REAL *velocity, REAL *parameter) {
    const REAL rate = (REAL)options->learning_rate;
    const REAL momentum = (REAL)options->momentum;
    const REAL decay = (REAL)options->weight_decay;
    for (int64_t i = 0; i < count; ++i) {
        REAL slope = gradient[i];
        if (decay != 0) {
            const REAL pull = decay * parameter[i];
            slope = slope + pull;
        }
        const REAL kept = momentum * velocity[i];
        velocity[i] = kept + slope;
        REAL step = velocity[i];
        if (options->nesterov) {
            const REAL ahead = momentum * velocity[i];
            step = slope + ahead;
        }
        const REAL change = rate * step;
        parameter[i] = parameter[i] - change;
    }
}

static void NAME(adam)(int64_t count, const kael_adam_options *options, int64_t step,
                       const REAL *gradient, REAL *first, REAL *second, REAL *parameter) {
    double power1 = 1;
    double power2 = 1;
    for (int64_t t = 0; t < step; ++t) {
        power1 *= options->beta1;
        power2 *= options->beta2;
    }
    const REAL size = (REAL)(options->learning_rate / (1 - power1));
    const REAL factor = (REAL)(1 / sqrt(1 - power2));
    const REAL kept = (REAL)(1 - options->learning_rate * options->weight_decay);
    for (int64_t i = 0; i < count; ++i) {
        REAL slope = gradient[i];
        REAL start = parameter[i];
        if (options->weight_decay != 0 && options->decoupled) {
            start = start * kept;
        } else if (options->weight_decay != 0) {
            const REAL pull = (REAL)options->weight_decay * parameter[i];
            slope = slope + pull;
        }
        const REAL old_first = (REAL)options->beta1 * first[i];
        const REAL new_first = (REAL)(1 - options->beta1) * slope;
        first[i] = old_first + new_first;
        const REAL old_second = (REAL)options->beta2 * second[i];
        const REAL part = (REAL)(1 - options->beta2) * slope;
        const REAL square = part * slope;
        second[i] = old_second + square;
        const REAL root = NAME(scalar_sqrt)(second[i]) * factor;
        const REAL ratio = first[i] / (root + (REAL)options->eps);
        const REAL change = size * ratio;
        parameter[i] = start - change;
    }
}

#undef REAL
#undef NAME
