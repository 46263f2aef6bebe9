/* The caching allocator. Criterion runs each test in a process of its own, so statistics start at
 * zero. */
#define _GNU_SOURCE /* setenv, barriers */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kael/allocator.h"
#include "memory/block.h"
#include "memory/sanitizer.h"
#include "memory/size_class.h"
#include "memory/system.h"
#include "support/block_exchange.h"

#define KIB INT64_C(1024)
#define MIB (KIB * 1024)
#define GIB (MIB * 1024)

static kael_block allocate(int64_t bytes) {
    kael_block block;
    cr_assert_eq(kael_block_allocate(&block, bytes), KAEL_OK, "%" PRId64 " bytes: %s", bytes,
                 kael_last_error_message());
    return block;
}

static kael_allocator_statistics statistics(void) {
    kael_allocator_statistics now;
    cr_assert_eq(kael_allocator_stats(&now), KAEL_OK);
    cr_assert_eq(now.reserved_bytes, now.in_use_bytes + now.cached_bytes);
    return now;
}

static void expect_bytes(int64_t in_use, int64_t cached, const char *when) {
    const kael_allocator_statistics now = statistics();
    cr_expect_eq(now.in_use_bytes, in_use, "in use %s: %" PRId64 ", not %" PRId64, when,
                 now.in_use_bytes, in_use);
    cr_expect_eq(now.cached_bytes, cached, "cached %s: %" PRId64 ", not %" PRId64, when,
                 now.cached_bytes, cached);
}

static bool same_statistics(kael_allocator_statistics a, kael_allocator_statistics b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

typedef struct capacity_row {
    int64_t bytes;
    int64_t capacity;
} capacity_row;

static const capacity_row capacity_rows[] = {
    {1, 512},           {24, 512},          {511, 512},         {512, 512},
    {513, 1024},        {65024, 65024},     {65025, 65536},     {65536, 65536},
    {65537, 131072},    {131072, 131072},   {131073, 262144},   {1000000, 1048576},
    {4000000, 4194304}, {4194304, 4194304}, {4194305, 8388608},
};

enum { CAPACITY_COUNT = sizeof capacity_rows / sizeof capacity_rows[0] };

Test(Allocator, CapacitiesAreThoseOfTheSizeClasses) {
    for (int i = 0; i < CAPACITY_COUNT; ++i) {
        kael_block block = allocate(capacity_rows[i].bytes);
        cr_expect_eq(block.capacity, capacity_rows[i].capacity, "%" PRId64, capacity_rows[i].bytes);
        kael_block_release(&block);
    }
}

Test(Allocator, ClassesAndCapacitiesAgree) {
    int64_t smaller = 0;
    for (int size_class = 0; size_class < KAEL_SIZE_CLASSES; ++size_class) {
        const int64_t capacity = kael_capacity_of_class(size_class);
        cr_expect_gt(capacity, smaller);
        cr_expect_eq(kael_class_of_capacity(capacity), size_class);
        cr_expect_eq(kael_class_capacity(capacity), capacity);
        cr_expect_eq(kael_class_capacity(smaller + 1), capacity);
        smaller = capacity;
    }
    cr_expect_eq(smaller, KAEL_LARGEST_CAPACITY);
}

Test(Allocator, ZeroBytesStayNull) {
    const kael_allocator_statistics before = statistics();
    kael_block block = {&block, 1};
    cr_assert_eq(kael_block_allocate(&block, 0), KAEL_OK);
    cr_expect_null(block.data);
    cr_expect_eq(block.capacity, 0);
    kael_block_release(&block);
    cr_assert_eq(kael_block_allocate_zeroed(&block, 0), KAEL_OK);
    cr_expect_null(block.data);
    kael_block_release(&block);
    cr_expect(same_statistics(statistics(), before));
}

Test(Allocator, NegativeSizesAreRejected) {
    const int64_t sizes[] = {-1, -512, INT64_MIN};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        kael_block block = {&block, 1};
        cr_expect_eq(kael_block_allocate(&block, sizes[i]), KAEL_ERROR_VALUE);
        cr_expect_null(block.data);
        cr_expect_eq(block.capacity, 0);
    }
}

