/* What the processor and the operating system support. */
#ifndef KAEL_CPU_FEATURES_H
#define KAEL_CPU_FEATURES_H

#include <stdbool.h>

typedef struct kael_cpu_features {
    bool avx2_fma; /* AVX2 and FMA, with the operating system saving the AVX state */
    bool avx512;   /* AVX-512 F, DQ, BW and VL, with the operating system saving its state */
    bool neon;     /* Advanced SIMD on 64-bit Arm */
} kael_cpu_features;

kael_cpu_features kael_cpu_detect(void);

#endif
