#include "ops/operation.h"

#include <stddef.h>

#include "core/error.h"
#include "cpu/dispatch.h"

#define OPERATION(inputs, prefix, name, rule, on_bool)                                             \
    [prefix##name] = {#name, KAEL_RULE_##rule, KAEL_ON_BOOL_##on_bool, inputs, prefix##name},
#define UNARY(name, rule, on_bool, on_floats, on_integers)                                         \
    OPERATION(1, KAEL_UNARY_, name, rule, on_bool)
#define BINARY(name, rule, on_bool, on_floats, on_integers)                                        \
    OPERATION(2, KAEL_BINARY_, name, rule, on_bool)
#define TERNARY(name, rule, on_bool, on_floats, on_integers)                                       \
    OPERATION(3, KAEL_TERNARY_, name, rule, on_bool)
const kael_operation kael_unary_operations[] = {KAEL_UNARY_OPERATIONS(UNARY)};
const kael_operation kael_binary_operations[] = {KAEL_ALL_BINARY_OPERATIONS(BINARY)};
const kael_operation kael_ternary_operations[] = {KAEL_ALL_TERNARY_OPERATIONS(TERNARY)};

static bool is_floating(kael_dtype dtype) {
    return dtype >= KAEL_F16;
}

static bool is_half(kael_dtype dtype) {
    return dtype == KAEL_F16 || dtype == KAEL_BF16;
}

static bool is_signed_integer(kael_dtype dtype) {
    return dtype >= KAEL_I8 && dtype <= KAEL_I64;
}

static kael_loop_kernel *find_kernel(const kael_elementwise_kernels *kernels, int inputs,
                                     int number) {
    switch (inputs) {
    case 1:
        return kernels->unary[number];
    case 2:
        return kernels->binary[number];
    default:
        return kernels->ternary[number];
    }
}

static void set_dtypes(kael_plan *plan, kael_dtype output, kael_dtype inputs) {
    plan->dtypes[0] = output;
    for (int i = 1; i <= KAEL_MAX_INPUTS; ++i) {
        plan->dtypes[i] = inputs;
    }
}

static kael_status reject(const kael_operation *operation, kael_dtype dtype) {
    return kael_error(KAEL_ERROR_DTYPE, "%s is not defined for %s", operation->name,
                      kael_dtype_name(dtype));
}

/* An operation on zeros and ones. */
static void plan_logical(kael_plan *plan, const kael_elementwise_kernels *bytes,
                         kael_on_bool on_bool) {
    set_dtypes(plan, KAEL_BOOL, KAEL_BOOL);
    plan->result = KAEL_BOOL;
    switch (on_bool) {
    case KAEL_ON_BOOL_AND:
        plan->kernel = bytes->binary[KAEL_BINARY_bitwise_and];
        break;
    case KAEL_ON_BOOL_OR:
        plan->kernel = bytes->binary[KAEL_BINARY_bitwise_or];
        break;
    case KAEL_ON_BOOL_XOR:
        plan->kernel = bytes->binary[KAEL_BINARY_bitwise_xor];
        break;
    default:
        plan->kernel = bytes->unary[KAEL_UNARY_logical_not];
    }
}

/* The operands are computed with as `compute`, and rounded to `result` if it is narrower. */
static void plan_computed(kael_plan *plan, const kael_operation *operation,
                          const kael_elementwise_set *set, kael_dtype compute, kael_dtype result) {
    const bool gives_bool =
        operation->rule == KAEL_RULE_COMPARISON || operation->rule == KAEL_RULE_TEST;
    set_dtypes(plan, gives_bool ? KAEL_BOOL : compute, compute);
    plan->result = gives_bool ? KAEL_BOOL : result;
    plan->kernel = find_kernel(set->of[compute], operation->inputs, operation->number);
    if (!is_floating(compute)) {
        plan->check = operation->rule == KAEL_RULE_DIVISION ? KAEL_CHECK_NOT_ZERO
                      : operation->rule == KAEL_RULE_POWER  ? KAEL_CHECK_NOT_NEGATIVE
                                                            : KAEL_CHECK_NOTHING;
    }
}

static void plan_same(kael_plan *plan, kael_dtype dtype) {
    set_dtypes(plan, dtype, dtype);
    plan->result = dtype;
    plan->kernel = NULL;
}

static kael_status plan_bool(kael_plan *plan, const kael_operation *operation,
                             const kael_elementwise_set *set) {
    switch (operation->on_bool) {
    case KAEL_ON_BOOL_REJECT:
        return reject(operation, KAEL_BOOL);
    case KAEL_ON_BOOL_SAME:
        plan_same(plan, KAEL_BOOL);
        break;
    case KAEL_ON_BOOL_WIDEN:
        plan_computed(plan, operation, set, KAEL_I8, KAEL_I8);
        break;
    case KAEL_ON_BOOL_CONVERT:
        plan_computed(plan, operation, set, KAEL_F64, KAEL_F64);
        break;
    case KAEL_ON_BOOL_BYTES:
        plan_computed(plan, operation, set, KAEL_U8, KAEL_BOOL);
        set_dtypes(plan, KAEL_BOOL, KAEL_BOOL);
        break;
    default:
        plan_logical(plan, set->of[KAEL_U8], operation->on_bool);
    }
    return KAEL_OK;
}

/* Returns whether this is a comparison of u64 with signed numbers. */
static bool plan_mixed_comparison(kael_plan *plan, const kael_operation *operation,
                                  const kael_elementwise_set *set, const kael_dtype *inputs) {
    if (operation->rule != KAEL_RULE_COMPARISON) {
        return false;
    }
    const bool second_is_signed = inputs[0] == KAEL_U64 && is_signed_integer(inputs[1]);
    const bool first_is_signed = inputs[1] == KAEL_U64 && is_signed_integer(inputs[0]);
    if (!first_is_signed && !second_is_signed) {
        return false;
    }
    plan->kernel =
        (second_is_signed ? set->u64_with_i64 : set->i64_with_u64)->binary[operation->number];
    plan->dtypes[0] = KAEL_BOOL;
    plan->dtypes[1] = second_is_signed ? KAEL_U64 : KAEL_I64;
    plan->dtypes[2] = second_is_signed ? KAEL_I64 : KAEL_U64;
    plan->result = KAEL_BOOL;
    return true;
}

/* Elements are only moved, so that their size is all that matters. */
static kael_status plan_select(kael_plan *plan, const kael_operation *operation,
                               const kael_elementwise_set *set, const kael_dtype *inputs) {
    static const kael_dtype unsigned_of_size[] = {
        [1] = KAEL_U8, [2] = KAEL_U16, [4] = KAEL_U32, [8] = KAEL_U64};
    if (inputs[0] != KAEL_BOOL) {
        return kael_error(KAEL_ERROR_DTYPE, "a of %s must have dtype bool, got %s", operation->name,
                          kael_dtype_name(inputs[0]));
    }
    kael_dtype common;
    KAEL_TRY(kael_promote_dtypes(&common, inputs[1], inputs[2]));
    const kael_dtype moved = unsigned_of_size[kael_dtype_size(common)];
    set_dtypes(plan, common, common);
    plan->dtypes[1] = KAEL_BOOL;
    plan->result = common;
    plan->kernel = set->of[moved]->ternary[operation->number];
    return KAEL_OK;
}

static kael_status plan_common(kael_plan *plan, const kael_operation *operation,
                               const kael_elementwise_set *set, kael_dtype common) {
    if (common == KAEL_BOOL) {
        return plan_bool(plan, operation, set);
    }
    if (operation->rule == KAEL_RULE_BITWISE && is_floating(common)) {
        return reject(operation, common);
    }
    if (operation->rule == KAEL_RULE_ROUNDING && !is_floating(common)) {
        plan_same(plan, common);
    } else if (operation->rule == KAEL_RULE_FLOATING && !is_floating(common)) {
        plan_computed(plan, operation, set, KAEL_F64, KAEL_F64);
    } else if (!is_half(common)) {
        plan_computed(plan, operation, set, common, common);
    } else if (operation->inputs == 3 && operation->number == KAEL_TERNARY_fma) {
        set_dtypes(plan, KAEL_F64, KAEL_F64);
        plan->result = common;
        plan->kernel = set->of[KAEL_F64]->fma_to_odd;
    } else {
        plan_computed(plan, operation, set, KAEL_F32, common);
    }
    return KAEL_OK;
}

kael_status kael_operation_plan(kael_plan *plan, const kael_operation *operation,
                                const kael_dtype *inputs) {
    const kael_kernels *kernels;
    KAEL_TRY(kael_kernels_in_use(&kernels));
    const kael_elementwise_set *set = kernels->elementwise;
    plan->check = KAEL_CHECK_NOTHING;
    if (operation->rule == KAEL_RULE_SELECT) {
        return plan_select(plan, operation, set, inputs);
    }
    if (operation->rule == KAEL_RULE_LOGICAL) {
        plan_logical(plan, set->of[KAEL_U8], operation->on_bool);
        return KAEL_OK;
    }
    if (plan_mixed_comparison(plan, operation, set, inputs)) {
        return KAEL_OK;
    }
    kael_dtype common = inputs[0];
    for (int i = 1; i < operation->inputs; ++i) {
        KAEL_TRY(kael_promote_dtypes(&common, common, inputs[i]));
    }
    return plan_common(plan, operation, set, common);
}