/* No class holds more than 2^62 bytes, and no machine has that many. */
Test(Allocator, UnrepresentableSizesAreRejected) {
    kael_block kept = allocate(1);
    const kael_allocator_statistics before = statistics();
    const int64_t sizes[] = {KAEL_LARGEST_CAPACITY + 1, INT64_MAX, INT64_MAX - 511,
                             KAEL_LARGEST_CAPACITY, KAEL_LARGEST_CAPACITY / 2 + 1};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        char number[32];
        snprintf(number, sizeof number, "%" PRId64, sizes[i]);
        kael_block block = {&block, 1};
        cr_expect_eq(kael_block_allocate(&block, sizes[i]), KAEL_ERROR_MEMORY);
        cr_expect_null(block.data);
        cr_expect_not_null(strstr(kael_last_error_message(), number), "%s",
                           kael_last_error_message());
        cr_expect(same_statistics(statistics(), before));
    }
    kael_block_release(&kept);
}

Test(Allocator, FailedReservationsChangeNothing) {
    kael_block kept = allocate(100);
    const int64_t sizes[] = {1, 600, 65536, 65537, 3 * MIB};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        kael_empty_cache();
        const kael_allocator_statistics before = statistics();
        kael_block block = {&block, 1};
        kael_system_inject_failures(1, 1000);
        const kael_status status = kael_block_allocate(&block, sizes[i]);
        cr_expect_gt(kael_system_injected_failures(), 0);
        kael_system_inject_failures(0, 0);
        cr_expect_eq(status, KAEL_ERROR_MEMORY);
        cr_expect_null(block.data);
        cr_expect(same_statistics(statistics(), before));
        block = allocate(sizes[i]);
        memset(block.data, 1, (size_t)sizes[i]);
        kael_block_release(&block);
    }
    kael_block_release(&kept);
}

Test(Allocator, BlocksAreAligned) {
    for (int size_class = 0; kael_capacity_of_class(size_class) <= 64 * MIB; ++size_class) {
        const int64_t capacity = kael_capacity_of_class(size_class);
        kael_block block = allocate(capacity);
        cr_expect_eq((uintptr_t)block.data % KAEL_MEMORY_ALIGNMENT, 0, "%" PRId64, capacity);
        memset(block.data, 0xA5, (size_t)kael_class_capacity(1));
        kael_block_release(&block);
    }
}

Test(Allocator, BlocksAreWritableToTheirEnds) {
    for (int64_t bytes = 1; bytes <= 16 * MIB; bytes = bytes * 3 / 2 + 1) {
        kael_block block = allocate(bytes);
        unsigned char *data = block.data;
        data[0] = 1;
        data[bytes - 1] = 2;
        cr_expect_eq(data[bytes - 1], 2);
        kael_block_release(&block);
    }
}

Test(Allocator, ReleasingEmptiesABlock) {
    kael_block block = allocate(1);
    kael_block_release(&block);
    cr_expect_null(block.data);
    cr_expect_eq(block.capacity, 0);
    kael_block_release(&block);
    expect_bytes(0, statistics().cached_bytes, "after releasing twice");
}

Test(Allocator, ZeroedBlocksAreZeroAlsoWhenReused) {
    const int64_t sizes[] = {1, 512, 4096, 65536, 65537, 3 * MIB};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        for (int round = 0; round < 3; ++round) {
            kael_block block;
            cr_assert_eq(kael_block_allocate_zeroed(&block, sizes[i]), KAEL_OK);
            unsigned char *data = block.data;
            int64_t zeros = 0;
            for (int64_t k = 0; k < sizes[i]; ++k) {
                zeros += data[k] == 0;
            }
            cr_expect_eq(zeros, sizes[i]);
            memset(data, 0xFF, (size_t)sizes[i]);
            kael_block_release(&block);
        }
    }
}

Test(Allocator, StatisticsMustNotBeNull) {
    cr_expect_eq(kael_allocator_stats(NULL), KAEL_ERROR_VALUE);
    cr_expect_str_eq(kael_last_error_message(), "statistics must not be NULL");
}

