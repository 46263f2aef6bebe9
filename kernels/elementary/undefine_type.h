/* Clears the vocabulary of type_f32.h or type_f64.h. */
#undef T
#undef BITS
#undef SIGNED_BITS
#undef NAME
#undef FMA
#undef FABS
#undef FLOOR
#undef COPYSIGN
#undef TO_BITS
#undef FROM_BITS
#undef SIGN_BIT
#undef SIGN_SHIFT
#undef FRACTION_BITS
#undef EXPONENT_BIAS
#undef LEAST_NORMAL
#undef SHIFT
