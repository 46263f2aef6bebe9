/* What the processor and the operating system support. */
#ifndef KAEL_CPU_FEATURES_H
#define KAEL_CPU_FEATURES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct kael_cpu_features {
    bool avx2_fma; /* AVX2 and FMA, with the operating system saving the AVX state */
    bool avx512;   /* these and AVX-512 F, DQ, BW and VL, with the system saving their state */
    bool neon;     /* Advanced SIMD on 64-bit Arm */
} kael_cpu_features;

/* The features of this machine. */
kael_cpu_features kael_cpu_detect(void);

typedef struct kael_cpuid_registers {
    uint32_t eax;
    uint32_t ebx;
    uint32_t ecx;
    uint32_t edx;
} kael_cpuid_registers;

/* Where the facts about an x86 processor come from: its instructions, or a test's table. */
typedef struct kael_x86_source {
    kael_cpuid_registers (*cpuid)(uint32_t leaf, uint32_t subleaf);
    uint64_t (*xcr0)(void); /* asked only if cpuid says that it can be */
} kael_x86_source;

kael_cpu_features kael_cpu_features_of_x86(const kael_x86_source *source);

/* From the kernel's AT_HWCAP word for 64-bit Arm. */
kael_cpu_features kael_cpu_features_of_arm64(unsigned long hwcap);

#endif
