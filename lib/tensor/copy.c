#include "tensor/copy.h"

#include <stddef.h>

#include "core/error.h"
#include "cpu/dispatch.h"
#include "kael/parallel.h"
#include "kernels/copy.h"
#include "tensor/iterator.h"
#include "tensor/tensor.h"

static kael_status copy(kael_iterator *iterator, kael_dtype out_dtype, kael_dtype in_dtype) {
    if (out_dtype == in_dtype) {
        return kael_iterator_copy(iterator, KAEL_ELEMENT_GRAIN);
    }
    const kael_kernels *kernels;
    KAEL_TRY(kael_kernels_in_use(&kernels));
    iterator->kernel_streams = kael_iterator_should_stream(iterator);
    return kael_iterator_run(iterator, KAEL_ELEMENT_GRAIN,
                             kernels->copy->convert[out_dtype][in_dtype],
                             iterator->kernel_streams ? iterator : NULL);
}

kael_status kael_copy_elements(kael_tensor *out, const kael_tensor *in) {
    kael_iterator iterator;
    kael_iterator_init(&iterator, 2, (const kael_tensor *const[]){out, in});
    return copy(&iterator, out->dtype, in->dtype);
}

kael_status kael_fill_elements(kael_tensor *out, const void *element) {
    const kael_tensor scalar = {
        .data = (char *)(uintptr_t)element, .numel = 1, .dtype = out->dtype, .is_contiguous = true};
    return kael_copy_elements(out, &scalar);
}

kael_status kael_convert_array(kael_dtype out_dtype, void *out, kael_dtype in_dtype, const void *in,
                               int64_t count) {
    kael_iterator iterator = {.operands = 2, .ndim = 1, .numel = count, .shape = {count, 1}};
    iterator.data[0] = out;
    iterator.data[1] = (char *)(uintptr_t)in;
    iterator.element_sizes[0] = kael_dtype_size(out_dtype);
    iterator.element_sizes[1] = kael_dtype_size(in_dtype);
    iterator.strides[0][0] = iterator.element_sizes[0];
    iterator.strides[1][0] = iterator.element_sizes[1];
    return copy(&iterator, out_dtype, in_dtype);
}
