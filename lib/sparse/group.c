/* From compressed slices to value-compressed ones: a hash table finds the distinct values of a
 * slice, which are sorted; a counting sort then moves the indices to their groups. */
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "kael/parallel.h"
#include "kernels/vectorize.h"
#include "memory/block.h"
#include "sparse/compressed.h"
#include "sparse/value_order.h"

enum {
    MOST_CHUNKS = 16,
    CHUNK_ENTRIES = 65536, /* the fewest that are worth a chunk of their own */
    SHORT_SORT = 32
};

/* A distinct value of the slice at hand. */
typedef struct distinct_value {
    uint64_t bits;
    int64_t count; /* then the place of its next index */
    int64_t slot;  /* of the hash table */
} distinct_value;

typedef struct sort_item {
    uint64_t key;
    int64_t id;
} sort_item;

/* What one chunk of slices works with. */
typedef struct chunk_memory {
    int64_t first; /* slices [first, last) */
    int64_t last;
    int64_t longest;
    int64_t table_size; /* a power of two, at least twice the longest slice */
    int64_t *table;     /* 1 + the id of the value in a slot, 0 in empty ones */
    distinct_value *distinct;
    sort_item *items;
    int64_t *ids; /* of the entries of the slice at hand */
} chunk_memory;

typedef struct group_job {
    const int64_t *ptr;
    const void *indices;
    int64_t index_size;
    const void *values;
    int64_t value_size;
    kael_value_order order;
    chunk_memory chunks[MOST_CHUNKS];
    int64_t *major_ptr;
    void *out_indices;
    /* The groups of each chunk, from the place of its first entry on. */
    void *found_values;
    int64_t *found_counts;
    void *out_values;
    int64_t *value_ptr;
} group_job;

static void sift_down(sort_item *items, int64_t root, int64_t count) {
    const sort_item item = items[root];
    for (int64_t child = 2 * root + 1; child < count; child = 2 * root + 1) {
        child += child + 1 < count && items[child].key < items[child + 1].key;
        if (item.key >= items[child].key) {
            break;
        }
        items[root] = items[child];
        root = child;
    }
    items[root] = item;
}

static void heap_sort(sort_item *items, int64_t count) {
    for (int64_t root = count / 2 - 1; root >= 0; --root) {
        sift_down(items, root, count);
    }
    for (int64_t last = count - 1; last > 0; --last) {
        const sort_item largest = items[0];
        items[0] = items[last];
        items[last] = largest;
        sift_down(items, 0, last);
    }
}

static void insertion_sort(sort_item *items, int64_t count) {
    for (int64_t i = 1; i < count; ++i) {
        const sort_item item = items[i];
        int64_t at = i;
        for (; at > 0 && items[at - 1].key > item.key; --at) {
            items[at] = items[at - 1];
        }
        items[at] = item;
    }
}

static inline uint64_t hash_bits(uint64_t bits) {
    const uint64_t product = bits * UINT64_C(0x9e3779b97f4a7c15);
    return product ^ (product >> 32);
}

/* Numbers the distinct values in the order in which they appear; returns how many there are. */
static KAEL_ALWAYS_INLINE int64_t find_distinct(const chunk_memory *chunk, const void *values,
                                                int64_t begin, int64_t end, int64_t value_size) {
    const int64_t mask = chunk->table_size - 1;
    int64_t found = 0;
    for (int64_t i = begin; i < end; ++i) {
        const uint64_t bits = kael_load_bits(values, i, value_size);
        int64_t slot = (int64_t)hash_bits(bits) & mask;
        int64_t id = chunk->table[slot] - 1;
        while (id >= 0 && chunk->distinct[id].bits != bits) {
            slot = (slot + 1) & mask;
            id = chunk->table[slot] - 1;
        }
        if (id < 0) {
            id = found++;
            chunk->table[slot] = found;
            chunk->distinct[id] = (distinct_value){bits, 0, slot};
        }
        chunk->distinct[id].count += 1;
        chunk->ids[i - begin] = id;
    }
    return found;
}

