/* Passing on the status of a failed call. */
#ifndef FASHION_MNIST_STATUS_H
#define FASHION_MNIST_STATUS_H

#include <kael/status.h>

#define TRY(expression)                                                                            \
    do {                                                                                           \
        const kael_status try_status_ = (expression);                                              \
        if (try_status_ != KAEL_OK) {                                                              \
            return try_status_;                                                                    \
        }                                                                                          \
    } while (0)

#endif
