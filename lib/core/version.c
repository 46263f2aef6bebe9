#include "kael/version.h"

const char *kael_version(void) {
    return KAEL_VERSION_STRING;
}
