#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>

#include "kael/parallel.h"
#include "parallel/thread_environment.h"

static void expect_message(const char *message) {
    cr_assert_str_eq(kael_last_error_message(), message);
}

static int64_t thread_count(void) {
    int64_t count = 0;
    cr_assert_eq(kael_get_num_threads(&count), KAEL_OK);
    return count;
}

Test(ParallelConfig, AcceptsCountsOfTheRange) {
    static const int64_t counts[] = {1, 2, 3, 64, 1023, KAEL_MAX_THREADS};
    cr_assert_eq(KAEL_MAX_THREADS, 1024);
    for (int i = 0; i < 6; ++i) {
        cr_assert_eq(kael_set_num_threads(counts[i]), KAEL_OK);
        cr_assert_eq(thread_count(), counts[i]);
    }
}

Test(ParallelConfig, RejectsCountsOutsideTheRange) {
    static const int64_t counts[] = {
        0, -1, 1025, 100000, INT64_C(1) << 32, (INT64_C(1) << 32) + 1, INT64_MAX, INT64_MIN};
    cr_assert_eq(kael_set_num_threads(3), KAEL_OK);
    for (int i = 0; i < 8; ++i) {
        cr_assert_eq(kael_set_num_threads(counts[i]), KAEL_ERROR_VALUE);
        char message[128];
        snprintf(message, sizeof message, "count must be between 1 and 1024, got %lld",
                 (long long)counts[i]);
        expect_message(message);
        cr_assert_eq(thread_count(), 3);
    }
}

Test(ParallelConfig, CountNeedsAPlace) {
    cr_assert_eq(kael_get_num_threads(NULL), KAEL_ERROR_VALUE);
    expect_message("count must not be NULL");
}

typedef struct call_count {
    int calls;
    int64_t first;
    int64_t last;
} call_count;

static kael_status count_call(int64_t first, int64_t last, void *context) {
    call_count *const count = context;
    ++count->calls;
    count->first = first;
    count->last = last;
    return KAEL_OK;
}

Test(ParallelConfig, OneThreadRunsTheWholeRangeInOneCall) {
    call_count count = {.calls = 0};
    cr_assert_eq(kael_set_num_threads(1), KAEL_OK);
    cr_assert_eq(kael_parallel_for(3, 1000000, 1, count_call, &count), KAEL_OK);
    cr_assert_eq(count.calls, 1);
    cr_assert_eq(count.first, 3);
    cr_assert_eq(count.last, 1000000);
}

Test(ParallelConfig, EmptyRangeCallsNothing) {
    static const int64_t ranges[][2] = {{0, 0}, {5, 5}, {5, 4}, {INT64_MAX, INT64_MIN}};
    call_count count = {.calls = 0};
    for (int i = 0; i < 4; ++i) {
        const kael_status status =
            kael_parallel_for(ranges[i][0], ranges[i][1], 1, count_call, &count);
        cr_assert_eq(status, KAEL_OK);
    }
    cr_assert_eq(count.calls, 0);
}

Test(ParallelConfig, NonPositiveGrainIsAnError) {
    static const int64_t grains[] = {0, -1, INT64_MIN};
    static const int64_t ends[] = {-5, 0, 1, 1000};
    call_count count = {.calls = 0};
    for (int g = 0; g < 3; ++g) {
        for (int e = 0; e < 4; ++e) {
            const kael_status status = kael_parallel_for(0, ends[e], grains[g], count_call, &count);
            cr_assert_eq(status, KAEL_ERROR_VALUE);
            char message[128];
            snprintf(message, sizeof message, "grain must be positive, got %lld",
                     (long long)grains[g]);
            expect_message(message);
        }
    }
    cr_assert_eq(count.calls, 0);
}

Test(ParallelConfig, MissingBodyIsAnError) {
    cr_assert_eq(kael_parallel_for(0, 10, 1, NULL, NULL), KAEL_ERROR_VALUE);
    expect_message("body must not be NULL");
    cr_assert_eq(kael_parallel_for(0, 0, 1, NULL, NULL), KAEL_ERROR_VALUE);
}

