/* Reading IDX files: every type, plain and compressed, and every kind of damage. */
#define _POSIX_C_SOURCE 200809L
#include <criterion/criterion.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "kael/allocator.h"
#include "kael/io.h"
#include "memory/system.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

typedef struct bytes {
    unsigned char *data;
    size_t size;
} bytes;

static char folder[64];
static char path[128];

static void make_folder(void) {
    snprintf(folder, sizeof folder, "/tmp/kael-idx-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/data-idx", folder);
}

static void remove_folder(void) {
    unlink(path);
    cr_expect_eq(rmdir(folder), 0);
}

TestSuite(Idx, .init = make_folder, .fini = remove_folder);

static void write_file(const void *data, size_t size) {
    FILE *file = fopen(path, "wb");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(data, 1, size, file), size);
    cr_assert_eq(fclose(file), 0);
}

static bytes new_bytes(size_t size) {
    bytes result = {malloc(size + 1), size};
    cr_assert_not_null(result.data);
    return result;
}

/* One gzip member. */
static bytes compress_bytes(const void *data, size_t size) {
    z_stream deflater = {0};
    cr_assert_eq(deflateInit2(&deflater, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    bytes result = new_bytes(deflateBound(&deflater, size));
    bytes copy = new_bytes(size);
    memcpy(copy.data, data, size);
    deflater.next_in = copy.data;
    deflater.avail_in = (uInt)size;
    deflater.next_out = result.data;
    deflater.avail_out = (uInt)result.size;
    cr_assert_eq(deflate(&deflater, Z_FINISH), Z_STREAM_END);
    result.size = deflater.total_out;
    deflateEnd(&deflater);
    free(copy.data);
    return result;
}

static void write_compressed(const void *data, size_t size) {
    const bytes packed = compress_bytes(data, size);
    write_file(packed.data, packed.size);
    free(packed.data);
}

/* The load fails as an IO error whose message names the file and holds `text`. */
static void expect_rejected(const char *text, const char *what) {
    kael_tensor *tensor = (kael_tensor *)(void *)path;
    const kael_status status = kael_idx_load(&tensor, path);
    const char *message = kael_last_error_message();
    cr_expect_eq(status, KAEL_ERROR_IO, "%s: %s", what, kael_status_string(status));
    cr_expect_null(tensor, "%s", what);
    cr_expect_not_null(strstr(message, path), "%s: no file in '%s'", what, message);
    cr_expect_not_null(strstr(message, text), "%s: no '%s' in '%s'", what, text, message);
}

static kael_tensor *expect_loaded(const char *what) {
    kael_tensor *tensor = NULL;
    const kael_status status = kael_idx_load(&tensor, path);
    cr_assert_eq(status, KAEL_OK, "%s: %s: %s", what, kael_status_string(status),
                 kael_last_error_message());
    return tensor;
}

/* ---- right files ---- */

typedef struct type_case {
    kael_dtype dtype;
    unsigned char file[32];
    size_t size;
    const void *elements;
} type_case;

/* Two elements of each type. */
static const type_case type_cases[] = {
    {KAEL_U8, {0, 0, 0x08, 1, 0, 0, 0, 2, 1, 255}, 10, (const uint8_t[]){1, 255}},
    {KAEL_I8, {0, 0, 0x09, 1, 0, 0, 0, 2, 1, 255}, 10, (const int8_t[]){1, -1}},
    {KAEL_I16, {0, 0, 0x0B, 1, 0, 0, 0, 2, 1, 2, 0xff, 0xfe}, 12, (const int16_t[]){258, -2}},
    {KAEL_I32,
     {0, 0, 0x0C, 1, 0, 0, 0, 2, 1, 2, 3, 4, 0x80, 0, 0, 0},
     16,
     (const int32_t[]){0x01020304, INT32_MIN}},
    {KAEL_F32,
     {0, 0, 0x0D, 1, 0, 0, 0, 2, 0x3f, 0xc0, 0, 0, 0xc0, 0x49, 0x0f, 0xdb},
     16,
     (const float[]){1.5F, -3.14159274F}},
    {KAEL_F64,
     {0, 0, 0x0E, 1, 0,    0,    0,    2,    0x3f, 0xf8, 0,    0,
      0, 0, 0,    0, 0xc0, 0x09, 0x21, 0xfb, 0x54, 0x44, 0x2d, 0x18},
     24,
     (const double[]){1.5, -3.141592653589793}},
};

static void expect_two_elements(const type_case *c, const char *what) {
    kael_tensor *tensor = expect_loaded(what);
    cr_expect_eq(kael_tensor_dtype(tensor), c->dtype);
    cr_expect_eq(kael_tensor_ndim(tensor), 1);
    cr_assert_eq(kael_tensor_numel(tensor), 2);
    cr_expect_eq(
        memcmp(kael_tensor_data(tensor), c->elements, 2 * (size_t)kael_dtype_size(c->dtype)), 0,
        "%s %s", what, kael_dtype_name(c->dtype));
    kael_tensor_release(tensor);
}

Test(Idx, EveryTypePlainAndCompressed) {
    for (size_t i = 0; i < COUNT_OF(type_cases); ++i) {
        write_file(type_cases[i].file, type_cases[i].size);
        expect_two_elements(&type_cases[i], "plain");
        write_compressed(type_cases[i].file, type_cases[i].size);
        expect_two_elements(&type_cases[i], "compressed");
    }
}

Test(Idx, ShapesOfSeveralDimensionsOfNoneAndOfNothing) {
    static const unsigned char cube[] = {0, 0, 8, 3, 0, 0, 0, 2, 0, 0,
                                         0, 1, 0, 0, 0, 2, 9, 8, 7, 6};
    static const unsigned char scalar[] = {0, 0, 8, 0, 42};
    static const unsigned char empty[] = {0, 0, 14, 2, 0, 0, 0, 0, 255, 255, 255, 255};
    write_file(cube, sizeof cube);
    kael_tensor *tensor = expect_loaded("cube");
    cr_assert_eq(kael_tensor_ndim(tensor), 3);
    cr_expect_eq(memcmp(kael_tensor_shape(tensor), (const int64_t[]){2, 1, 2}, 24), 0);
    cr_expect_eq(memcmp(kael_tensor_data(tensor), (const uint8_t[]){9, 8, 7, 6}, 4), 0);
    kael_tensor_release(tensor);

    write_file(scalar, sizeof scalar);
    tensor = expect_loaded("scalar");
    cr_expect_eq(kael_tensor_ndim(tensor), 0);
    cr_expect_eq(*(uint8_t *)kael_tensor_data(tensor), 42);
    kael_tensor_release(tensor);

    write_compressed(empty, sizeof empty);
    tensor = expect_loaded("empty");
    cr_expect_eq(kael_tensor_numel(tensor), 0);
    cr_expect_eq(kael_tensor_shape(tensor)[1], INT64_C(4294967295));
    kael_tensor_release(tensor);
}

Test(Idx, TheLargestNumberOfDimensions) {
    unsigned char file[4 + 4 * (KAEL_MAX_DIMS + 1) + 1] = {0, 0, 8, KAEL_MAX_DIMS};
    for (size_t i = 0; i <= KAEL_MAX_DIMS; ++i) {
        file[7 + 4 * i] = 1;
    }
    write_file(file, 4 + 4 * KAEL_MAX_DIMS + 1);
    kael_tensor *tensor = expect_loaded("16 dimensions");
    cr_expect_eq(kael_tensor_ndim(tensor), KAEL_MAX_DIMS);
    kael_tensor_release(tensor);
    file[3] = KAEL_MAX_DIMS + 1;
    write_file(file, sizeof file);
    expect_rejected("at most 16 dimensions, got 17", "17 dimensions");
}

/* Larger than any buffer, and hardly compressible. */
static bytes new_large_file(void) {
    enum { ROWS = 1000, COLUMNS = 777 };
    static const unsigned char header[] = {0, 0, 8, 2, 0, 0, 3, 0xe8, 0, 0, 3, 9};
    bytes file = new_bytes(sizeof header + ROWS * COLUMNS);
    memcpy(file.data, header, sizeof header);
    uint32_t state = 1;
    for (size_t i = sizeof header; i < file.size; ++i) {
        state = state * 1664525 + 1013904223;
        file.data[i] = (unsigned char)(state >> 24);
    }
    return file;
}

static void expect_large_file(const bytes *file, const char *what) {
    kael_tensor *tensor = expect_loaded(what);
    cr_assert_eq(kael_tensor_numel(tensor), (int64_t)file->size - 12);
    cr_expect_eq(memcmp(kael_tensor_data(tensor), file->data + 12, file->size - 12), 0, "%s", what);
    kael_tensor_release(tensor);
}

Test(Idx, LargeFilesInOneMemberAndInSeveral) {
    const bytes file = new_large_file();
    write_file(file.data, file.size);
    expect_large_file(&file, "plain");
    write_compressed(file.data, file.size);
    expect_large_file(&file, "one member");

    /* gzip files may be concatenated; here in the header, in the data, and an empty one. */
    const size_t cuts[] = {0, 3, 70000, 70000, file.size};
    FILE *stream = fopen(path, "wb");
    cr_assert_not_null(stream);
    for (size_t i = 0; i + 1 < COUNT_OF(cuts); ++i) {
        const bytes member = compress_bytes(file.data + cuts[i], cuts[i + 1] - cuts[i]);
        cr_assert_eq(fwrite(member.data, 1, member.size, stream), member.size);
        free(member.data);
    }
    cr_assert_eq(fclose(stream), 0);
    expect_large_file(&file, "several members");
    free(file.data);
}

/* ---- damage ---- */

static const unsigned char small_file[] = {0, 0, 8, 2,  0,  0,  0,  2,  0,
                                           0, 0, 3, 10, 20, 30, 40, 50, 60};
enum { SMALL_HEADER = 12 };

static void expect_small_file(const char *what) {
    kael_tensor *tensor = expect_loaded(what);
    cr_assert_eq(kael_tensor_numel(tensor), 6, "%s", what);
    cr_expect_eq(memcmp(kael_tensor_data(tensor), small_file + SMALL_HEADER, 6), 0, "%s", what);
    kael_tensor_release(tensor);
}

static void expect_every_cut_rejected(const unsigned char *data, size_t size, const char *kind) {
    for (size_t length = 0; length < size; ++length) {
        char what[64];
        snprintf(what, sizeof what, "%s, %zu bytes", kind, length);
        write_file(data, length);
        expect_rejected("ends early", what);
    }
}

Test(Idx, TruncatedAtEveryByte) {
    const bytes packed = compress_bytes(small_file, sizeof small_file);
    expect_every_cut_rejected(small_file, sizeof small_file, "plain");
    expect_every_cut_rejected(packed.data, packed.size, "compressed");
    write_file(packed.data, packed.size);
    expect_small_file("whole");
    free(packed.data);
}

/* Compressed data that is whole, but holds a file that is not. */
Test(Idx, TruncatedBeforeCompression) {
    for (size_t length = 0; length < sizeof small_file; ++length) {
        write_compressed(small_file, length);
        expect_rejected("ends early", "cut, then compressed");
    }
}

/* Only the type can change to another one of the same size. */
Test(Idx, EveryValueOfEveryHeaderByte) {
    for (size_t at = 0; at < SMALL_HEADER; ++at) {
        for (int value = 0; value <= UCHAR_MAX; ++value) {
            unsigned char damaged[sizeof small_file];
            char what[64];
            memcpy(damaged, small_file, sizeof damaged);
            damaged[at] = (unsigned char)value;
            snprintf(what, sizeof what, "byte %zu is %d", at, value);
            write_file(damaged, sizeof damaged);
            if (value == small_file[at] || (at == 2 && value == 9)) {
                expect_small_file(what);
            } else {
                expect_rejected("", what);
            }
        }
    }
}

/* gzip guards its data by a checksum. Seven bytes of its own header and up to seven bits that fill
 * the last byte of the data say nothing. */
Test(Idx, EveryBitOfACompressedFile) {
    const bytes packed = compress_bytes(small_file, sizeof small_file);
    int64_t rejected = 0;
    for (size_t bit = 0; bit < 8 * packed.size; ++bit) {
        packed.data[bit / 8] ^= (unsigned char)(1 << bit % 8);
        write_file(packed.data, packed.size);
        kael_tensor *tensor = NULL;
        const kael_status status = kael_idx_load(&tensor, path);
        if (status == KAEL_OK) {
            cr_assert_eq(kael_tensor_numel(tensor), 6, "bit %zu", bit);
            cr_expect_eq(memcmp(kael_tensor_data(tensor), small_file + SMALL_HEADER, 6), 0,
                         "bit %zu", bit);
        } else {
            cr_expect_eq(status, KAEL_ERROR_IO, "bit %zu", bit);
            ++rejected;
        }
        kael_tensor_release(tensor);
        packed.data[bit / 8] ^= (unsigned char)(1 << bit % 8);
    }
    cr_expect_geq(rejected, (int64_t)(8 * packed.size - 8 * 7 - 7));
    free(packed.data);
}

static void write_two(const void *first, size_t first_size, const void *second,
                      size_t second_size) {
    bytes both = new_bytes(first_size + second_size);
    memcpy(both.data, first, first_size);
    memcpy(both.data + first_size, second, second_size);
    write_file(both.data, both.size);
    free(both.data);
}

Test(Idx, NothingMayFollowTheLastElement) {
    static const unsigned char more[] = {0};
    const bytes packed = compress_bytes(small_file, sizeof small_file);
    const bytes member = compress_bytes(more, sizeof more);
    const bytes empty_member = compress_bytes(more, 0);
    write_two(small_file, sizeof small_file, more, sizeof more);
    expect_rejected("data follows", "plain");
    write_two(packed.data, packed.size, "x", 1);
    expect_rejected("gzip", "bytes after the member");
    write_two(packed.data, packed.size, member.data, member.size);
    expect_rejected("data follows", "another member");
    write_two(packed.data, packed.size, empty_member.data, empty_member.size);
    expect_small_file("an empty member");
    write_two(packed.data, packed.size, empty_member.data, empty_member.size - 1);
    expect_rejected("ends early", "half a member");
    bytes longer = new_bytes(sizeof small_file + 1);
    memcpy(longer.data, small_file, sizeof small_file);
    longer.data[sizeof small_file] = 0;
    write_compressed(longer.data, longer.size);
    expect_rejected("data follows", "longer before compression");
    free(longer.data);
    free(packed.data);
    free(member.data);
    free(empty_member.data);
}

/* As gzip(1) takes them: zeros after a member, to the end of the file. */
Test(Idx, ZerosMayPadACompressedFile) {
    static unsigned char zeros[200000];
    const bytes packed = compress_bytes(small_file, sizeof small_file);
    static const size_t counts[] = {1, 2, 511, 65536, sizeof zeros};
    for (size_t i = 0; i < COUNT_OF(counts); ++i) {
        write_two(packed.data, packed.size, zeros, counts[i]);
        expect_small_file("zeros");
        zeros[counts[i] - 1] = 7;
        write_two(packed.data, packed.size, zeros, counts[i]);
        expect_rejected("gzip", "something after zeros");
        zeros[counts[i] - 1] = 0;
    }
    free(packed.data);
}

Test(Idx, MessagesShowAllSizes) {
    unsigned char file[4 + 4 * KAEL_MAX_DIMS] = {0, 0, 14, KAEL_MAX_DIMS};
    memset(file + 4, 255, sizeof file - 4);
    char shape[16 * KAEL_MAX_DIMS] = "(4294967295";
    for (int i = 1; i < KAEL_MAX_DIMS; ++i) {
        strcat(shape, ", 4294967295");
    }
    strcat(shape, ")");
    write_file(file, sizeof file);
    expect_rejected(shape, "many sizes");
}

/* Sizes that the file cannot hold are refused before memory is taken for them. */
Test(Idx, K48_AbsurdSizes) {
    static const unsigned char files[][24] = {
        {0, 0, 8, 1, 255, 255, 255, 255, 1},
        {0, 0, 8, 2, 255, 255, 255, 255, 255, 255, 255, 255, 1},
        {0, 0, 14, 3, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1},
        {0, 0, 14, 2, 128, 0, 0, 0, 64, 0, 0, 0, 1},
        {0, 0, 8, 1, 0, 2, 0, 0, 1},
    };
    kael_allocator_statistics before;
    kael_allocator_statistics after;
    cr_assert_eq(kael_allocator_stats(&before), KAEL_OK);
    for (size_t i = 0; i < COUNT_OF(files); ++i) {
        write_file(files[i], sizeof files[i]);
        expect_rejected("ends early", "plain");
        write_compressed(files[i], sizeof files[i]);
        expect_rejected("ends early", "compressed");
    }
    cr_assert_eq(kael_allocator_stats(&after), KAEL_OK);
    cr_expect_lt(after.reserved_bytes - before.reserved_bytes, 1 << 20);
}

Test(Idx, FilesThatAreNone) {
    expect_rejected("cannot open", "missing");
    cr_assert_eq(mkdir(path, 0700), 0);
    expect_rejected("not a regular file", "a folder");
    cr_assert_eq(rmdir(path), 0);
    cr_assert_eq(mkfifo(path, 0600), 0);
    expect_rejected("not a regular file", "a pipe that nobody writes");
    cr_assert_eq(unlink(path), 0);
    write_file("", 0);
    expect_rejected("ends early", "empty");
    write_file("hello, world", 12);
    expect_rejected("two zero bytes, got 0x68 0x65", "text");
    static const unsigned char unknown[] = {0, 0, 0x0a, 0};
    write_file(unknown, sizeof unknown);
    expect_rejected("got 0x0a", "unknown type");
}

Test(Idx, NullArgumentsAndLongPaths) {
    kael_tensor *tensor = (kael_tensor *)(void *)path;
    cr_expect_eq(kael_idx_load(NULL, path), KAEL_ERROR_VALUE);
    cr_expect_not_null(strstr(kael_last_error_message(), "out"));
    cr_expect_eq(kael_idx_load(&tensor, NULL), KAEL_ERROR_VALUE);
    cr_expect_not_null(strstr(kael_last_error_message(), "path"));
    cr_expect_null(tensor);
    char long_path[9000];
    memset(long_path, 'a', sizeof long_path - 1);
    memcpy(long_path + sizeof long_path - 5, ".idx", 5);
    cr_expect_eq(kael_idx_load(&tensor, long_path), KAEL_ERROR_IO);
    cr_expect_not_null(strstr(kael_last_error_message(), "cannot open"));
    cr_expect_not_null(strstr(kael_last_error_message(), "aaa.idx'"));
}

/* It is a memory error, and the next load works. */
Test(Idx, AnyAllocationMayFail) {
    kael_set_caching_allocator_enabled(false);
    write_compressed(small_file, sizeof small_file);
    int64_t failures = 1;
    for (int64_t first = 1; failures > 0; ++first) {
        kael_tensor *tensor = NULL;
        kael_system_inject_failures(first, 1000000);
        const kael_status status = kael_idx_load(&tensor, path);
        failures = kael_system_injected_failures();
        kael_system_inject_failures(0, 0);
        cr_expect_eq(status, failures > 0 ? KAEL_ERROR_MEMORY : KAEL_OK, "allocation %" PRId64,
                     first);
        kael_tensor_release(tensor);
        expect_small_file("the next load");
    }
}
