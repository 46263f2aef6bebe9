#include "cpu/dispatch.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "cpu/features.h"
#include "kael/cpu.h"

#define KAEL_DECLARE_KERNELS(name) extern const kael_kernels kael_kernels_##name;

/* The instruction sets from the plainest to the best: the one list of them. KAEL_ISA takes all
 * their names, also of those that this build lacks. */
typedef struct isa_row {
    const char *name;
    const kael_kernels *kernels; /* NULL when this build lacks it */
    bool (*supported)(const kael_cpu_features *features);
} isa_row;

KAEL_DECLARE_KERNELS(generic)
KAEL_DECLARE_KERNELS(avx2)
KAEL_DECLARE_KERNELS(avx512)
KAEL_DECLARE_KERNELS(neon)

static bool supports_generic(const kael_cpu_features *features) {
    (void)features;
    return true;
}

static bool supports_avx2(const kael_cpu_features *features) {
    return features->avx2_fma;
}

static bool supports_avx512(const kael_cpu_features *features) {
    return features->avx512;
}

static bool supports_neon(const kael_cpu_features *features) {
    return features->neon;
}

static const isa_row isa_rows[] = {
    {"generic", &kael_kernels_generic, supports_generic},
#ifdef KAEL_HAVE_KERNELS_AVX2
    {"avx2", &kael_kernels_avx2, supports_avx2},
#else
    {"avx2", NULL, supports_avx2},
#endif
#ifdef KAEL_HAVE_KERNELS_AVX512
    {"avx512", &kael_kernels_avx512, supports_avx512},
#else
    {"avx512", NULL, supports_avx512},
#endif
#ifdef KAEL_HAVE_KERNELS_NEON
    {"neon", &kael_kernels_neon, supports_neon},
#else
    {"neon", NULL, supports_neon},
#endif
};

enum { ISA_COUNT = sizeof isa_rows / sizeof isa_rows[0] };

static const kael_kernels *usable_kernels(const isa_row *row, const kael_cpu_features *features) {
    return row->kernels != NULL && row->supported(features) ? row->kernels : NULL;
}

bool kael_choose_kernels(const kael_kernels **chosen, const kael_cpu_features *features,
                         const char *cap) {
    bool cap_known = cap == NULL;
    const kael_kernels *best = NULL;
    const kael_kernels *capped = NULL;
    for (int i = 0; i < ISA_COUNT; ++i) {
        const kael_kernels *usable = usable_kernels(&isa_rows[i], features);
        best = usable != NULL ? usable : best;
        if (cap != NULL && strcmp(cap, isa_rows[i].name) == 0) {
            cap_known = true;
            capped = usable;
        }
    }
    *chosen = capped != NULL ? capped : best;
    return cap_known;
}

static pthread_once_t dispatch_once = PTHREAD_ONCE_INIT;
static const kael_kernels *supported_kernels[ISA_COUNT + 1];
static const kael_kernels *kernels_in_use;
/* The same once it is known: small operations would feel a call of pthread_once. */
static _Atomic(const kael_kernels *) known_kernels;
static char rejected_isa[64]; /* the value of KAEL_ISA when it is none of the words */

static void dispatch(void) {
    const kael_cpu_features features = kael_cpu_detect();
    int count = 0;
    for (int i = 0; i < ISA_COUNT; ++i) {
        const kael_kernels *usable = usable_kernels(&isa_rows[i], &features);
        if (usable != NULL) {
            supported_kernels[count++] = usable;
        }
    }
    const char *cap = getenv("KAEL_ISA");
    if (!kael_choose_kernels(&kernels_in_use, &features, cap)) {
        kernels_in_use = NULL;
        strncpy(rejected_isa, cap, sizeof rejected_isa - 1);
    }
    atomic_store_explicit(&known_kernels, kernels_in_use, memory_order_release);
}

kael_status kael_kernels_in_use(const kael_kernels **kernels) {
    *kernels = atomic_load_explicit(&known_kernels, memory_order_acquire);
    if (*kernels != NULL) {
        return KAEL_OK;
    }
    pthread_once(&dispatch_once, dispatch);
    *kernels = kernels_in_use;
    if (kernels_in_use == NULL) {
        return kael_error(KAEL_ERROR_VALUE,
                          "KAEL_ISA must be generic, avx2, avx512 or neon, got '%s'", rejected_isa);
    }
    return KAEL_OK;
}

const kael_kernels *const *kael_kernels_supported(void) {
    pthread_once(&dispatch_once, dispatch);
    return supported_kernels;
}

const char *kael_cpu_isa(void) {
    const kael_kernels *kernels = NULL;
    return kael_kernels_in_use(&kernels) == KAEL_OK ? kernels->name : NULL;
}
