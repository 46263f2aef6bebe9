/* Whether this build runs under a sanitizer that watches memory. */
#ifndef KAEL_MEMORY_SANITIZER_H
#define KAEL_MEMORY_SANITIZER_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define KAEL_MEMORY_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define KAEL_MEMORY_SANITIZED 1
#endif
#endif

#ifndef KAEL_MEMORY_SANITIZED
#define KAEL_MEMORY_SANITIZED 0
#endif

#endif
