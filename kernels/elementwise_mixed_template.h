/* Comparisons of unsigned with signed numbers, whose common dtype does not hold them exactly.
 * Included by elementwise_integer_set.h, which defines
 *   A, B  the types of the first and the second operand
 *   TYPE  the names of both
 *   SET   the name of the instruction set
 */
#define NAME(base) KAEL_ELEMENTWISE_JOIN(base, TYPE)
#define FUNCTION(name) NAME(kael_##name)

#define BINARY_NUMERIC(name, element)
#define BINARY_FLOATING(name, element)
#define BINARY_DIVISION(name, element)
#define BINARY_POWER(name, element)
#define BINARY_COMPARISON(name, element) KAEL_BINARY_LOOP(NAME(name), uint8_t, A, B, element)
#define BINARY_LOGICAL(name, element)
#define BINARY_BITWISE(name, element)

#define DEFINE_BINARY(name, rule, on_bool, on_floats, on_integers) BINARY_##rule(name, on_integers)
KAEL_ALL_BINARY_OPERATIONS(DEFINE_BINARY)

#define ENTRY_NUMERIC(name) NULL
#define ENTRY_FLOATING(name) NULL
#define ENTRY_MAPPED(name) NULL
#define ENTRY_ROUNDING(name) NULL
#define ENTRY_DIVISION(name) NULL
#define ENTRY_POWER(name) NULL
#define ENTRY_COMPARISON(name) NAME(name)
#define ENTRY_TEST(name) NULL
#define ENTRY_LOGICAL(name) NULL
#define ENTRY_BITWISE(name) NULL
#define ENTRY_SELECT(name) NULL
#define FMA_TO_ODD NULL
#include "kernels/elementwise_record.h"

#undef FMA_TO_ODD
#undef FUNCTION
#undef NAME
