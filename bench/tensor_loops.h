/* What tensor_ratio.py times; its tensor_contest/kael.py declares the same structs. Each function
 * returns the seconds of all repeats, or a negative number if a call failed. */
#pragma once

#include <stdint.h>

#include "kael/random.h"
#include "kael/tensor.h"

/* What arguments a function takes. */
enum {
    CALL_UNARY,      /* (&out, a) */
    CALL_UNARY_INTO, /* (out, a) */
    CALL_BINARY,
    CALL_BINARY_INTO,
    CALL_CONVERT,              /* (&out, a, dtype number) */
    CALL_VIEW,                 /* (&out, a, 0, 1) */
    CALL_REDUCE,               /* over dimension `number`, or ALL_DIMS */
    CALL_VARIANCE,             /* likewise */
    CALL_ARG,                  /* likewise */
    CALL_INDEX,                /* (&out, a, dim number, indices b) */
    CALL_RANDOM_FLOATS_INTO,   /* (out, generator, 0, 1) */
    CALL_RANDOM_INTEGERS_INTO, /* (out, generator, 0, number) */
    CALL_PERMUTATION,          /* (&out, generator, number) */
    CALL_ALONG,                /* (&out, a, dim number) */
    CALL_LOSS,                 /* (&out, a, targets b, NULL) */
    CALL_LOSS_GRADIENT,        /* the same and backward to a, a leaf; out is its gradient */
    CALL_LAYER_NORM,           /* (&out, a, 1, weight b, bias b, 1e-5) */
};

#define ALL_DIMS INT64_MIN

typedef struct tensor_call {
    int64_t kind;
    void (*function)(void);
    kael_tensor *out; /* NULL where each call makes a new one */
    const kael_tensor *a;
    const kael_tensor *b;
    kael_generator *generator;
    int64_t number;
} tensor_call;

__attribute__((visibility("default"))) double time_calls(const tensor_call *call, int64_t repeats);

/* What one call gives; the caller releases it. NULL if it failed. */
__attribute__((visibility("default"))) kael_tensor *result_of_call(const tensor_call *call);

/* The best a loop over f32 arrays can do: out = a, max(a, 0), a + b, a in f64; or reading a. */
enum { STREAM_COPY, STREAM_RELU, STREAM_ADD, STREAM_CAST, STREAM_READ, STREAM_KINDS };

typedef struct stream_loop {
    int64_t kind;
    int64_t past_caches; /* whether it stores past the caches */
    int64_t threads;
    int64_t count;
    const void *a;
    const void *b;
    void *out;
} stream_loop;

__attribute__((visibility("default"))) double time_stream(const stream_loop *loop, int64_t repeats);

/* Allocation and release, with a byte written to each page if `touch`. */
__attribute__((visibility("default"))) double time_malloc(int64_t bytes, int touch,
                                                          int64_t repeats);
__attribute__((visibility("default"))) double time_tensor_empty(int64_t bytes, int touch,
                                                                int64_t repeats);
