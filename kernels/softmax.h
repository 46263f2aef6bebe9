/* Kernels of softmax, log softmax and cross entropy.
 *
 * Operands are arrays of the kernel's element type T; counts and strides are in elements. A row has
 * m, its largest element, and its total: the sum of exp(x - m), each term rounded to T and added in
 * double as reduce.h defines sums, then rounded to T. A NaN makes the total NaN, whatever m is. One
 * source, softmax_template.h, gives all kernels of all instruction sets.
 */
#ifndef KAEL_KERNELS_SOFTMAX_H
#define KAEL_KERNELS_SOFTMAX_H

#include <stdint.h>

/* Rows of `count` elements. Results may be written over any of the inputs, row for row. */
typedef struct kael_softmax_rows {
    int64_t rows;
    int64_t count;
    const void *in;
    int64_t in_stride;
    const void *gradient; /* of the result, where a kernel reads one */
    int64_t gradient_stride;
    void *out;
    int64_t out_stride;
} kael_softmax_rows;

typedef void kael_softmax_function(const kael_softmax_rows *rows);

/* Terms that a loss has beside that of the target class. With w[j] the class's weight, 1 where
 * `weights` is NULL, and q[j] its target probability: keep * probabilities[j] + share, or 1 where
 * `probabilities` is NULL. All in double. */
typedef struct kael_softmax_targets {
    const void *weights;
    const void *probabilities;
    double keep;
    double share;
} kael_softmax_targets;

/* One element type's kernels on one instruction set. */
typedef struct kael_softmax_kernels {
    /* out = exp(in - m) / total */
    kael_softmax_function *softmax;
    /* out = (in - m) - log(total) */
    kael_softmax_function *log_softmax;
    /* From the result y = in: out = (gradient - s) * y for s the sum of gradient * y, the products
     * in double, rounded to T. */
    kael_softmax_function *softmax_backward;
    /* From the result y = in: out = gradient - exp(y) * s for s the sum of gradient, rounded to T.
     */
    kael_softmax_function *log_softmax_backward;

    /* largest[i] and totals[i] are m and total of row i. */
    void (*statistics)(const kael_softmax_rows *rows, void *largest, void *totals);
    /* The same piece by piece: the largest element, or any one or NaN if one is NaN, */
    void (*row_largest)(int64_t count, const void *row, void *largest);
    /* the sum over one block of KAEL_REDUCE_BLOCK elements at most, whose terms go to `out` unless
     * it is NULL, */
    double (*block_total)(int64_t count, const void *row, const void *largest, void *out);
    /* out = out / total, out = (row - m) - log_total. */
    void (*divide)(int64_t count, const void *total, void *out);
    void (*shift)(int64_t count, const void *row, const void *largest, const void *log_total,
                  void *out);
    /* out = exp(in - m) / total * scale of the row. */
    void (*scaled_softmax)(const kael_softmax_rows *rows, const void *largest, const void *totals,
                           const void *scales);

    /* losses[i] = log_totals[i] - (in[targets[i]] - m) of row i, 0 where the target is negative;
     * losses may be log_totals. */
    void (*target_losses)(const kael_softmax_rows *rows, const int64_t *targets,
                          const void *largest, const void *log_totals, void *losses);

    /* The sum of x; of w[j] q[j]; of w[j] q[j] l[j] for the losses l[j] = log_total - (row[j] - m),
     * rounded to T. */
    double (*sum)(int64_t count, const void *x);
    double (*target_sum)(int64_t count, const kael_softmax_targets *targets);
    double (*loss_sum)(int64_t count, const void *row, const void *largest, const void *log_total,
                       const kael_softmax_targets *targets);
    /* out[j] -= scale * (w[j] q[j]), the product in double, rounded to T; q[j] is `share` where
     * there are no probabilities. */
    void (*subtract_targets)(int64_t count, double scale, const kael_softmax_targets *targets,
                             void *out);
} kael_softmax_kernels;

#endif
