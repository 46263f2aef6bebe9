/* Element types. */
#include <criterion/criterion.h>

#include "kael/dtype.h"

typedef struct dtype_row {
    kael_dtype dtype;
    int number;
    int64_t size;
    const char *name;
} dtype_row;

static const dtype_row dtype_rows[] = {
    {KAEL_BOOL, 0, 1, "bool"}, {KAEL_I8, 1, 1, "i8"},      {KAEL_I16, 2, 2, "i16"},
    {KAEL_I32, 3, 4, "i32"},   {KAEL_I64, 4, 8, "i64"},    {KAEL_U8, 5, 1, "u8"},
    {KAEL_U16, 6, 2, "u16"},   {KAEL_U32, 7, 4, "u32"},    {KAEL_U64, 8, 8, "u64"},
    {KAEL_F16, 9, 2, "f16"},   {KAEL_BF16, 10, 2, "bf16"}, {KAEL_F32, 11, 4, "f32"},
    {KAEL_F64, 12, 8, "f64"},
};

enum { DTYPE_COUNT = sizeof dtype_rows / sizeof dtype_rows[0] };

Test(Dtype, NumbersArePinned) {
    for (int i = 0; i < DTYPE_COUNT; ++i) {
        cr_expect_eq((int)dtype_rows[i].dtype, dtype_rows[i].number, "%s", dtype_rows[i].name);
    }
}

Test(Dtype, SizesAndNames) {
    for (int i = 0; i < DTYPE_COUNT; ++i) {
        cr_expect_eq(kael_dtype_size(dtype_rows[i].dtype), dtype_rows[i].size, "%s",
                     dtype_rows[i].name);
        cr_expect_str_eq(kael_dtype_name(dtype_rows[i].dtype), dtype_rows[i].name);
    }
}

Test(Dtype, OtherNumbersHaveNoSize) {
    const int numbers[] = {-1, DTYPE_COUNT, 255, -2147483647 - 1, 2147483647};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i) {
        cr_expect_eq(kael_dtype_size((kael_dtype)numbers[i]), 0, "%d", numbers[i]);
        cr_expect_str_eq(kael_dtype_name((kael_dtype)numbers[i]), "unknown dtype", "%d",
                         numbers[i]);
    }
}

/* Made with result_type of NumPy 1.24.2. NumPy has no bf16: its entries are those of f16 with the
 * name changed, and f32 where the two meet. */
static const kael_dtype promoted[DTYPE_COUNT][DTYPE_COUNT] = {
    {KAEL_BOOL, KAEL_I8, KAEL_I16, KAEL_I32, KAEL_I64, KAEL_U8, KAEL_U16, KAEL_U32, KAEL_U64,
     KAEL_F16, KAEL_BF16, KAEL_F32, KAEL_F64},
    {KAEL_I8, KAEL_I8, KAEL_I16, KAEL_I32, KAEL_I64, KAEL_I16, KAEL_I32, KAEL_I64, KAEL_F64,
     KAEL_F16, KAEL_BF16, KAEL_F32, KAEL_F64},
    {KAEL_I16, KAEL_I16, KAEL_I16, KAEL_I32, KAEL_I64, KAEL_I16, KAEL_I32, KAEL_I64, KAEL_F64,
     KAEL_F32, KAEL_F32, KAEL_F32, KAEL_F64},
    {KAEL_I32, KAEL_I32, KAEL_I32, KAEL_I32, KAEL_I64, KAEL_I32, KAEL_I32, KAEL_I64, KAEL_F64,
     KAEL_F64, KAEL_F64, KAEL_F64, KAEL_F64},
    {KAEL_I64, KAEL_I64, KAEL_I64, KAEL_I64, KAEL_I64, KAEL_I64, KAEL_I64, KAEL_I64, KAEL_F64,
     KAEL_F64, KAEL_F64, KAEL_F64, KAEL_F64},
    {KAEL_U8, KAEL_I16, KAEL_I16, KAEL_I32, KAEL_I64, KAEL_U8, KAEL_U16, KAEL_U32, KAEL_U64,
     KAEL_F16, KAEL_BF16, KAEL_F32, KAEL_F64},
    {KAEL_U16, KAEL_I32, KAEL_I32, KAEL_I32, KAEL_I64, KAEL_U16, KAEL_U16, KAEL_U32, KAEL_U64,
     KAEL_F32, KAEL_F32, KAEL_F32, KAEL_F64},
    {KAEL_U32, KAEL_I64, KAEL_I64, KAEL_I64, KAEL_I64, KAEL_U32, KAEL_U32, KAEL_U32, KAEL_U64,
     KAEL_F64, KAEL_F64, KAEL_F64, KAEL_F64},
    {KAEL_U64, KAEL_F64, KAEL_F64, KAEL_F64, KAEL_F64, KAEL_U64, KAEL_U64, KAEL_U64, KAEL_U64,
     KAEL_F64, KAEL_F64, KAEL_F64, KAEL_F64},
    {KAEL_F16, KAEL_F16, KAEL_F32, KAEL_F64, KAEL_F64, KAEL_F16, KAEL_F32, KAEL_F64, KAEL_F64,
     KAEL_F16, KAEL_F32, KAEL_F32, KAEL_F64},
    {KAEL_BF16, KAEL_BF16, KAEL_F32, KAEL_F64, KAEL_F64, KAEL_BF16, KAEL_F32, KAEL_F64, KAEL_F64,
     KAEL_F32, KAEL_BF16, KAEL_F32, KAEL_F64},
    {KAEL_F32, KAEL_F32, KAEL_F32, KAEL_F64, KAEL_F64, KAEL_F32, KAEL_F32, KAEL_F64, KAEL_F64,
     KAEL_F32, KAEL_F32, KAEL_F32, KAEL_F64},
    {KAEL_F64, KAEL_F64, KAEL_F64, KAEL_F64, KAEL_F64, KAEL_F64, KAEL_F64, KAEL_F64, KAEL_F64,
     KAEL_F64, KAEL_F64, KAEL_F64, KAEL_F64},
};

Test(Dtype, PromotesAsNumPy) {
    for (int a = 0; a < DTYPE_COUNT; ++a) {
        for (int b = 0; b < DTYPE_COUNT; ++b) {
            kael_dtype out;
            cr_expect_eq(kael_promote_dtypes(&out, (kael_dtype)a, (kael_dtype)b), KAEL_OK);
            cr_expect_eq(out, promoted[a][b], "%s with %s gives %s", dtype_rows[a].name,
                         dtype_rows[b].name, kael_dtype_name(out));
        }
    }
}

Test(Dtype, PromotionRejectsWhatIsNoDtype) {
    kael_dtype out = KAEL_U16;
    cr_expect_eq(kael_promote_dtypes(NULL, KAEL_F32, KAEL_F32), KAEL_ERROR_VALUE);
    cr_expect_str_eq(kael_last_error_message(), "out must not be NULL");
    cr_expect_eq(kael_promote_dtypes(&out, KAEL_F32, (kael_dtype)13), KAEL_ERROR_DTYPE);
    cr_expect_str_eq(kael_last_error_message(), "13 is not a dtype");
    cr_expect_eq(kael_promote_dtypes(&out, (kael_dtype)-1, KAEL_F32), KAEL_ERROR_DTYPE);
    cr_expect_str_eq(kael_last_error_message(), "-1 is not a dtype");
    cr_expect_eq(out, KAEL_U16);
}
