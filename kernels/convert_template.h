/* The kernels of copy.h that convert elements of one type. Included once per type by copy_set.h;
 * the includer defines
 *   FROM         the name of the type
 *   FROM_TYPE    its C type
 *   TARGETS(X)   the list of types that it is converted to
 */
#define CONVERT_KERNEL(NAME, name, text, storage, kind, compute)                                   \
    static void CONVERT(FROM, name)(const kael_loop *loop, const void *parameters) {               \
        (void)parameters;                                                                          \
        const int64_t count = loop->inner; /* what is written could alias the loop */              \
        for (int64_t row = 0; row < loop->outer; ++row) {                                          \
            storage *const out = (void *)(loop->data[0] + row * loop->outer_strides[0]);           \
            const FROM_TYPE *const in = (void *)(loop->data[1] + row * loop->outer_strides[1]);    \
            if (loop->inner_strides[1] == 0) {                                                     \
                const storage value = CAST(FROM, name)(*in);                                       \
                KAEL_EACH_ELEMENT(storage, (void)i, value);                                        \
            } else {                                                                               \
                KAEL_EACH_ELEMENT(storage, const FROM_TYPE x = in[i], CAST(FROM, name)(x));        \
            }                                                                                      \
        }                                                                                          \
    }
TARGETS(CONVERT_KERNEL)
#undef CONVERT_KERNEL
