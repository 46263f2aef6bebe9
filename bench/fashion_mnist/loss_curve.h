/* The curve of the loss over a training, as an SVG picture. */
#ifndef FASHION_MNIST_LOSS_CURVE_H
#define FASHION_MNIST_LOSS_CURVE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct loss_curve {
    double *losses; /* mean losses of the steps of all epochs */
    int64_t count;
    int64_t places;
} loss_curve;

/* Makes room for so many steps; false without memory. */
bool loss_curve_create(loss_curve *curve, int64_t steps);
void loss_curve_release(loss_curve *curve);

/* Does nothing once all steps are there. */
void loss_curve_add(loss_curve *curve, double mean_loss);

/* Writes the picture of a training of so many epochs; false, with errno, if the file cannot be
 * written. */
bool loss_curve_write(const loss_curve *curve, int64_t epochs, const char *path);

#endif
