#include "dataset.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "status.h"

static kael_status load_file(kael_tensor **out, const char *directory, const char *prefix,
                             const char *kind, int64_t ndim) {
    char path[4096];
    *out = NULL;
    if ((size_t)snprintf(path, sizeof path, "%s/%s-%s-ubyte.gz", directory, prefix, kind) >=
        sizeof path) {
        fprintf(stderr, "fashion_mnist: the path of the data is too long\n");
        return KAEL_ERROR_VALUE;
    }
    const kael_status status = kael_idx_load(out, path);
    if (status != KAEL_OK) {
        fprintf(stderr,
                "fashion_mnist: %s\n"
                "Install Debian's dataset-fashion-mnist, or pass --data DIRECTORY.\n",
                kael_last_error_message());
        return status;
    }
    if (kael_tensor_dtype(*out) != KAEL_U8 || kael_tensor_ndim(*out) != ndim) {
        fprintf(stderr,
                "fashion_mnist: expected u8 data of %" PRId64 " dimensions, got %s of %" PRId64
                ": '%s'\n",
                ndim, kael_dtype_name(kael_tensor_dtype(*out)), kael_tensor_ndim(*out), path);
        return KAEL_ERROR_SHAPE;
    }
    return KAEL_OK;
}

static kael_status check_files(const kael_tensor *images, const kael_tensor *labels,
                               const char *prefix) {
    const int64_t count = kael_tensor_numel(labels);
    const uint8_t *label = kael_tensor_data(labels);
    if (count == 0 || kael_tensor_shape(images)[0] != count || kael_tensor_numel(images) == 0) {
        fprintf(stderr,
                "fashion_mnist: expected as many %s images as labels and at least one, got %" PRId64
                " and %" PRId64 "\n",
                prefix, kael_tensor_shape(images)[0], count);
        return KAEL_ERROR_SHAPE;
    }
    for (int64_t i = 0; i < count; ++i) {
        if (label[i] >= CLASSES) {
            fprintf(stderr, "fashion_mnist: %s label %" PRId64 " must be from 0 to %d, got %d\n",
                    prefix, i, CLASSES - 1, label[i]);
            return KAEL_ERROR_VALUE;
        }
    }
    return KAEL_OK;
}

typedef struct scale_job {
    const uint8_t *bytes;
    float *values;
} scale_job;

static kael_status scale_range(int64_t first, int64_t last, void *context) {
    const scale_job *job = context;
    for (int64_t i = first; i < last; ++i) {
        job->values[i] = (float)job->bytes[i] / 255.0f;
    }
    return KAEL_OK;
}

static kael_status convert(dataset *data, const kael_tensor *images, const kael_tensor *labels) {
    data->count = kael_tensor_numel(labels);
    data->pixels = kael_tensor_numel(images) / data->count;
    const int64_t shape[] = {data->count, data->pixels};
    TRY(kael_tensor_empty(&data->images, KAEL_F32, 2, shape));
    TRY(kael_tensor_empty(&data->classes, KAEL_I64, 1, shape));
    int64_t *class_of = kael_tensor_data(data->classes);
    const uint8_t *label = kael_tensor_data(labels);
    for (int64_t i = 0; i < data->count; ++i) {
        class_of[i] = label[i];
    }
    scale_job job = {kael_tensor_data(images), kael_tensor_data(data->images)};
    return kael_parallel_for(0, kael_tensor_numel(images), KAEL_ELEMENT_GRAIN, scale_range, &job);
}

static kael_status load_and_convert(dataset *data, kael_tensor **images, kael_tensor **labels,
                                    const char *directory, const char *prefix) {
    TRY(load_file(images, directory, prefix, "images-idx3", 3));
    TRY(load_file(labels, directory, prefix, "labels-idx1", 1));
    TRY(check_files(*images, *labels, prefix));
    const kael_status status = convert(data, *images, *labels);
    if (status != KAEL_OK) {
        fprintf(stderr, "fashion_mnist: %s\n", kael_last_error_message());
    }
    return status;
}

kael_status dataset_load(dataset *data, const char *directory, const char *prefix) {
    kael_tensor *images = NULL;
    kael_tensor *labels = NULL;
    *data = (dataset){0};
    const kael_status status = load_and_convert(data, &images, &labels, directory, prefix);
    kael_tensor_release(images);
    kael_tensor_release(labels);
    if (status != KAEL_OK) {
        dataset_release(data);
    }
    return status;
}

void dataset_release(dataset *data) {
    kael_tensor_release(data->images);
    kael_tensor_release(data->classes);
    *data = (dataset){0};
}

typedef struct gather_job {
    const float *source;
    const int64_t *source_classes;
    const int64_t *indices;
    int64_t pixels;
    float *images;
    int64_t *classes;
} gather_job;

static kael_status gather_rows(int64_t first, int64_t last, void *context) {
    const gather_job *job = context;
    for (int64_t row = first; row < last; ++row) {
        const int64_t index = job->indices[row];
        memcpy(job->images + row * job->pixels, job->source + index * job->pixels,
               (size_t)job->pixels * sizeof *job->images);
        job->classes[row] = job->source_classes[index];
    }
    return KAEL_OK;
}

kael_status dataset_gather(const dataset *data, const int64_t *indices, int64_t rows,
                           kael_tensor *images, kael_tensor *classes) {
    gather_job job = {
        .source = kael_tensor_data(data->images),
        .source_classes = kael_tensor_data(data->classes),
        .indices = indices,
        .pixels = data->pixels,
        .images = kael_tensor_data(images),
        .classes = kael_tensor_data(classes),
    };
    enum { ROWS_WORTH_A_THREAD = 16 };
    return kael_parallel_for(0, rows, ROWS_WORTH_A_THREAD, gather_rows, &job);
}
