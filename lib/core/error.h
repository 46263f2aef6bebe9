/* Setting the calling thread's error message. */
#ifndef KAEL_CORE_ERROR_H
#define KAEL_CORE_ERROR_H

#include <stdint.h>

#include "kael/status.h"

#define KAEL_ERROR_MESSAGE_SIZE 512

/* Formats the calling thread's error message, cut to the buffer, and returns `status`. Arguments
 * may point into the current message. */
__attribute__((format(printf, 2, 3))) kael_status kael_error(kael_status status, const char *format,
                                                             ...);

/* How many messages the calling thread has had: tells whether a call has left one. */
uint64_t kael_error_count(void);

/* Returns from the calling function when the expression's status is not KAEL_OK. */
#define KAEL_TRY(expression)                                                                       \
    do {                                                                                           \
        const kael_status kael_try_status_ = (expression);                                         \
        if (kael_try_status_ != KAEL_OK) {                                                         \
            return kael_try_status_;                                                               \
        }                                                                                          \
    } while (0)

#endif
