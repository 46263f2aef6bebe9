/* Statuses and error messages.
 *
 * Every function that can fail returns a kael_status. On failure nothing has changed, a result
 * pointer is set to NULL, and kael_last_error_message() tells which argument broke which rule.
 */
#ifndef KAEL_STATUS_H
#define KAEL_STATUS_H

#include "kael/macros.h"

KAEL_BEGIN_DECLS

/* The numbers never change; new ones are only added. */
typedef enum kael_status {
    KAEL_OK = 0,
    KAEL_ERROR_VALUE = 1,       /* an argument, option or environment value is out of its range */
    KAEL_ERROR_SHAPE = 2,       /* sizes do not fit together, or their product overflows */
    KAEL_ERROR_DTYPE = 3,       /* the operation is not defined for this element type */
    KAEL_ERROR_INDEX = 4,       /* an index or dimension is out of range */
    KAEL_ERROR_MEMORY = 5,      /* memory or another system resource ran out */
    KAEL_ERROR_STATE = 6,       /* the call is not allowed at this moment */
    KAEL_ERROR_IO = 7,          /* a file is missing, unreadable, truncated or corrupt */
    KAEL_ERROR_UNSUPPORTED = 8, /* this build or version of the library cannot do it */
    KAEL_ERROR_ARITHMETIC = 9   /* an integer division by zero */
} kael_status;

/* A short name of the status, such as "value error"; "unknown status" for any other number. */
KAEL_API const char *kael_status_string(kael_status status);

/* The message of the calling thread's latest failure, "" if it had none. The text stays valid and
 * unchanged until the thread's next failing call. */
KAEL_API const char *kael_last_error_message(void);

KAEL_END_DECLS

#endif
