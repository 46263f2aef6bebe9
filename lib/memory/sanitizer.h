/* Whether this build runs under a sanitizer that watches memory: blocks are then reserved and given
 * back one by one, since reused ones would hide errors. Tests of the caches define it as 0. */
#ifndef KAEL_MEMORY_SANITIZER_H
#define KAEL_MEMORY_SANITIZER_H

#ifndef KAEL_MEMORY_SANITIZED
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define KAEL_MEMORY_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define KAEL_MEMORY_SANITIZED 1
#endif
#endif
#endif

#ifndef KAEL_MEMORY_SANITIZED
#define KAEL_MEMORY_SANITIZED 0
#endif

#endif
