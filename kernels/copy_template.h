/* The kernel of copy.h that keeps the bytes of elements of one size. Included once per size by
 * copy_set.h; the includer defines
 *   SIZE  the bytes of an element
 *   T     an unsigned integer type of that size
 */
static void COPY(SIZE)(const kael_loop *loop, const void *parameters) {
    (void)parameters;
    const int64_t out_stride = loop->inner_strides[0];
    const int64_t in_stride = loop->inner_strides[1];
    for (int64_t row = 0; row < loop->outer; ++row) {
        char *out = loop->data[0] + row * loop->outer_strides[0];
        const char *in = loop->data[1] + row * loop->outer_strides[1];
        if (out_stride == SIZE && in_stride == SIZE) {
            KAEL_INDEPENDENT_ITERATIONS
            for (int64_t i = 0; i < loop->inner; ++i) {
                ((T *)(void *)out)[i] = ((const T *)(const void *)in)[i];
            }
        } else {
            KAEL_INDEPENDENT_ITERATIONS
            for (int64_t i = 0; i < loop->inner; ++i) {
                *(T *)(void *)(out + i * out_stride) =
                    *(const T *)(const void *)(in + i * in_stride);
            }
        }
    }
}
