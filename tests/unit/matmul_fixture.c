#include "matmul_fixture.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kael/parallel.h"

void *new_array(matmul_type type, int64_t count) {
    void *array = malloc((size_t)count * matmul_size(type));
    cr_assert(array != NULL || count == 0, "no memory for %lld elements", (long long)count);
    return array;
}

void *new_filled(matmul_type type, int64_t count, matmul_values values, uint64_t seed) {
    void *array = new_array(type, count);
    matmul_fill(type, array, count, values, seed);
    return array;
}

void *new_copy(matmul_type type, const void *array, int64_t count) {
    void *copy = new_array(type, count);
    if (count > 0) {
        memcpy(copy, array, (size_t)count * matmul_size(type));
    }
    return copy;
}

void *new_constant(matmul_type type, int64_t count, double value) {
    void *array = new_array(type, count);
    for (int64_t i = 0; i < count; ++i) {
        matmul_set(type, array, i, value);
    }
    return array;
}

gemm_operands new_gemm(matmul_type type, const matmul_shape *shape, const matmul_layout layouts[3],
                       double alpha, double beta, matmul_values values) {
    const matmul_strides a = matmul_lay_out(layouts[0], shape->rows, shape->inner);
    const matmul_strides b = matmul_lay_out(layouts[1], shape->inner, shape->columns);
    const matmul_strides c = matmul_lay_out(layouts[2], shape->rows, shape->columns);
    gemm_operands result = {
        .a = new_filled(type, a.count, values, 21),
        .b = new_filled(type, b.count, values, 22),
        .c = new_filled(type, c.count, values, 23),
        .c_count = c.count,
    };
    result.expected = new_copy(type, result.c, c.count);
    result.problem = (matmul_problem){
        .m = shape->rows,
        .n = shape->columns,
        .k = shape->inner,
        .alpha = alpha,
        .a = {matmul_at(type, result.a, a.offset), a.row, a.column},
        .b = {matmul_at(type, result.b, b.offset), b.row, b.column},
        .beta = beta,
        .c = {matmul_at(type, result.c, c.offset), c.row, c.column},
    };
    result.expecting = result.problem;
    result.expecting.c.data = matmul_at(type, result.expected, c.offset);
    return result;
}

void free_gemm(gemm_operands *operands) {
    free(operands->a);
    free(operands->b);
    free(operands->c);
    free(operands->expected);
}

void expect_gemm_matches_oracle(matmul_type type, gemm_operands *operands, const char *what) {
    oracle_gemm(type, &operands->expecting);
    expect_ok(library_gemm(type, &operands->problem), what);
    expect_same_bits(type, operands->c, operands->expected, operands->c_count, "%s", what);
}

void *run_version(const matmul_version *version, matmul_type type, const matmul_shape *shape,
                  const void *a, const void *b, const void *out) {
    void *result = new_copy(type, out, shape->rows * shape->columns);
    const kael_matmul_sizes sizes = {shape->rows, shape->inner, shape->columns};
    expect_ok(version->call[type](a, b, result, &sizes), version->name);
    return result;
}

void *run_oracle(matmul_type type, const matmul_shape *shape, const void *a, const void *b,
                 const void *out) {
    void *result = new_copy(type, out, shape->rows * shape->columns);
    const matmul_problem problem =
        matmul_contiguous(shape->rows, shape->inner, shape->columns, a, b, result);
    oracle_gemm(type, &problem);
    return result;
}

void expect_same_bits(matmul_type type, const void *actual, const void *expected, int64_t count,
                      const char *format, ...) {
    const int64_t index = matmul_first_difference(type, actual, expected, count);
    if (index < 0) {
        return;
    }
    char what[256];
    char text[MATMUL_TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    matmul_describe_difference(text, type, actual, expected, index);
    cr_expect(false, "%s %s: %s", matmul_type_name(type), what, text);
}

void expect_ok(kael_status status, const char *what) {
    cr_expect(status == KAEL_OK, "%s: %s: %s", what, kael_status_string(status),
              kael_last_error_message());
}

static bool is_part_of_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static bool contains_word(const char *text, const char *word, size_t length) {
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word)) {
        const bool begins = at == text || !is_part_of_word(at[-1]);
        if (begins && !is_part_of_word(at[length])) {
            return true;
        }
    }
    return false;
}

void expect_error(kael_status status, kael_status expected, const char *words, const char *what) {
    cr_expect(status == expected, "%s: got %s, expected %s", what, kael_status_string(status),
              kael_status_string(expected));
    const char *message = kael_last_error_message();
    char word[64];
    int read = 0;
    for (; sscanf(words, "%63s%n", word, &read) == 1; words += read) {
        cr_expect(contains_word(message, word, strlen(word)), "%s: no '%s' in the message: %s",
                  what, word, message);
    }
}

void use_threads(int64_t count) {
    expect_ok(kael_set_num_threads(count), "kael_set_num_threads");
}
