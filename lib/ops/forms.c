/* The public forms of elementwise operations, made from their table. */
#include <stddef.h>

#include "core/error.h"
#include "kael/ops.h"
#include "ops/elementwise.h"
#include "ops/scalar.h"
#include "tensor/require.h"

#define DEFINE_UNARY(name, rule, on_bool, on_floats, on_integers)                                  \
    kael_status kael_##name(kael_tensor **out, const kael_tensor *x) {                             \
        return kael_elementwise(out, &kael_unary_operations[KAEL_UNARY_##name], &x);               \
    }                                                                                              \
    kael_status kael_##name##_into(kael_tensor *out, const kael_tensor *x) {                       \
        return kael_elementwise_into(out, &kael_unary_operations[KAEL_UNARY_##name], &x);          \
    }                                                                                              \
    kael_status kael_##name##_in_place(kael_tensor *x) {                                           \
        KAEL_TRY(kael_require_not_null(x, "x"));                                                   \
        return kael_##name##_into(x, x);                                                           \
    }
KAEL_UNARY_OPERATIONS(DEFINE_UNARY)

/* Binary operations with a number for one operand. */
static kael_status require_tensor(kael_tensor **out, const kael_tensor *tensor, const char *name) {
    KAEL_TRY(kael_require_not_null(out, "out"));
    *out = NULL;
    return kael_require_not_null(tensor, name);
}

static kael_status with_scalar(kael_tensor **out, const kael_operation *operation,
                               const kael_tensor *a, kael_scalar b) {
    kael_tensor number;
    kael_scalar_element element;
    KAEL_TRY(require_tensor(out, a, "a"));
    KAEL_TRY(kael_scalar_operand_init(&number, &element, operation, kael_tensor_dtype(a), b, "b"));
    return kael_elementwise(out, operation, (const kael_tensor *[]){a, &number});
}

static kael_status with_scalar_into(kael_tensor *out, const kael_operation *operation,
                                    const kael_tensor *a, kael_scalar b) {
    kael_tensor number;
    kael_scalar_element element;
    KAEL_TRY(kael_require_not_null(a, "a"));
    KAEL_TRY(kael_scalar_operand_init(&number, &element, operation, kael_tensor_dtype(a), b, "b"));
    return kael_elementwise_into(out, operation, (const kael_tensor *[]){a, &number});
}

static kael_status of_scalar(kael_tensor **out, const kael_operation *operation, kael_scalar a,
                             const kael_tensor *b) {
    kael_tensor number;
    kael_scalar_element element;
    KAEL_TRY(require_tensor(out, b, "b"));
    KAEL_TRY(kael_scalar_operand_init(&number, &element, operation, kael_tensor_dtype(b), a, "a"));
    return kael_elementwise(out, operation, (const kael_tensor *[]){&number, b});
}

static kael_status of_scalar_into(kael_tensor *out, const kael_operation *operation, kael_scalar a,
                                  const kael_tensor *b) {
    kael_tensor number;
    kael_scalar_element element;
    KAEL_TRY(kael_require_not_null(b, "b"));
    KAEL_TRY(kael_scalar_operand_init(&number, &element, operation, kael_tensor_dtype(b), a, "a"));
    return kael_elementwise_into(out, operation, (const kael_tensor *[]){&number, b});
}

#define DEFINE_BINARY(name, rule, on_bool, on_floats, on_integers)                                 \
    kael_status kael_##name(kael_tensor **out, const kael_tensor *a, const kael_tensor *b) {       \
        return kael_elementwise(out, &kael_binary_operations[KAEL_BINARY_##name],                  \
                                (const kael_tensor *[]){a, b});                                    \
    }                                                                                              \
    kael_status kael_##name##_into(kael_tensor *out, const kael_tensor *a, const kael_tensor *b) { \
        return kael_elementwise_into(out, &kael_binary_operations[KAEL_BINARY_##name],             \
                                     (const kael_tensor *[]){a, b});                               \
    }                                                                                              \
    kael_status kael_##name##_in_place(kael_tensor *a, const kael_tensor *b) {                     \
        KAEL_TRY(kael_require_not_null(a, "a"));                                                   \
        return kael_##name##_into(a, a, b);                                                        \
    }                                                                                              \
    kael_status kael_##name##_scalar(kael_tensor **out, const kael_tensor *a, kael_scalar b) {     \
        return with_scalar(out, &kael_binary_operations[KAEL_BINARY_##name], a, b);                \
    }                                                                                              \
    kael_status kael_##name##_scalar_into(kael_tensor *out, const kael_tensor *a, kael_scalar b) { \
        return with_scalar_into(out, &kael_binary_operations[KAEL_BINARY_##name], a, b);           \
    }                                                                                              \
    kael_status kael_##name##_scalar_in_place(kael_tensor *a, kael_scalar b) {                     \
        return with_scalar_into(a, &kael_binary_operations[KAEL_BINARY_##name], a, b);             \
    }                                                                                              \
    kael_status kael_scalar_##name(kael_tensor **out, kael_scalar a, const kael_tensor *b) {       \
        return of_scalar(out, &kael_binary_operations[KAEL_BINARY_##name], a, b);                  \
    }                                                                                              \
    kael_status kael_scalar_##name##_into(kael_tensor *out, kael_scalar a, const kael_tensor *b) { \
        return of_scalar_into(out, &kael_binary_operations[KAEL_BINARY_##name], a, b);             \
    }
KAEL_BINARY_OPERATIONS(DEFINE_BINARY)

#define DEFINE_TERNARY(name, rule, on_bool, on_floats, on_integers)                                \
    kael_status kael_##name(kael_tensor **out, const kael_tensor *a, const kael_tensor *b,         \
                            const kael_tensor *c) {                                                \
        return kael_elementwise(out, &kael_ternary_operations[KAEL_TERNARY_##name],                \
                                (const kael_tensor *[]){a, b, c});                                 \
    }                                                                                              \
    kael_status kael_##name##_into(kael_tensor *out, const kael_tensor *a, const kael_tensor *b,   \
                                   const kael_tensor *c) {                                         \
        return kael_elementwise_into(out, &kael_ternary_operations[KAEL_TERNARY_##name],           \
                                     (const kael_tensor *[]){a, b, c});                            \
    }                                                                                              \
    kael_status kael_##name##_in_place(kael_tensor *a, const kael_tensor *b,                       \
                                       const kael_tensor *c) {                                     \
        KAEL_TRY(kael_require_not_null(a, "a"));                                                   \
        return kael_##name##_into(a, a, b, c);                                                     \
    }
KAEL_TERNARY_OPERATIONS(DEFINE_TERNARY)

static const kael_operation *const clamp = &kael_ternary_operations[KAEL_TERNARY_clamp];

kael_status kael_clamp_scalar(kael_tensor **out, const kael_tensor *a, kael_scalar b,
                              kael_scalar c) {
    kael_tensor lowest;
    kael_tensor highest;
    kael_scalar_element elements[2];
    KAEL_TRY(require_tensor(out, a, "a"));
    const kael_dtype dtype = kael_tensor_dtype(a);
    KAEL_TRY(kael_scalar_operand_init(&lowest, &elements[0], clamp, dtype, b, "b"));
    KAEL_TRY(kael_scalar_operand_init(&highest, &elements[1], clamp, dtype, c, "c"));
    return kael_elementwise(out, clamp, (const kael_tensor *[]){a, &lowest, &highest});
}

kael_status kael_clamp_scalar_into(kael_tensor *out, const kael_tensor *a, kael_scalar b,
                                   kael_scalar c) {
    kael_tensor lowest;
    kael_tensor highest;
    kael_scalar_element elements[2];
    KAEL_TRY(kael_require_not_null(a, "a"));
    const kael_dtype dtype = kael_tensor_dtype(a);
    KAEL_TRY(kael_scalar_operand_init(&lowest, &elements[0], clamp, dtype, b, "b"));
    KAEL_TRY(kael_scalar_operand_init(&highest, &elements[1], clamp, dtype, c, "c"));
    return kael_elementwise_into(out, clamp, (const kael_tensor *[]){a, &lowest, &highest});
}

kael_status kael_clamp_scalar_in_place(kael_tensor *a, kael_scalar b, kael_scalar c) {
    return kael_clamp_scalar_into(a, a, b, c);
}
