/* Compressed slices and their transposition. */
#include "sparse/compressed.h"

#include <inttypes.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "kael/parallel.h"
#include "kernels/vectorize.h"
#include "memory/block.h"

void kael_compressed_release(kael_compressed *compressed) {
    kael_tensor_release(compressed->ptr);
    kael_tensor_release(compressed->indices);
    kael_tensor_release(compressed->values);
    *compressed = (kael_compressed){0};
}

static kael_status create_arrays(kael_compressed *out, kael_dtype dtype, int64_t entries) {
    KAEL_TRY(kael_array_create(&out->ptr, KAEL_I64, out->major + 1));
    KAEL_TRY(kael_array_create(&out->indices, kael_index_dtype(out->minor), entries));
    return kael_array_create(&out->values, dtype, entries);
}

kael_status kael_compressed_create(kael_compressed *out, int64_t major, int64_t minor,
                                   kael_dtype dtype, int64_t entries) {
    *out = (kael_compressed){.major = major, .minor = minor};
    const kael_status status = create_arrays(out, dtype, entries);
    if (status != KAEL_OK) {
        kael_compressed_release(out);
    }
    return status;
}

int64_t kael_find_slice(const int64_t *ptr, int64_t count, int64_t entry) {
    int64_t low = 0;
    int64_t high = count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (ptr[middle] < entry) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* floor(entries * piece / pieces) without overflow. */
static int64_t share(int64_t entries, int64_t piece, int64_t pieces) {
    return entries / pieces * piece + entries % pieces * piece / pieces;
}

int64_t kael_slice_of_piece(const int64_t *ptr, int64_t major, int64_t piece, int64_t pieces) {
    if (piece == 0 || piece == pieces) {
        return piece == 0 ? 0 : major;
    }
    return kael_find_slice(ptr, major, share(ptr[major], piece, pieces));
}

/* ---- Transposition: a counting sort whose parts run in parallel ---- */

enum { MOST_PARTS = 16 };

typedef struct transpose_job {
    const int64_t *ptr;
    int64_t major;
    int64_t minor;
    int64_t entries;
    int64_t parts;
    const void *indices;
    int64_t index_size;
    const void *values;
    int64_t value_size;
    int64_t *places; /* of each part, one per new slice: counts, then where the next entry goes */
    void *out_indices;
    int64_t out_index_size;
    void *out_values;
} transpose_job;

static kael_status count_parts(int64_t first, int64_t last, void *context) {
    const transpose_job *job = context;
    for (int64_t part = first; part < last; ++part) {
        int64_t *counts = job->places + part * job->minor;
        const int64_t end = share(job->entries, part + 1, job->parts);
        memset(counts, 0, (size_t)job->minor * sizeof *counts);
        for (int64_t i = share(job->entries, part, job->parts); i < end; ++i) {
            ++counts[kael_load_index(job->indices, i, job->index_size)];
        }
    }
    return KAEL_OK;
}

static void place_parts(const transpose_job *job, int64_t *out_ptr) {
    int64_t place = 0;
    for (int64_t slice = 0; slice < job->minor; ++slice) {
        out_ptr[slice] = place;
        for (int64_t part = 0; part < job->parts; ++part) {
            int64_t *at = &job->places[part * job->minor + slice];
            const int64_t count = *at;
            *at = place;
            place += count;
        }
    }
    out_ptr[job->minor] = place;
}

static KAEL_ALWAYS_INLINE void move_part(const transpose_job *job, int64_t part, int64_t index_size,
                                         int64_t out_index_size, int64_t value_size) {
    const int64_t *ptr = job->ptr;
    int64_t *places = job->places + part * job->minor;
    const int64_t end = share(job->entries, part + 1, job->parts);
    int64_t i = share(job->entries, part, job->parts);
    int64_t slice = kael_find_slice(ptr, job->major, i + 1) - 1;
    for (; i < end; ++slice) {
        const int64_t stop = kael_min_i64(ptr[slice + 1], end);
        for (; i < stop; ++i) {
            const int64_t place = places[kael_load_index(job->indices, i, index_size)]++;
            kael_store_index(job->out_indices, place, out_index_size, slice);
            kael_store_bits(job->out_values, place, value_size,
                            kael_load_bits(job->values, i, value_size));
        }
    }
}

static KAEL_ALWAYS_INLINE void move_part_by_value(const transpose_job *job, int64_t part,
                                                  int64_t index_size, int64_t out_index_size) {
    switch (job->value_size) {
    case 1:
        move_part(job, part, index_size, out_index_size, 1);
        break;
    case 2:
        move_part(job, part, index_size, out_index_size, 2);
        break;
    case 4:
        move_part(job, part, index_size, out_index_size, 4);
        break;
    default:
        move_part(job, part, index_size, out_index_size, 8);
        break;
    }
}

static kael_status move_parts(int64_t first, int64_t last, void *context) {
    const transpose_job *job = context;
    for (int64_t part = first; part < last; ++part) {
        if (job->index_size == 4 && job->out_index_size == 4) {
            move_part_by_value(job, part, 4, 4);
        } else {
            move_part_by_value(job, part, job->index_size, job->out_index_size);
        }
    }
    return KAEL_OK;
}

static kael_status run_transpose(transpose_job *job, int64_t *out_ptr) {
    int64_t bytes;
    if (!kael_checked_multiply(job->parts * (int64_t)sizeof(int64_t), job->minor, &bytes)) {
        return kael_error(KAEL_ERROR_MEMORY, "cannot count slices: %" PRId64 " are too many",
                          job->minor);
    }
    kael_block block;
    KAEL_TRY(kael_block_allocate(&block, bytes));
    job->places = block.data;
    kael_status status = KAEL_OK;
    if (job->minor > 0) {
        status = kael_parallel_for(0, job->parts, 1, count_parts, job);
    }
    if (status == KAEL_OK) {
        place_parts(job, out_ptr);
        status = job->entries > 0 ? kael_parallel_for(0, job->parts, 1, move_parts, job) : KAEL_OK;
    }
    kael_block_release(&block);
    return status;
}

kael_status kael_compressed_transpose(kael_compressed *out, const kael_compressed *in) {
    const kael_dtype dtype = kael_tensor_dtype(in->values);
    const int64_t entries = kael_tensor_numel(in->indices);
    KAEL_TRY(kael_compressed_create(out, in->minor, in->major, dtype, entries));
    const int64_t wanted = entries / kael_max_i64(in->minor, 65536);
    transpose_job job = {
        .ptr = kael_tensor_data(in->ptr),
        .major = in->major,
        .minor = in->minor,
        .entries = entries,
        .parts = kael_max_i64(1, kael_min_i64(wanted, MOST_PARTS)),
        .indices = kael_tensor_data(in->indices),
        .index_size = kael_dtype_size(kael_tensor_dtype(in->indices)),
        .values = kael_tensor_data(in->values),
        .value_size = kael_dtype_size(dtype),
        .out_indices = kael_tensor_data(out->indices),
        .out_index_size = kael_dtype_size(kael_tensor_dtype(out->indices)),
        .out_values = kael_tensor_data(out->values),
    };
    const kael_status status = run_transpose(&job, kael_tensor_data(out->ptr));
    if (status != KAEL_OK) {
        kael_compressed_release(out);
    }
    return status;
}

/* ---- From value-compressed slices ---- */

typedef struct expand_job {
    const void *values;
    const int64_t *value_ptr;
    int64_t value_size;
    void *out_values;
} expand_job;

static kael_status expand_groups(int64_t first, int64_t last, void *context) {
    const expand_job *job = context;
    for (int64_t group = first; group < last; ++group) {
        const uint64_t bits = kael_load_bits(job->values, group, job->value_size);
        for (int64_t i = job->value_ptr[group]; i < job->value_ptr[group + 1]; ++i) {
            kael_store_bits(job->out_values, i, job->value_size, bits);
        }
    }
    return KAEL_OK;
}

static void end_slices(int64_t *ptr, const kael_vcs *matrix) {
    const int64_t *major_ptr = kael_tensor_data(matrix->major_ptr);
    const int64_t *value_ptr = kael_tensor_data(matrix->value_ptr);
    for (int64_t slice = 0; slice <= matrix->major; ++slice) {
        ptr[slice] = value_ptr[major_ptr[slice]];
    }
}

static kael_status expand_arrays(kael_compressed *out, const kael_vcs *matrix) {
    KAEL_TRY(kael_array_create(&out->ptr, KAEL_I64, matrix->major + 1));
    KAEL_TRY(kael_array_create(&out->values, kael_tensor_dtype(matrix->values),
                               kael_tensor_numel(matrix->indices)));
    end_slices(kael_tensor_data(out->ptr), matrix);
    if (kael_tensor_dtype(matrix->indices) == kael_index_dtype(matrix->minor)) {
        out->indices = kael_tensor_retain(matrix->indices);
    } else {
        KAEL_TRY(kael_tensor_to_dtype(&out->indices, matrix->indices, KAEL_I32));
    }
    const int64_t groups = kael_tensor_numel(matrix->values);
    expand_job job = {
        .values = kael_tensor_data(matrix->values),
        .value_ptr = kael_tensor_data(matrix->value_ptr),
        .value_size = kael_dtype_size(kael_tensor_dtype(matrix->values)),
        .out_values = kael_tensor_data(out->values),
    };
    return groups == 0 ? KAEL_OK : kael_parallel_for(0, groups, 16384, expand_groups, &job);
}

kael_status kael_compressed_expand(kael_compressed *out, const kael_vcs *matrix) {
    *out = (kael_compressed){.major = matrix->major, .minor = matrix->minor};
    const kael_status status = expand_arrays(out, matrix);
    if (status != KAEL_OK) {
        kael_compressed_release(out);
    }
    return status;
}

kael_status kael_compressed_from_vcs(kael_compressed *out, const kael_vcs *matrix,
                                     kael_vcs_orientation orientation) {
    kael_compressed stored;
    *out = (kael_compressed){0};
    KAEL_TRY(kael_compressed_expand(&stored, matrix));
    kael_compressed other;
    kael_status status = kael_compressed_transpose(&other, &stored);
    kael_compressed_release(&stored);
    if (status != KAEL_OK || matrix->orientation != orientation) {
        *out = other;
        return status;
    }
    status = kael_compressed_transpose(out, &other);
    kael_compressed_release(&other);
    return status;
}
