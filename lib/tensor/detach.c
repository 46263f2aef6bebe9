#include "core/error.h"
#include "kael/tensor.h"
#include "tensor/view.h"

kael_status kael_tensor_detach(kael_tensor **out, const kael_tensor *tensor) {
    kael_layout layout;
    KAEL_TRY(kael_view_begin(out, tensor, &layout));
    return kael_view_finish(out, tensor, &layout, NULL);
}