Test(Allocator, MissesAndBytesInUseAreCountedWithoutCachingToo) {
    kael_set_caching_allocator_enabled(false);
    kael_block a = allocate(1);
    kael_block b = allocate(100000);
    expect_bytes(512 + 131072, 0, "with two blocks");
    kael_block_release(&a);
    expect_bytes(131072, 0, "with one block");
    kael_block_release(&b);
    expect_bytes(0, 0, "with none");
    cr_expect_eq(statistics().hits, 0);
    cr_expect_eq(statistics().misses, 2);
}

Test(Allocator, ConcurrentUseKeepsTheBooksBalanced) {
    static block_exchange exchange = {.rounds = 4000};
    pthread_t threads[EXCHANGE_THREADS];
    cr_assert(exchange_start(&exchange, threads));
    exchange_join(threads);
    const kael_allocator_statistics now = statistics();
    cr_expect_eq(now.in_use_bytes, exchange_bytes(&exchange));
    cr_expect_eq(now.hits + now.misses, atomic_load(&exchange.requests));
    cr_expect_eq(atomic_load(&exchange.requests), EXCHANGE_THREADS * exchange.rounds);
    exchange_clear(&exchange);
    cr_expect_eq(statistics().in_use_bytes, 0);
    kael_empty_cache();
    cr_expect_eq(statistics().reserved_bytes, 0);
    cr_expect_eq(atomic_load(&exchange.errors), 0);
}

static void set_environment(const char *value) {
    cr_assert_eq(setenv("KAEL_NO_CACHING_ALLOCATOR", value, 1), 0);
}

Test(Allocator, EnvironmentVariableTurnsCachingOff) {
    set_environment("1");
    cr_expect_not(kael_caching_allocator_enabled());
    kael_block block = allocate(1);
    kael_block_release(&block);
    expect_bytes(0, 0, "without caching");
}

Test(Allocator, AnyValueOfTheEnvironmentVariableCounts) {
    set_environment("0");
    cr_expect_not(kael_caching_allocator_enabled());
}

Test(Allocator, AnEmptyValueOfTheEnvironmentVariableCounts) {
    set_environment("");
    cr_expect_not(kael_caching_allocator_enabled());
}

#if KAEL_MEMORY_SANITIZED

Test(CachingAllocator, SanitizersSeeEveryAllocation) {
    cr_expect_not(kael_caching_allocator_enabled());
    kael_set_caching_allocator_enabled(true);
    cr_expect_not(kael_caching_allocator_enabled());
    kael_block block = allocate(1);
    kael_block_release(&block);
    expect_bytes(0, 0, "after a release");
    cr_expect_eq(statistics().misses, 1);
}

#else

Test(CachingAllocator, IsOnByDefault) {
    cr_expect(kael_caching_allocator_enabled());
}

Test(CachingAllocator, RequestsOfOneClassShareBlocks) {
    for (int i = 0; i < CAPACITY_COUNT; ++i) {
        kael_empty_cache();
        const kael_allocator_statistics before = statistics();
        kael_block block = allocate(capacity_rows[i].bytes);
        void *const first = block.data;
        kael_block_release(&block);
        block = allocate(capacity_rows[i].capacity);
        cr_expect_eq(block.data, first, "%" PRId64, capacity_rows[i].bytes);
        cr_expect_eq(statistics().hits, before.hits + 1);
        cr_expect_eq(statistics().misses, before.misses + 1);
        kael_block_release(&block);
    }
}

Test(CachingAllocator, ClassesDoNotShareBlocks) {
    for (int size_class = 0; kael_capacity_of_class(size_class) < 8 * MIB; ++size_class) {
        kael_empty_cache();
        kael_block block = allocate(kael_capacity_of_class(size_class));
        kael_block_release(&block);
        const int64_t misses = statistics().misses;
        block = allocate(kael_capacity_of_class(size_class) + 1);
        cr_expect_eq(statistics().misses, misses + 1);
        kael_block_release(&block);
    }
}

Test(CachingAllocator, StatisticsFollowEveryStep) {
    kael_block block = allocate(4 * MIB);
    expect_bytes(4 * MIB, 0, "after the first request");
    kael_block_release(&block);
    expect_bytes(0, 4 * MIB, "after its release");
    block = allocate(4 * MIB);
    expect_bytes(4 * MIB, 0, "after the same request");
    kael_block other = allocate(2000);
    expect_bytes(4 * MIB + 2048, 0, "after one of another class");
    kael_block_release(&block);
    expect_bytes(2048, 4 * MIB, "after the release of the first");
    kael_block_release(&other);
    expect_bytes(0, 4 * MIB + 2048, "after both");
    cr_expect_eq(statistics().hits, 1);
    cr_expect_eq(statistics().misses, 2);
}

