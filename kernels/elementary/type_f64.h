/* The vocabulary of the templates of this folder, for f64. */
#define T double
#define BITS uint64_t
#define SIGNED_BITS int64_t
#define NAME(base) base##_f64
#define FMA fma
#define FABS fabs
#define FLOOR floor
#define COPYSIGN copysign
#define TO_BITS kael_bits_f64
#define FROM_BITS kael_from_bits_f64
#define SIGN_BIT UINT64_C(0x8000000000000000)
#define SIGN_SHIFT 63
#define FRACTION_BITS 52
#define EXPONENT_BIAS 1023
#define LEAST_NORMAL 0x1p-1022
/* Adding it rounds a number below 2^51 to an integer and leaves that in the low bits. */
#define SHIFT 0x1.8p52
