/* Detecting the processor and choosing the kernels. Machines are tables here. */
#include <criterion/criterion.h>
#include <string.h>

#include "cpu/dispatch.h"
#include "cpu/features.h"

enum {
    FMA = 1 << 12,
    OSXSAVE = 1 << 27,
    AVX = 1 << 28,
    AVX2 = 1 << 5,
    AVX512F = 1 << 16,
    AVX512DQ = 1 << 17,
    AVX512BW = 1 << 30,
    X87_SSE_AVX = 0x07,
    AVX512_STATE = 0xE0
};
#define AVX512VL (UINT32_C(1) << 31)
#define ALL_AVX512 ((uint32_t)AVX512F | (uint32_t)AVX512DQ | (uint32_t)AVX512BW | AVX512VL)

typedef struct x86_machine {
    uint32_t largest_leaf;
    uint32_t leaf1_ecx;
    uint32_t leaf7_ebx;
    uint64_t xcr0;
} x86_machine;

static const x86_machine skylake_server = {22, FMA | OSXSAVE | AVX, (uint32_t)AVX2 | ALL_AVX512,
                                           X87_SSE_AVX | AVX512_STATE};

static x86_machine machine;
static bool asked_for_xcr0;

static kael_cpuid_registers machine_cpuid(uint32_t leaf, uint32_t subleaf) {
    kael_cpuid_registers registers = {0, 0, 0, 0};
    if (leaf > machine.largest_leaf) {
        /* As Intel's: the data of the largest leaf, whatever they mean. */
        return (kael_cpuid_registers){~0U, ~0U, ~0U, ~0U};
    }
    if (leaf == 0) {
        registers.eax = machine.largest_leaf;
    } else if (leaf == 1) {
        registers.ecx = machine.leaf1_ecx;
    } else if (leaf == 7 && subleaf == 0) {
        registers.ebx = machine.leaf7_ebx;
    }
    return registers;
}

static uint64_t machine_xcr0(void) {
    asked_for_xcr0 = true;
    return machine.xcr0;
}

static kael_cpu_features detect(x86_machine described) {
    const kael_x86_source source = {machine_cpuid, machine_xcr0};
    machine = described;
    asked_for_xcr0 = false;
    return kael_cpu_features_of_x86(&source);
}

static void expect_features(x86_machine described, bool avx2_fma, bool avx512, const char *what) {
    const kael_cpu_features features = detect(described);
    cr_expect_eq(features.avx2_fma, avx2_fma, "avx2_fma, %s", what);
    cr_expect_eq(features.avx512, avx512, "avx512, %s", what);
    cr_expect_not(features.neon, "neon, %s", what);
}

Test(Cpu, FindsWhatACompleteMachineHas) {
    expect_features(skylake_server, true, true, "everything");
}

Test(Cpu, K59_Avx512NeedsItsStateSaved) {
    x86_machine described = skylake_server;
    described.xcr0 = 7;
    expect_features(described, true, false, "XCR0 = 7");
    const uint64_t missing[] = {0x20, 0x40, 0x80};
    for (size_t i = 0; i < sizeof missing / sizeof missing[0]; ++i) {
        described.xcr0 = skylake_server.xcr0 & ~missing[i];
        expect_features(described, true, false, "one bit of the AVX-512 state missing");
    }
}

Test(Cpu, K59_AvxNeedsItsStateSaved) {
    x86_machine described = skylake_server;
    described.leaf1_ecx &= ~(uint32_t)OSXSAVE;
    expect_features(described, false, false, "OSXSAVE = 0");
    cr_expect_not(asked_for_xcr0, "XGETBV without OSXSAVE is an illegal instruction");
    const uint64_t incomplete[] = {0, 1, 3, 5, 0xE0, 0xE1, 0xE5};
    for (size_t i = 0; i < sizeof incomplete / sizeof incomplete[0]; ++i) {
        described = skylake_server;
        described.xcr0 = incomplete[i];
        expect_features(described, false, false, "a part of the AVX state missing");
    }
}

