#include "isa_loops.hpp"

#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>

#include "kael/cpu.h"
#include "kael/status.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace bench {

namespace {

// Enough independent sums to fill two units of a latency of four or five; four of them on Arm.
// The sums tend to a fixed point, so they stay ordinary numbers.
#define DEFINE_FMA_LOOP(name, target, sums, type, vector, splat, fused)                            \
    target type name(std::int64_t steps, type factor) {                                            \
        const vector scale = splat(factor);                                                        \
        vector sum[sums];                                                                          \
        for (int i = 0; i < sums; ++i) {                                                           \
            sum[i] = splat(static_cast<type>(i));                                                  \
        }                                                                                          \
        for (std::int64_t step = 0; step < steps; ++step) {                                        \
            for (int i = 0; i < sums; ++i) {                                                       \
                sum[i] = fused(sum[i], scale, scale);                                              \
            }                                                                                      \
        }                                                                                          \
        vector total = sum[0];                                                                     \
        for (int i = 1; i < sums; ++i) {                                                           \
            total = total + sum[i];                                                                \
        }                                                                                          \
        type first;                                                                                \
        std::memcpy(&first, &total, sizeof first);                                                 \
        return first;                                                                              \
    }

// Combines all words, eight vectors at a time.
#define DEFINE_READ_LOOP(name, target, width)                                                      \
    target std::uint64_t name(const void *data, std::size_t bytes) {                               \
        typedef std::uint64_t vector __attribute__((vector_size(width)));                          \
        const char *next = static_cast<const char *>(data);                                        \
        const char *end = next + bytes;                                                            \
        vector mix[8] = {};                                                                        \
        for (; end - next >= static_cast<std::ptrdiff_t>(sizeof mix); next += sizeof mix) {        \
            for (std::size_t i = 0; i < 8; ++i) {                                                  \
                vector loaded;                                                                     \
                std::memcpy(&loaded, next + i * sizeof loaded, sizeof loaded);                     \
                mix[i] ^= loaded;                                                                  \
            }                                                                                      \
        }                                                                                          \
        std::uint64_t result = 0;                                                                  \
        for (; next < end; ++next) {                                                               \
            result ^= static_cast<std::uint64_t>(static_cast<unsigned char>(*next));               \
        }                                                                                          \
        for (const vector &each : mix) {                                                           \
            for (std::size_t lane = 0; lane < width / sizeof result; ++lane) {                     \
                result ^= each[lane];                                                              \
            }                                                                                      \
        }                                                                                          \
        return result;                                                                             \
    }

template <typename T> T same(T value) {
    return value;
}

DEFINE_FMA_LOOP(fma_scalar_f32, , 10, float, float, same<float>, std::fma)
DEFINE_FMA_LOOP(fma_scalar_f64, , 10, double, double, same<double>, std::fma)
DEFINE_READ_LOOP(read_16_bytes, , 16)

template <typename T>
constexpr FmaLoop<T> fma_loop(T (*run)(std::int64_t, T), int sums, int bytes) {
    return {run, 2.0 * sums * bytes / sizeof(T)};
}

constexpr IsaLoops generic = {"generic", fma_loop(fma_scalar_f32, 10, sizeof(float)),
                              fma_loop(fma_scalar_f64, 10, sizeof(double)), read_16_bytes};

#if defined(__x86_64__)

#define AVX2 __attribute__((target("avx2,fma")))
#define AVX512 __attribute__((target("avx512f")))

DEFINE_FMA_LOOP(fma_avx2_f32, AVX2, 12, float, __m256, _mm256_set1_ps, _mm256_fmadd_ps)
DEFINE_FMA_LOOP(fma_avx2_f64, AVX2, 12, double, __m256d, _mm256_set1_pd, _mm256_fmadd_pd)
DEFINE_READ_LOOP(read_avx2, AVX2, 32)

DEFINE_FMA_LOOP(fma_avx512_f32, AVX512, 16, float, __m512, _mm512_set1_ps, _mm512_fmadd_ps)
DEFINE_FMA_LOOP(fma_avx512_f64, AVX512, 16, double, __m512d, _mm512_set1_pd, _mm512_fmadd_pd)
DEFINE_READ_LOOP(read_avx512, AVX512, 64)

constexpr IsaLoops all[] = {
    generic,
    {"avx2", fma_loop(fma_avx2_f32, 12, 32), fma_loop(fma_avx2_f64, 12, 32), read_avx2},
    {"avx512", fma_loop(fma_avx512_f32, 16, 64), fma_loop(fma_avx512_f64, 16, 64), read_avx512},
};

#elif defined(__aarch64__)

float32x4_t fused_neon(float32x4_t a, float32x4_t b, float32x4_t c) {
    return vfmaq_f32(c, a, b);
}

float64x2_t fused_neon(float64x2_t a, float64x2_t b, float64x2_t c) {
    return vfmaq_f64(c, a, b);
}

DEFINE_FMA_LOOP(fma_neon_f32, , 16, float, float32x4_t, vdupq_n_f32, fused_neon)
DEFINE_FMA_LOOP(fma_neon_f64, , 16, double, float64x2_t, vdupq_n_f64, fused_neon)

constexpr IsaLoops all[] = {
    generic,
    {"neon", fma_loop(fma_neon_f32, 16, 16), fma_loop(fma_neon_f64, 16, 16), read_16_bytes},
};

#else

constexpr IsaLoops all[] = {generic};

#endif

} // namespace

const IsaLoops &isa_loops() {
    const char *isa = kael_cpu_isa();
    if (isa == nullptr) {
        throw std::runtime_error(kael_last_error_message());
    }
    for (const IsaLoops &loops : all) {
        if (std::strcmp(loops.isa, isa) == 0) {
            return loops;
        }
    }
    throw std::runtime_error(std::string("no peak loops for the instruction set ") + isa);
}

} // namespace bench
