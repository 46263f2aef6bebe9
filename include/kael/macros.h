/* Declaration helpers shared by every public header. */
#ifndef KAEL_MACROS_H
#define KAEL_MACROS_H

#ifdef __cplusplus
#define KAEL_BEGIN_DECLS extern "C" {
#define KAEL_END_DECLS }
#else
#define KAEL_BEGIN_DECLS
#define KAEL_END_DECLS
#endif

#if defined(__GNUC__)
#define KAEL_API __attribute__((visibility("default")))
#define KAEL_NODISCARD __attribute__((warn_unused_result))
#else
#define KAEL_API
#define KAEL_NODISCARD
#endif

#endif
