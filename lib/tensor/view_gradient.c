#include "tensor/view_gradient.h"

#include <stddef.h>

#include "core/error.h"
#include "tensor/copy.h"
#include "tensor/view.h"

static kael_status reshape_back(const kael_graph_node *node, const kael_tensor *gradient,
                                kael_tensor **gradients) {
    const kael_graph_input *input = &node->inputs[0];
    return kael_tensor_reshape(&gradients[0], gradient, input->ndim, input->shape);
}

/* Whoever takes the gradient sums over broadcast dimensions and converts dtypes. */
static kael_status pass_on(const kael_graph_node *node, const kael_tensor *gradient,
                           kael_tensor **gradients) {
    (void)node;
    gradients[0] = kael_tensor_share(gradient);
    return KAEL_OK;
}

static kael_status permute_back(const kael_graph_node *node, const kael_tensor *gradient,
                                kael_tensor **gradients) {
    const int64_t *order = node->parameters;
    int64_t inverse[KAEL_MAX_DIMS];
    for (int64_t i = 0; i < node->inputs[0].ndim; ++i) {
        inverse[order[i]] = i;
    }
    return kael_tensor_permute(&gradients[0], gradient, inverse);
}

static kael_status view_slice(kael_tensor **out, const kael_tensor *tensor,
                              const kael_view_slice *slice) {
    return kael_tensor_slice(out, tensor, slice->dim, slice->start, slice->stop, slice->step);
}

static kael_status view_select(kael_tensor **out, const kael_tensor *tensor,
                               const kael_view_slice *slice) {
    return kael_tensor_select(out, tensor, slice->dim, slice->start);
}

/* Zeros, but for the gradient where the view was. */
static kael_status
put_back(const kael_graph_node *node, const kael_tensor *gradient, kael_tensor **gradients,
         kael_status (*view)(kael_tensor **, const kael_tensor *, const kael_view_slice *)) {
    const kael_graph_input *input = &node->inputs[0];
    KAEL_TRY(kael_tensor_zeros(&gradients[0], input->dtype, input->ndim, input->shape));
    kael_tensor *part;
    KAEL_TRY(view(&part, gradients[0], node->parameters));
    const kael_status status = kael_copy_elements(part, gradient);
    kael_tensor_release(part);
    return status;
}

static kael_status slice_back(const kael_graph_node *node, const kael_tensor *gradient,
                              kael_tensor **gradients) {
    return put_back(node, gradient, gradients, view_slice);
}

static kael_status select_back(const kael_graph_node *node, const kael_tensor *gradient,
                               kael_tensor **gradients) {
    return put_back(node, gradient, gradients, view_select);
}

static const kael_gradient_rule reshape_rule = {"reshape", reshape_back};
static const kael_gradient_rule broadcast_rule = {"broadcast_to", pass_on};
static const kael_gradient_rule copy_rule = {"copy", pass_on};
static const kael_gradient_rule permute_rule = {"permute", permute_back};
static const kael_gradient_rule slice_rule = {"slice", slice_back};
static const kael_gradient_rule select_rule = {"select", select_back};

kael_view_gradient kael_gradient_of_reshape(void) {
    return (kael_view_gradient){&reshape_rule, NULL, 0};
}

kael_view_gradient kael_gradient_of_broadcast(void) {
    return (kael_view_gradient){&broadcast_rule, NULL, 0};
}

kael_view_gradient kael_gradient_of_copy(void) {
    return (kael_view_gradient){&copy_rule, NULL, 0};
}

kael_view_gradient kael_gradient_of_permute(const int64_t *order, int64_t ndim) {
    return (kael_view_gradient){&permute_rule, order, ndim * (int64_t)sizeof *order};
}

kael_view_gradient kael_gradient_of_slice(const kael_view_slice *slice) {
    return (kael_view_gradient){&slice_rule, slice, sizeof *slice};
}

kael_view_gradient kael_gradient_of_select(const kael_view_slice *slice) {
    return (kael_view_gradient){&select_rule, slice, sizeof *slice};
}

kael_status kael_view_record(kael_tensor **out, const kael_tensor *tensor,
                             const kael_view_gradient *gradient) {
    return kael_graph_record_result(out, &(kael_recording){
                                             .rule = gradient->rule,
                                             .input_count = 1,
                                             .inputs = &tensor,
                                             .parameters = gradient->parameters,
                                             .parameter_bytes = gradient->parameter_bytes,
                                         });
}