static int64_t find_distinct_by_size(const group_job *job, const chunk_memory *chunk, int64_t begin,
                                     int64_t end) {
    switch (job->value_size) {
    case 1:
        return find_distinct(chunk, job->values, begin, end, 1);
    case 2:
        return find_distinct(chunk, job->values, begin, end, 2);
    case 4:
        return find_distinct(chunk, job->values, begin, end, 4);
    default:
        return find_distinct(chunk, job->values, begin, end, 8);
    }
}

static KAEL_ALWAYS_INLINE void move_indices(const group_job *job, const chunk_memory *chunk,
                                            int64_t begin, int64_t end, int64_t index_size) {
    for (int64_t i = begin; i < end; ++i) {
        const int64_t place = chunk->distinct[chunk->ids[i - begin]].count++;
        kael_store_index(job->out_indices, place, index_size,
                         kael_load_index(job->indices, i, index_size));
    }
}

/* Writes the groups of one slice behind the `groups` ones that the chunk has; returns how many. */
static int64_t group_slice(const group_job *job, const chunk_memory *chunk, int64_t slice,
                           int64_t groups) {
    const int64_t begin = job->ptr[slice];
    const int64_t end = job->ptr[slice + 1];
    const int64_t count = find_distinct_by_size(job, chunk, begin, end);
    for (int64_t id = 0; id < count; ++id) {
        chunk->items[id] = (sort_item){kael_value_key(&job->order, chunk->distinct[id].bits), id};
        chunk->table[chunk->distinct[id].slot] = 0;
    }
    (count <= SHORT_SORT ? insertion_sort : heap_sort)(chunk->items, count);
    int64_t place = begin;
    for (int64_t rank = 0; rank < count; ++rank) {
        distinct_value *value = &chunk->distinct[chunk->items[rank].id];
        kael_store_bits(job->found_values, groups + rank, job->value_size, value->bits);
        job->found_counts[groups + rank] = value->count;
        const int64_t next = place + value->count;
        value->count = place;
        place = next;
    }
    if (job->index_size == 4) {
        move_indices(job, chunk, begin, end, 4);
    } else {
        move_indices(job, chunk, begin, end, 8);
    }
    return count;
}

static kael_status group_chunks(int64_t first, int64_t last, void *context) {
    const group_job *job = context;
    for (int64_t c = first; c < last; ++c) {
        const chunk_memory *chunk = &job->chunks[c];
        memset(chunk->table, 0, (size_t)chunk->table_size * sizeof *chunk->table);
        int64_t groups = job->ptr[chunk->first];
        for (int64_t slice = chunk->first; slice < chunk->last; ++slice) {
            job->major_ptr[slice + 1] = group_slice(job, chunk, slice, groups);
            groups += job->major_ptr[slice + 1];
        }
    }
    return KAEL_OK;
}

static kael_status gather_chunks(int64_t first, int64_t last, void *context) {
    const group_job *job = context;
    for (int64_t c = first; c < last; ++c) {
        const chunk_memory *chunk = &job->chunks[c];
        const int64_t to = job->major_ptr[chunk->first];
        const int64_t count = job->major_ptr[chunk->last] - to;
        const int64_t from = job->ptr[chunk->first];
        if (count > 0) {
            memcpy((char *)job->out_values + to * job->value_size,
                   (const char *)job->found_values + from * job->value_size,
                   (size_t)(count * job->value_size));
        }
        int64_t place = from;
        for (int64_t group = 0; group < count; ++group) {
            job->value_ptr[to + group] = place;
            place += job->found_counts[from + group];
        }
    }
    return KAEL_OK;
}

/* Cuts the slices into chunks and tells how much memory they work with; 0 bytes on overflow. */
static int64_t plan_chunks(group_job *job, int64_t count, int64_t major) {
    int64_t bytes = 0;
    for (int64_t c = 0; c < count; ++c) {
        chunk_memory *chunk = &job->chunks[c];
        chunk->first = kael_slice_of_piece(job->ptr, major, c, count);
        chunk->last = kael_slice_of_piece(job->ptr, major, c + 1, count);
        for (int64_t slice = chunk->first; slice < chunk->last; ++slice) {
            chunk->longest = kael_max_i64(chunk->longest, job->ptr[slice + 1] - job->ptr[slice]);
        }
        chunk->table_size = 64;
        while (chunk->table_size < 2 * chunk->longest) {
            chunk->table_size *= 2;
        }
        bytes += chunk->table_size * (int64_t)sizeof *chunk->table +
                 chunk->longest *
                     (int64_t)(sizeof *chunk->distinct + sizeof *chunk->items + sizeof *chunk->ids);
    }
    return bytes;
}

