/* Defines kael_elementwise_<set>, which gathers the records of one instruction set, whose
 * elementwise_table.c defines SET and includes this. */
#ifndef KAEL_KERNELS_ELEMENTWISE_TABLE_H
#define KAEL_KERNELS_ELEMENTWISE_TABLE_H

#include "kernels/elementwise.h"

#define KAEL_ELEMENTWISE_JOIN_(a, b) a##_##b
#define KAEL_ELEMENTWISE_JOIN(a, b) KAEL_ELEMENTWISE_JOIN_(a, b)
#define KAEL_ELEMENTWISE_RECORD(type) KAEL_ELEMENTWISE_JOIN(kael_elementwise_##type, SET)

#define DECLARE(NAME, name, text, storage, kind, compute)                                          \
    extern const kael_elementwise_kernels KAEL_ELEMENTWISE_RECORD(name);
KAEL_INTEGER_DTYPES(DECLARE)
KAEL_FLOAT_DTYPES(DECLARE)
#undef DECLARE
extern const kael_elementwise_kernels KAEL_ELEMENTWISE_RECORD(u64_i64);
extern const kael_elementwise_kernels KAEL_ELEMENTWISE_RECORD(i64_u64);
extern const kael_elementwise_set KAEL_ELEMENTWISE_JOIN(kael_elementwise, SET);

#define ENTRY(NAME, name, text, storage, kind, compute)                                            \
    [KAEL_DTYPE_##NAME] = &KAEL_ELEMENTWISE_RECORD(name),
const kael_elementwise_set KAEL_ELEMENTWISE_JOIN(kael_elementwise, SET) = {
    .of = {KAEL_INTEGER_DTYPES(ENTRY) KAEL_FLOAT_DTYPES(ENTRY)},
    .u64_with_i64 = &KAEL_ELEMENTWISE_RECORD(u64_i64),
    .i64_with_u64 = &KAEL_ELEMENTWISE_RECORD(i64_u64),
};
#undef ENTRY

#endif
