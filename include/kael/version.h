/* The library's version. Until 1.0.0 the interface may change between minor versions. */
#ifndef KAEL_VERSION_H
#define KAEL_VERSION_H

#include "kael/macros.h"

#define KAEL_VERSION_MAJOR 0
#define KAEL_VERSION_MINOR 1
#define KAEL_VERSION_PATCH 0
#define KAEL_VERSION_STRING "0.1.0"

KAEL_BEGIN_DECLS

/* The version of the library that is running, as "major.minor.patch". */
KAEL_API const char *kael_version(void);

KAEL_END_DECLS

#endif
