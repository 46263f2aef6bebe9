/* The vocabulary of the templates of this folder, for f32. */
#define T float
#define BITS uint32_t
#define SIGNED_BITS int32_t
#define NAME(base) base##_f32
#define FMA fmaf
#define FABS fabsf
#define FLOOR floorf
#define COPYSIGN copysignf
#define TO_BITS kael_bits_f32
#define FROM_BITS kael_from_bits_f32
#define SIGN_BIT 0x80000000u
#define SIGN_SHIFT 31
#define FRACTION_BITS 23
#define EXPONENT_BIAS 127
#define LEAST_NORMAL 0x1p-126f
/* Adding it rounds a number below 2^22 to an integer and leaves that in the low bits. */
#define SHIFT 0x1.8p23f