Test(Cpu, K59_Avx2WithoutFmaHasNoFmaKernel) {
    x86_machine described = skylake_server;
    described.leaf1_ecx &= ~(uint32_t)FMA;
    expect_features(described, false, false, "no FMA");
    described = skylake_server;
    described.leaf7_ebx &= ~(uint32_t)AVX2;
    expect_features(described, false, false, "no AVX2");
    described = skylake_server;
    described.leaf1_ecx &= ~(uint32_t)AVX;
    expect_features(described, false, false, "no AVX");
}

Test(Cpu, Avx512NeedsAllItsParts) {
    const uint32_t parts[] = {AVX512F, AVX512DQ, AVX512BW, AVX512VL};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; ++i) {
        x86_machine described = skylake_server;
        described.leaf7_ebx &= ~parts[i];
        expect_features(described, true, false, "one part missing");
    }
}

Test(Cpu, DoesNotReadLeavesThatAreNotThere) {
    x86_machine described = skylake_server;
    for (described.largest_leaf = 0; described.largest_leaf < 7; ++described.largest_leaf) {
        expect_features(described, false, false, "no leaf 7");
    }
}

Test(Cpu, ArmTellsNeonInItsHwcap) {
    cr_expect(kael_cpu_features_of_arm64(1UL << 1).neon);
    cr_expect_not(kael_cpu_features_of_arm64(~(1UL << 1)).neon);
    cr_expect_not(kael_cpu_features_of_arm64(~0UL).avx2_fma);
    cr_expect_not(kael_cpu_features_of_arm64(~0UL).avx512);
}

static const char *choice(kael_cpu_features features, const char *cap) {
    const kael_kernels *kernels = NULL;
    cr_assert(kael_choose_kernels(&kernels, &features, cap), "%s", cap);
    cr_assert_not_null(kernels);
    return kernels->name;
}

static const kael_cpu_features baseline = {false, false, false};

Test(Cpu, ChoosesTheBestOrTheCap) {
    cr_expect_str_eq(choice(baseline, NULL), "generic");
#if defined(__x86_64__)
    const kael_cpu_features avx2 = {.avx2_fma = true};
    const kael_cpu_features avx512 = {.avx2_fma = true, .avx512 = true};
    cr_expect_str_eq(choice(avx2, NULL), "avx2");
    cr_expect_str_eq(choice(avx512, NULL), "avx512");
    cr_expect_str_eq(choice(avx512, "avx2"), "avx2");
    cr_expect_str_eq(choice(avx512, "generic"), "generic");
#elif defined(__aarch64__)
    const kael_cpu_features neon = {.neon = true};
    cr_expect_str_eq(choice(neon, NULL), "neon");
    cr_expect_str_eq(choice(neon, "generic"), "generic");
#endif
}

Test(Cpu, CapsThatTheMachineLacksMeanItsBest) {
    const char *const words[] = {"generic", "avx2", "avx512", "neon"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) {
        cr_expect_str_eq(choice(baseline, words[i]), "generic", "%s", words[i]);
    }
#if defined(__x86_64__)
    const kael_cpu_features avx2 = {.avx2_fma = true};
    cr_expect_str_eq(choice(avx2, "avx512"), "avx2");
    cr_expect_str_eq(choice(avx2, "neon"), "avx2");
#elif defined(__aarch64__)
    const kael_cpu_features neon = {.neon = true};
    cr_expect_str_eq(choice(neon, "avx2"), "neon");
#endif
}

Test(Cpu, OtherWordsAreNoCap) {
    const char *const words[] = {"", "AVX2", "avx", "avx2 ", " avx2", "avx2,avx512", "sse2", "0"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) {
        const kael_kernels *kernels = NULL;
        cr_expect_not(kael_choose_kernels(&kernels, &baseline, words[i]), "'%s'", words[i]);
    }
}

Test(Cpu, SupportedKernelsStartWithTheGenericOnes) {
    const kael_kernels *const *kernels = kael_kernels_supported();
    cr_assert_not_null(kernels[0]);
    cr_expect_str_eq(kernels[0]->name, "generic");
    const char *best = NULL;
    for (; *kernels != NULL; ++kernels) {
        best = (*kernels)->name;
    }
    cr_expect_str_eq(choice(kael_cpu_detect(), NULL), best);
}
