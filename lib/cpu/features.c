#include "cpu/features.h"

kael_cpu_features kael_cpu_detect(void) {
    kael_cpu_features features = {false, false, false};
#if defined(__x86_64__)
    __builtin_cpu_init();
    features.avx2_fma = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    features.avx512 = features.avx2_fma && __builtin_cpu_supports("avx512f") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512vl");
#elif defined(__aarch64__)
    features.neon = true;
#endif
    return features;
}