static void divide_memory(group_job *job, int64_t count, char *memory) {
    for (int64_t c = 0; c < count; ++c) {
        chunk_memory *chunk = &job->chunks[c];
        chunk->table = (int64_t *)(void *)memory;
        memory += chunk->table_size * (int64_t)sizeof *chunk->table;
        chunk->distinct = (distinct_value *)(void *)memory;
        memory += chunk->longest * (int64_t)sizeof *chunk->distinct;
        chunk->items = (sort_item *)(void *)memory;
        memory += chunk->longest * (int64_t)sizeof *chunk->items;
        chunk->ids = (int64_t *)(void *)memory;
        memory += chunk->longest * (int64_t)sizeof *chunk->ids;
    }
}

/* The groups per slice become pointers. */
static void sum_groups(int64_t *major_ptr, int64_t major) {
    major_ptr[0] = 0;
    for (int64_t slice = 0; slice < major; ++slice) {
        major_ptr[slice + 1] += major_ptr[slice];
    }
}

static kael_status group_in(kael_vcs_arrays *arrays, group_job *job, kael_block blocks[3],
                            const kael_compressed *slices) {
    const int64_t entries = kael_tensor_numel(slices->indices);
    const int64_t major = slices->major;
    const int64_t count = kael_max_i64(1, kael_min_i64(entries / CHUNK_ENTRIES, MOST_CHUNKS));
    KAEL_TRY(kael_array_create(&arrays->major_ptr, KAEL_I64, major + 1));
    KAEL_TRY(kael_array_create(&arrays->indices, kael_tensor_dtype(slices->indices), entries));
    KAEL_TRY(kael_block_allocate(&blocks[0], plan_chunks(job, count, major)));
    KAEL_TRY(kael_block_allocate(&blocks[1], entries * job->value_size));
    KAEL_TRY(kael_block_allocate(&blocks[2], entries * (int64_t)sizeof(int64_t)));
    divide_memory(job, count, blocks[0].data);
    job->found_values = blocks[1].data;
    job->found_counts = blocks[2].data;
    job->major_ptr = kael_tensor_data(arrays->major_ptr);
    job->out_indices = kael_tensor_data(arrays->indices);
    KAEL_TRY(kael_parallel_for(0, count, 1, group_chunks, job));
    sum_groups(job->major_ptr, major);
    const int64_t groups = job->major_ptr[major];
    KAEL_TRY(kael_array_create(&arrays->values, kael_tensor_dtype(slices->values), groups));
    KAEL_TRY(kael_array_create(&arrays->value_ptr, KAEL_I64, groups + 1));
    job->out_values = kael_tensor_data(arrays->values);
    job->value_ptr = kael_tensor_data(arrays->value_ptr);
    job->value_ptr[groups] = entries;
    return kael_parallel_for(0, count, 1, gather_chunks, job);
}

kael_status kael_vcs_group(kael_vcs **out, kael_vcs_orientation orientation,
                           const kael_compressed *slices) {
    const kael_dtype dtype = kael_tensor_dtype(slices->values);
    group_job job = {
        .ptr = kael_tensor_data(slices->ptr),
        .indices = kael_tensor_data(slices->indices),
        .index_size = kael_dtype_size(kael_tensor_dtype(slices->indices)),
        .values = kael_tensor_data(slices->values),
        .value_size = kael_dtype_size(dtype),
        .order = kael_value_order_of(dtype),
    };
    kael_vcs_arrays arrays = {0};
    kael_block blocks[3] = {0};
    const kael_status status = group_in(&arrays, &job, blocks, slices);
    for (int i = 0; i < 3; ++i) {
        kael_block_release(&blocks[i]);
    }
    if (status != KAEL_OK) {
        kael_vcs_arrays_release(&arrays);
        return status;
    }
    return kael_vcs_create(out, orientation, slices->major, slices->minor, &arrays);
}
