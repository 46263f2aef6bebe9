/* Labelled images. */
#ifndef FASHION_MNIST_DATASET_H
#define FASHION_MNIST_DATASET_H

#include <kael/kael.h>
#include <stdint.h>

enum { CLASSES = 10 };

typedef struct dataset {
    int64_t count;
    int64_t pixels;       /* of an image */
    kael_tensor *images;  /* f32 [count, pixels], from 0 to 1 */
    kael_tensor *classes; /* i64 [count], from 0 to CLASSES - 1 */
} dataset;

/* Reads DIRECTORY/PREFIX-images-idx3-ubyte.gz and DIRECTORY/PREFIX-labels-idx1-ubyte.gz. On failure
 * prints what is wrong, returns a status other than KAEL_OK, and leaves nothing to release. */
kael_status dataset_load(dataset *data, const char *directory, const char *prefix);

void dataset_release(dataset *data);

/* Copies the images and classes at indices[0 .. rows) to the rows of two tensors. */
kael_status dataset_gather(const dataset *data, const int64_t *indices, int64_t rows,
                           kael_tensor *images, kael_tensor *classes);

#endif
