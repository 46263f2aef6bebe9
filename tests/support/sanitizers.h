/* What test programs must know about the sanitizer that watches them. */
#ifndef KAEL_TESTS_SANITIZERS_H
#define KAEL_TESTS_SANITIZERS_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define KAEL_TEST_ADDRESS_SANITIZER 1
#endif
#if __has_feature(thread_sanitizer)
#define KAEL_TEST_THREAD_SANITIZER 1
#endif
#endif

#ifdef __SANITIZE_ADDRESS__
#define KAEL_TEST_ADDRESS_SANITIZER 1
#endif
#ifdef __SANITIZE_THREAD__
#define KAEL_TEST_THREAD_SANITIZER 1
#endif

#endif
