/* Defines the record of one element type's kernels from ENTRY_<rule>(name), the kernel or NULL, and
 * undefines what elementwise templates have defined by rule. */
#define UNARY_ENTRY(name, rule, on_bool, on_floats, on_integers)                                   \
    [KAEL_UNARY_##name] = ENTRY_##rule(name),
#define BINARY_ENTRY(name, rule, on_bool, on_floats, on_integers)                                  \
    [KAEL_BINARY_##name] = ENTRY_##rule(name),
#define TERNARY_ENTRY(name, rule, on_bool, on_floats, on_integers)                                 \
    [KAEL_TERNARY_##name] = ENTRY_##rule(name),

extern const kael_elementwise_kernels KAEL_ELEMENTWISE_JOIN(NAME(kael_elementwise), SET);
const kael_elementwise_kernels KAEL_ELEMENTWISE_JOIN(NAME(kael_elementwise), SET) = {
    .unary = {KAEL_UNARY_OPERATIONS(UNARY_ENTRY)},
    .binary = {KAEL_ALL_BINARY_OPERATIONS(BINARY_ENTRY)},
    .ternary = {KAEL_ALL_TERNARY_OPERATIONS(TERNARY_ENTRY)},
    .fma_to_odd = FMA_TO_ODD,
};

#undef UNARY_ENTRY
#undef BINARY_ENTRY
#undef TERNARY_ENTRY
#undef ENTRY_NUMERIC
#undef ENTRY_FLOATING
#undef ENTRY_MAPPED
#undef ENTRY_ROUNDING
#undef ENTRY_DIVISION
#undef ENTRY_POWER
#undef ENTRY_COMPARISON
#undef ENTRY_TEST
#undef ENTRY_LOGICAL
#undef ENTRY_BITWISE
#undef ENTRY_SELECT
#undef DEFINE_UNARY
#undef DEFINE_BINARY
#undef DEFINE_TERNARY
#undef UNARY_NUMERIC
#undef UNARY_FLOATING
#undef UNARY_MAPPED
#undef UNARY_ROUNDING
#undef UNARY_TEST
#undef UNARY_BITWISE
#undef BINARY_NUMERIC
#undef BINARY_FLOATING
#undef BINARY_DIVISION
#undef BINARY_POWER
#undef BINARY_COMPARISON
#undef BINARY_LOGICAL
#undef BINARY_BITWISE
#undef TERNARY_NUMERIC
#undef TERNARY_SELECT
#undef TERNARY_FLOATING
