#include "core/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char last_message[KAEL_ERROR_MESSAGE_SIZE];
static _Thread_local uint64_t message_count;

const char *kael_last_error_message(void) {
    return last_message;
}

kael_status kael_error(kael_status status, const char *format, ...) {
    char text[KAEL_ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    memcpy(last_message, text, sizeof text);
    ++message_count;
    return status;
}

uint64_t kael_error_count(void) {
    return message_count;
}

const char *kael_status_string(kael_status status) {
    static const char *const names[] = {
        [KAEL_OK] = "ok",
        [KAEL_ERROR_VALUE] = "value error",
        [KAEL_ERROR_SHAPE] = "shape error",
        [KAEL_ERROR_DTYPE] = "dtype error",
        [KAEL_ERROR_INDEX] = "index error",
        [KAEL_ERROR_MEMORY] = "out of memory",
        [KAEL_ERROR_STATE] = "state error",
        [KAEL_ERROR_IO] = "input/output error",
        [KAEL_ERROR_UNSUPPORTED] = "unsupported",
        [KAEL_ERROR_ARITHMETIC] = "arithmetic error",
    };
    const size_t number = (size_t)status;
    return number < sizeof names / sizeof names[0] ? names[number] : "unknown status";
}