Test(CachingAllocator, ManyBlocksOfOneClassAreKept) {
    enum { COUNT = 500 };
    kael_block blocks[COUNT];
    for (int round = 1; round <= 3; ++round) {
        for (int i = 0; i < COUNT; ++i) {
            blocks[i] = allocate(300);
            memset(blocks[i].data, i % 256, 300);
        }
        expect_bytes(COUNT * 512, 0, "with all blocks in use");
        for (int i = 0; i < COUNT; ++i) {
            const unsigned char *data = blocks[i].data;
            cr_expect(data[0] == i % 256 && data[299] == i % 256);
            kael_block_release(&blocks[i]);
        }
        expect_bytes(0, COUNT * 512, "with all blocks released");
        cr_expect_eq(statistics().misses, COUNT);
        cr_expect_eq(statistics().hits, COUNT * (round - 1));
    }
}

Test(CachingAllocator, ReusedBlocksStayAligned) {
    for (int size_class = 0; kael_capacity_of_class(size_class) <= 8 * MIB; ++size_class) {
        const int64_t capacity = kael_capacity_of_class(size_class);
        const int64_t alignment = capacity >= 2 * MIB ? 2 * MIB : KAEL_MEMORY_ALIGNMENT;
        for (int round = 0; round < 3; ++round) {
            kael_block block = allocate(capacity);
            cr_expect_eq((uintptr_t)block.data % (uintptr_t)alignment, 0, "%" PRId64, capacity);
            kael_block_release(&block);
        }
    }
}

Test(CachingAllocator, EmptyCacheGivesEveryBlockBack) {
    kael_block blocks[] = {allocate(1), allocate(5000), allocate(70000), allocate(3 * MIB)};
    kael_block kept = allocate(1000);
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; ++i) {
        kael_block_release(&blocks[i]);
    }
    cr_expect_gt(statistics().cached_bytes, 0);
    kael_empty_cache();
    expect_bytes(1024, 0, "after emptying");
    kael_block_release(&kept);
    expect_bytes(0, 1024, "after releasing the last block");
    kael_empty_cache();
    kael_empty_cache();
    expect_bytes(0, 0, "after emptying twice");
}

Test(CachingAllocator, HugeBlocksAreNotKeptWhenOverTheLimit) {
    kael_block block = allocate(GIB + 1);
    cr_expect_eq(block.capacity, 2 * GIB);
    kael_block_release(&block);
    expect_bytes(0, 0, "after releasing more than the limit");
}

Test(CachingAllocator, TheLimitIsOneGibibyteOfAllBlocks) {
    kael_block large = allocate(GIB);
    kael_block half = allocate(GIB / 2);
    kael_block small = allocate(512);
    kael_block other_small = allocate(512);
    kael_block_release(&large);
    expect_bytes(GIB / 2 + 1024, GIB, "at the limit");
    kael_block_release(&half);
    kael_block_release(&small);
    expect_bytes(512, GIB, "after releases beyond the limit");
    large = allocate(GIB);
    kael_block_release(&other_small);
    expect_bytes(GIB, 512, "below the limit again");
    kael_block_release(&large);
    expect_bytes(0, 512, "after a release that would go 512 bytes beyond the limit");
}

Test(CachingAllocator, DisablingMidLifeDropsTheCacheAndKeepsBlocksUsable) {
    kael_block cached = allocate(1000);
    kael_block live = allocate(2000);
    memset(live.data, 7, 2000);
    kael_block_release(&cached);
    kael_set_caching_allocator_enabled(false);
    cr_expect_not(kael_caching_allocator_enabled());
    expect_bytes(2048, 0, "after disabling");
    cr_expect_eq(((unsigned char *)live.data)[1999], 7);
    kael_block_release(&live);
    expect_bytes(0, 0, "after a release while disabled");
    live = allocate(2000);
    kael_set_caching_allocator_enabled(true);
    cr_expect(kael_caching_allocator_enabled());
    kael_block_release(&live);
    expect_bytes(0, 2048, "after enabling and a release");
    cr_expect_eq(statistics().hits, 0);
}