Test(ParallelConfig, OverlongRangeIsAnError) {
    static const int64_t ranges[][2] = {{INT64_MIN, INT64_MAX}, {-1, INT64_MAX}, {INT64_MIN, 0}};
    call_count count = {.calls = 0};
    for (int i = 0; i < 3; ++i) {
        const kael_status status =
            kael_parallel_for(ranges[i][0], ranges[i][1], 1, count_call, &count);
        cr_assert_eq(status, KAEL_ERROR_VALUE);
    }
    expect_message("range [-9223372036854775808, 0) is longer than an int64_t counts");
    cr_assert_eq(count.calls, 0);
}

/* `count` 0: malformed. */
typedef struct setting {
    const char *text;
    int count;
} setting;

Test(ParallelConfig, KaelNumThreadsIsReadStrictly) {
    static const setting settings[] = {
        {"1", 1},
        {"4", 4},
        {"1024", 1024},
        {"007", 7},
        {"", 0},
        {" ", 0},
        {" 4", 0},
        {"4 ", 0},
        {"4\n", 0},
        {"+4", 0},
        {"-4", 0},
        {"-2", 0},
        {"0", 0},
        {"00", 0},
        {"1025", 0},
        {"100000", 0},
        {"4x", 0},
        {"0x4", 0},
        {"x4", 0},
        {"abc", 0},
        {"4.0", 0},
        {"4e0", 0},
        {"4,2", 0},
        {"auto", 0},
        {"\xd9\xa4", 0},
        {"4294967297", 0},
        {"18446744073709551617", 0},
        {"99999999999999999999999999999999999999", 0},
        {"true", 0},
    };
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; ++i) {
        int count = -1;
        const bool good = kael_parse_num_threads(settings[i].text, &count);
        cr_assert_eq(good, settings[i].count != 0, "\"%s\"", settings[i].text);
        cr_assert(!good || count == settings[i].count);
    }
}

Test(ParallelConfig, OmpNumThreadsIsReadAsRuntimesDo) {
    static const setting settings[] = {
        {"4", 4},       {" 4 ", 4},     {"\t4\n", 4},   {"4,2", 4},
        {"4 , 2,1", 4}, {"1025", 1024}, {"5000", 1024}, {"99999999999999999999", 1024},
        {"2,99999", 2}, {"016", 16},    {"", 0},        {" ", 0},
        {"0", 0},       {"4,0", 0},     {"0,4", 0},     {"-1", 0},
        {"+4", 0},      {"4x", 0},      {"4,", 0},      {",4", 0},
        {"4,,2", 0},    {"4,x", 0},     {"4 2", 0},     {"four", 0},
        {"4;2", 0},
    };
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; ++i) {
        int count = -1;
        const bool good = kael_parse_omp_num_threads(settings[i].text, &count);
        cr_assert_eq(good, settings[i].count != 0, "\"%s\"", settings[i].text);
        cr_assert(!good || count == settings[i].count);
    }
}

Test(ParallelConfig, StackSizesAreReadAsRuntimesDo) {
    static const struct {
        const char *text;
        bool good;
        size_t size;
    } settings[] = {
        {"0", true, 0},
        {"1", true, 1024},
        {"64k", true, 65536},
        {"64K", true, 65536},
        {"3b", true, 3},
        {"3B", true, 3},
        {"2M", true, 2 << 20},
        {" 2 m ", true, 2 << 20},
        {"1g", true, 1 << 30},
        {"+5b", true, 5},
        {"", false, 0},
        {"  ", false, 0},
        {"64X", false, 0},
        {"64kk", false, 0},
        {"k64", false, 0},
        {"6 4k", false, 0},
        {"4 k x", false, 0},
        {"-1", false, 0},
        {"99999999999999999999", false, 0},
        {"18014398509481984", false, 0},
        {"18014398509481983", true, SIZE_MAX - 1023},
        {"17179869184G", false, 0},
        {"64G", true, (size_t)64 << 30},
    };
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; ++i) {
        size_t size = 7;
        const bool good = kael_parse_stack_size(settings[i].text, &size);
        cr_expect(good == settings[i].good, "'%s'", settings[i].text);
        cr_expect(size == (settings[i].good ? settings[i].size : 7), "'%s': %zu", settings[i].text,
                  size);
    }
}
