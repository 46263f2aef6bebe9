#include "oracle/normalize_oracle.h"

#include <math.h>
#include <stdlib.h>

#include "oracle/nn_oracle.h"

static double rounded(const normalize_row *row, double x) {
    return row->is_f32 ? (double)(float)x : x;
}

typedef struct statistics {
    double center;
    double reciprocal;
} statistics;

static statistics find_statistics(const normalize_row *row, double *terms) {
    const double count = (double)row->count;
    statistics found = {0, 0};
    if (row->is_centered) {
        found.center = oracle_sum(row->x, row->count) / count;
    }
    for (int64_t i = 0; i < row->count; ++i) {
        const double deviation = row->x[i] - found.center;
        terms[i] = deviation * deviation;
    }
    found.reciprocal = 1 / sqrt(oracle_sum(terms, row->count) / count + row->eps);
    return found;
}

void oracle_normalize(const normalize_row *row, double *out) {
    const statistics found = find_statistics(row, out);
    for (int64_t i = 0; i < row->count; ++i) {
        double y = rounded(row, (row->x[i] - found.center) * found.reciprocal);
        if (row->weight != NULL) {
            y = rounded(row, y * row->weight[i]);
        }
        if (row->bias != NULL) {
            y = rounded(row, y + row->bias[i]);
        }
        out[i] = y;
    }
}

void oracle_normalize_backward(const normalize_row *row, const double *gradient, double *out) {
    const double count = (double)row->count;
    double *g = malloc((size_t)row->count * sizeof *g);
    double *terms = malloc((size_t)row->count * sizeof *terms);
    const statistics found = find_statistics(row, terms);
    for (int64_t i = 0; i < row->count; ++i) {
        g[i] = row->weight == NULL ? gradient[i] : gradient[i] * row->weight[i];
        terms[i] = g[i] * ((row->x[i] - found.center) * found.reciprocal);
    }
    const double a = row->is_centered ? oracle_sum(g, row->count) / count : 0;
    const double b = oracle_sum(terms, row->count) / count;
    for (int64_t i = 0; i < row->count; ++i) {
        const double h = (row->x[i] - found.center) * found.reciprocal;
        out[i] = rounded(row, ((g[i] - a) - h * b) * found.reciprocal);
    }
    free(terms);
    free(g);
}