Test(CachingAllocator, AFailureGivesTheCacheBackAndTriesAgain) {
    kael_block block = allocate(3 * MIB);
    kael_block_release(&block);
    kael_system_inject_failures(1, 1);
    block = allocate(5 * MIB);
    cr_expect_eq(kael_system_injected_failures(), 1);
    expect_bytes(8 * MIB, 0, "after the second try");
    kael_block_release(&block);
}

typedef struct meeting {
    pthread_barrier_t barrier;
    int64_t hits_at_the_end;
} meeting;

static void *cache_then_wait(void *argument) {
    meeting *with_main = argument;
    for (int round = 0; round < 2; ++round) {
        kael_block block = allocate(100);
        kael_block_release(&block);
        block = allocate(100);
        kael_block_release(&block);
        pthread_barrier_wait(&with_main->barrier);
        pthread_barrier_wait(&with_main->barrier);
    }
    return NULL;
}

Test(CachingAllocator, EmptyCacheReachesWhatOtherThreadsKeep) {
    meeting with_thread;
    pthread_barrier_init(&with_thread.barrier, NULL, 2);
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, cache_then_wait, &with_thread), 0);
    for (int round = 0; round < 2; ++round) {
        pthread_barrier_wait(&with_thread.barrier);
        expect_bytes(0, 512, "while another thread keeps a block");
        kael_empty_cache();
        expect_bytes(0, 0, "after emptying");
        pthread_barrier_wait(&with_thread.barrier);
    }
    cr_assert_eq(pthread_join(thread, NULL), 0);
    cr_expect_eq(statistics().misses, 2);
    cr_expect_eq(statistics().hits, 2);
}

static void *allocate_and_release(void *argument) {
    kael_block block = allocate(*(const int64_t *)argument);
    kael_block_release(&block);
    return NULL;
}

Test(CachingAllocator, BlocksOfEndedThreadsAreUsedAgain) {
    const int64_t bytes = 100;
    for (int i = 0; i < 50; ++i) {
        pthread_t thread;
        cr_assert_eq(pthread_create(&thread, NULL, allocate_and_release, (void *)(uintptr_t)&bytes),
                     0);
        cr_assert_eq(pthread_join(thread, NULL), 0);
    }
    expect_bytes(0, 512, "after all threads");
    cr_expect_eq(statistics().misses, 1);
    kael_empty_cache();
    expect_bytes(0, 0, "after emptying");
}

static void *release_block(void *block) {
    kael_block_release(block);
    return NULL;
}

Test(CachingAllocator, BlocksMayBeReleasedByOtherThreads) {
    for (int i = 0; i < 100; ++i) {
        kael_block block = allocate(100);
        pthread_t thread;
        cr_assert_eq(pthread_create(&thread, NULL, release_block, &block), 0);
        cr_assert_eq(pthread_join(thread, NULL), 0);
    }
    cr_expect_eq(statistics().in_use_bytes, 0);
    cr_expect_leq(statistics().reserved_bytes, 100 * 512);
}

static void touch(kael_block *block, int64_t bytes) {
    ((char *)block->data)[0] = 1;
    ((char *)block->data)[bytes - 1] = 1;
}

static void expect_bounded(int64_t live_peak) {
    cr_assert_leq(statistics().reserved_bytes, live_peak + GIB);
}

Test(CachingAllocator, K54_GrowthIsBoundedAndGivenBack) {
    for (int64_t bytes = MIB; bytes <= 512 * MIB; bytes = bytes * 3 / 2) {
        kael_block block = allocate(bytes);
        touch(&block, bytes);
        kael_block_release(&block);
        expect_bounded(kael_class_capacity(512 * MIB));
    }
    uint64_t state = 54;
    for (int i = 0; i < 10000; ++i) {
        const int64_t bytes = MIB + (int64_t)(next_random(&state) % (uint64_t)(3 * MIB + 1));
        kael_block block = allocate(bytes);
        touch(&block, bytes);
        kael_block_release(&block);
        expect_bounded(4 * MIB);
    }
    kael_empty_cache();
    expect_bytes(0, 0, "at the end");
}

#endif
