#include "cpu/features.h"

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__)
#include <sys/auxv.h>
#endif

/* Bits of cpuid, with the leaf and the register in the name (Intel SDM volume 2, CPUID). */
#define LEAF1_ECX_FMA (UINT32_C(1) << 12)
#define LEAF1_ECX_OSXSAVE (UINT32_C(1) << 27)
#define LEAF1_ECX_AVX (UINT32_C(1) << 28)
#define LEAF7_EBX_AVX2 (UINT32_C(1) << 5)
#define LEAF7_EBX_AVX512F (UINT32_C(1) << 16)
#define LEAF7_EBX_AVX512DQ (UINT32_C(1) << 17)
#define LEAF7_EBX_AVX512BW (UINT32_C(1) << 30)
#define LEAF7_EBX_AVX512VL (UINT32_C(1) << 31)

/* Register state that the operating system saves, in XCR0 (volume 1, "Enabling the XSAVE feature
 * set"): without it, upper halves of registers are lost at a context switch. */
#define XCR0_AVX UINT64_C(0x06)    /* xmm, ymm */
#define XCR0_AVX512 UINT64_C(0xE6) /* these, masks, zmm0-15, zmm16-31 */

/* In the kernel's AT_HWCAP for 64-bit Arm. */
#define HWCAP_ARM64_ASIMD (1UL << 1)

static bool has(uint64_t word, uint64_t bits) {
    return (word & bits) == bits;
}

kael_cpu_features kael_cpu_features_of_x86(const kael_x86_source *source) {
    kael_cpu_features features = {false, false, false};
    if (source->cpuid(0, 0).eax < 7) {
        return features;
    }
    const uint32_t leaf1 = source->cpuid(1, 0).ecx;
    const uint32_t leaf7 = source->cpuid(7, 0).ebx;
    const uint64_t xcr0 = has(leaf1, LEAF1_ECX_OSXSAVE) ? source->xcr0() : 0;
    features.avx2_fma = has(xcr0, XCR0_AVX) && has(leaf1, LEAF1_ECX_AVX | LEAF1_ECX_FMA) &&
                        has(leaf7, LEAF7_EBX_AVX2);
    features.avx512 = features.avx2_fma && has(xcr0, XCR0_AVX512) &&
                      has(leaf7, LEAF7_EBX_AVX512F | LEAF7_EBX_AVX512DQ | LEAF7_EBX_AVX512BW |
                                     LEAF7_EBX_AVX512VL);
    return features;
}

kael_cpu_features kael_cpu_features_of_arm64(unsigned long hwcap) {
    return (kael_cpu_features){.neon = has(hwcap, HWCAP_ARM64_ASIMD)};
}

#if defined(__x86_64__)

static kael_cpuid_registers machine_cpuid(uint32_t leaf, uint32_t subleaf) {
    kael_cpuid_registers registers;
    __cpuid_count(leaf, subleaf, registers.eax, registers.ebx, registers.ecx, registers.edx);
    return registers;
}

static uint64_t machine_xcr0(void) {
    uint32_t low;
    uint32_t high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

kael_cpu_features kael_cpu_detect(void) {
    static const kael_x86_source machine = {machine_cpuid, machine_xcr0};
    return kael_cpu_features_of_x86(&machine);
}

#elif defined(__aarch64__)

kael_cpu_features kael_cpu_detect(void) {
    return kael_cpu_features_of_arm64(getauxval(AT_HWCAP));
}

#else

kael_cpu_features kael_cpu_detect(void) {
    return (kael_cpu_features){false, false, false};
}

#endif
