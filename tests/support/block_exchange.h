/* Threads that take blocks, mark them, hand them to each other through slots, and check on release
 * that nobody else has written to them; meanwhile caches are emptied and statistics read. */
#ifndef KAEL_TESTS_BLOCK_EXCHANGE_H
#define KAEL_TESTS_BLOCK_EXCHANGE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "kael/allocator.h"
#include "memory/block.h"

enum { EXCHANGE_THREADS = 6, EXCHANGE_SLOTS = 64 };

typedef struct marked_block {
    kael_block block;
    int64_t bytes;
    unsigned char mark;
} marked_block;

typedef struct block_exchange {
    int64_t rounds;   /* of each thread */
    atomic_bool stop; /* ends the threads before */
    atomic_llong next_seed;
    atomic_llong requests; /* that were served */
    atomic_llong errors;   /* damaged blocks, failed requests, unbalanced books */
    _Atomic(marked_block *) slots[EXCHANGE_SLOTS];
} block_exchange;

static inline uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static inline bool books_balance(void) {
    kael_allocator_statistics now;
    return kael_allocator_stats(&now) == KAEL_OK && now.in_use_bytes >= 0 &&
           now.cached_bytes >= 0 && now.reserved_bytes == now.in_use_bytes + now.cached_bytes;
}

static inline void exchange_release(block_exchange *exchange, marked_block *marked) {
    if (marked == NULL) {
        return;
    }
    const unsigned char *data = marked->block.data;
    if (data[0] != marked->mark || data[marked->bytes - 1] != marked->mark) {
        atomic_fetch_add(&exchange->errors, 1);
    }
    kael_block_release(&marked->block);
    free(marked);
}

static inline void exchange_one(block_exchange *exchange, uint64_t random) {
    marked_block *marked = malloc(sizeof *marked);
    const uint64_t range = random % 16 == 0 ? 256 * 1024 : 5000;
    const int64_t bytes = (int64_t)(random / 16 % range) + 1;
    if (marked == NULL || kael_block_allocate(&marked->block, bytes) != KAEL_OK) {
        atomic_fetch_add(&exchange->errors, 1);
        free(marked);
        return;
    }
    atomic_fetch_add(&exchange->requests, 1);
    marked->bytes = bytes;
    marked->mark = (unsigned char)(random >> 32);
    unsigned char *data = marked->block.data;
    data[0] = marked->mark;
    data[bytes - 1] = marked->mark;
    exchange_release(exchange,
                     atomic_exchange(&exchange->slots[(random >> 40) % EXCHANGE_SLOTS], marked));
}

static inline void *exchange_in_thread(void *argument) {
    block_exchange *exchange = argument;
    uint64_t state = (uint64_t)atomic_fetch_add(&exchange->next_seed, 1) + 1;
    state *= UINT64_C(0x9E3779B97F4A7C15);
    for (int64_t round = 0; round < exchange->rounds && !atomic_load(&exchange->stop); ++round) {
        const uint64_t random = next_random(&state);
        exchange_one(exchange, random);
        if (random % 512 == 0) {
            kael_empty_cache();
        }
        if (random % 64 == 1 && !books_balance()) {
            atomic_fetch_add(&exchange->errors, 1);
        }
    }
    return NULL;
}

/* Starts the threads; false if one could not be started. */
static inline bool exchange_start(block_exchange *exchange, pthread_t threads[EXCHANGE_THREADS]) {
    for (int i = 0; i < EXCHANGE_THREADS; ++i) {
        if (pthread_create(&threads[i], NULL, exchange_in_thread, exchange) != 0) {
            return false;
        }
    }
    return true;
}

static inline void exchange_join(const pthread_t threads[EXCHANGE_THREADS]) {
    for (int i = 0; i < EXCHANGE_THREADS; ++i) {
        pthread_join(threads[i], NULL);
    }
}

/* The bytes of the blocks that wait in slots, once the threads have ended. */
static inline int64_t exchange_bytes(block_exchange *exchange) {
    int64_t bytes = 0;
    for (int i = 0; i < EXCHANGE_SLOTS; ++i) {
        const marked_block *marked = atomic_load(&exchange->slots[i]);
        bytes += marked != NULL ? marked->block.capacity : 0;
    }
    return bytes;
}

static inline void exchange_clear(block_exchange *exchange) {
    for (int i = 0; i < EXCHANGE_SLOTS; ++i) {
        exchange_release(exchange, atomic_exchange(&exchange->slots[i], NULL));
    }
}

#endif
