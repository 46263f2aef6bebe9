#include "ops/indexing_gradient.h"

#include <stddef.h>

#include "core/error.h"
#include "kael/indexing.h"
#include "kael/ops.h"
#include "tensor/view.h"

static int64_t dim_of(const kael_graph_node *node) {
    return *(const int64_t *)node->parameters;
}

/* Adds the gradient to zeros at the indices, which have its shape. */
static kael_status scatter(const kael_graph_node *node, const kael_tensor *gradient,
                           const kael_tensor *indices, kael_tensor **out) {
    const kael_graph_input *input = &node->inputs[0];
    kael_tensor *zeros;
    KAEL_TRY(kael_tensor_zeros(&zeros, gradient->dtype, input->ndim, input->shape));
    const kael_status status = kael_scatter_add_into(zeros, zeros, dim_of(node), indices, gradient);
    if (status != KAEL_OK) {
        kael_tensor_release(zeros);
        return status;
    }
    *out = zeros;
    return KAEL_OK;
}

static kael_status gather(const kael_graph_node *node, const kael_tensor *gradient,
                          kael_tensor **gradients) {
    return scatter(node, gradient, node->saved[0].tensor, &gradients[0]);
}

/* The indices of one dimension, repeated along the others. */
static kael_status index_select(const kael_graph_node *node, const kael_tensor *gradient,
                                kael_tensor **gradients) {
    const kael_tensor *indices = node->saved[0].tensor;
    int64_t shape[KAEL_MAX_DIMS];
    for (int64_t i = 0; i < gradient->ndim; ++i) {
        shape[i] = i == dim_of(node) ? indices->numel : 1;
    }
    kael_tensor *upright;
    KAEL_TRY(kael_tensor_reshape(&upright, indices, gradient->ndim, shape));
    kael_tensor *repeated;
    kael_status status =
        kael_tensor_broadcast_to(&repeated, upright, gradient->ndim, gradient->sizes);
    if (status == KAEL_OK) {
        status = scatter(node, gradient, repeated, &gradients[0]);
    }
    kael_tensor_release(repeated);
    kael_tensor_release(upright);
    return status;
}

/* Zeros of the input's shape, but for `part` in its first corner. */
static kael_status extend(kael_tensor **out, const kael_tensor *part,
                          const kael_graph_input *input) {
    kael_tensor *zeros;
    KAEL_TRY(kael_tensor_zeros(&zeros, part->dtype, input->ndim, input->shape));
    kael_tensor *corner = kael_tensor_retain(zeros);
    kael_status status = KAEL_OK;
    for (int64_t i = 0; i < input->ndim && status == KAEL_OK; ++i) {
        kael_tensor *narrower;
        status = kael_tensor_narrow(&narrower, corner, i, 0, part->sizes[i]);
        if (status == KAEL_OK) {
            kael_tensor_release(corner);
            corner = narrower;
        }
    }
    if (status == KAEL_OK) {
        status = kael_copy_into(corner, part);
    }
    kael_tensor_release(corner);
    if (status != KAEL_OK) {
        kael_tensor_release(zeros);
        return status;
    }
    *out = zeros;
    return KAEL_OK;
}

static kael_status scatter_add(const kael_graph_node *node, const kael_tensor *gradient,
                               kael_tensor **gradients) {
    if (node->inputs[0].node != NULL) {
        gradients[0] = kael_tensor_share(gradient);
    }
    if (node->inputs[1].node == NULL) {
        return KAEL_OK;
    }
    kael_tensor *taken;
    KAEL_TRY(kael_gather(&taken, gradient, dim_of(node), node->saved[0].tensor));
    const kael_status status = extend(&gradients[1], taken, &node->inputs[1]);
    kael_tensor_release(taken);
    return status;
}

static kael_status cat(const kael_graph_node *node, const kael_tensor *gradient,
                       kael_tensor **gradients) {
    int64_t start = 0;
    for (int64_t i = 0; i < node->input_count; ++i) {
        const int64_t size = node->inputs[i].shape[dim_of(node)];
        if (node->inputs[i].node != NULL) {
            KAEL_TRY(kael_tensor_narrow(&gradients[i], gradient, dim_of(node), start, size));
        }
        start += size;
    }
    return KAEL_OK;
}

static kael_status stack(const kael_graph_node *node, const kael_tensor *gradient,
                         kael_tensor **gradients) {
    for (int64_t i = 0; i < node->input_count; ++i) {
        if (node->inputs[i].node != NULL) {
            KAEL_TRY(kael_tensor_select(&gradients[i], gradient, dim_of(node), i));
        }
    }
    return KAEL_OK;
}

static kael_status tril(const kael_graph_node *node, const kael_tensor *gradient,
                        kael_tensor **gradients) {
    return kael_tril(&gradients[0], gradient, *(const int64_t *)node->parameters);
}

static kael_status triu(const kael_graph_node *node, const kael_tensor *gradient,
                        kael_tensor **gradients) {
    return kael_triu(&gradients[0], gradient, *(const int64_t *)node->parameters);
}

static const kael_gradient_rule index_select_rule = {"index_select", index_select};
static const kael_gradient_rule gather_rule = {"gather", gather};
static const kael_gradient_rule scatter_add_rule = {"scatter_add", scatter_add};
static const kael_gradient_rule cat_rule = {"cat", cat};
static const kael_gradient_rule stack_rule = {"stack", stack};
static const kael_gradient_rule tril_rule = {"tril", tril};
static const kael_gradient_rule triu_rule = {"triu", triu};

/* `number` is the rule's parameter; `indices` are saved unless NULL. */
static kael_status record(kael_tensor **out, const kael_gradient_rule *rule, int64_t count,
                          const kael_tensor *const *inputs, const kael_tensor *indices,
                          int64_t number) {
    return kael_graph_record_result(out, &(kael_recording){
                                             .rule = rule,
                                             .input_count = count,
                                             .inputs = inputs,
                                             .saved_count = indices != NULL,
                                             .saved = &indices,
                                             .parameters = &number,
                                             .parameter_bytes = sizeof number,
                                         });
}

/* Dims from 0 on. */
static int64_t resolved(const kael_tensor *tensor, int64_t dim) {
    return dim < 0 ? dim + tensor->ndim : dim;
}

kael_status kael_index_select_record(kael_tensor **out, const kael_tensor *tensor, int64_t dim,
                                     const kael_tensor *indices) {
    return record(out, &index_select_rule, 1, &tensor, indices, resolved(tensor, dim));
}

kael_status kael_gather_record(kael_tensor **out, const kael_tensor *tensor, int64_t dim,
                               const kael_tensor *indices) {
    return record(out, &gather_rule, 1, &tensor, indices, resolved(tensor, dim));
}

kael_status kael_scatter_add_record(kael_tensor **out, const kael_tensor *tensor, int64_t dim,
                                    const kael_tensor *indices, const kael_tensor *source) {
    const kael_tensor *const inputs[] = {tensor, source};
    return record(out, &scatter_add_rule, 2, inputs, indices, resolved(tensor, dim));
}

kael_status kael_cat_record(kael_tensor **out, int64_t count, const kael_tensor *const *tensors,
                            int64_t dim) {
    return record(out, &cat_rule, count, tensors, NULL, dim);
}

kael_status kael_stack_record(kael_tensor **out, int64_t count, const kael_tensor *const *tensors,
                              int64_t dim) {
    return record(out, &stack_rule, count, tensors, NULL, dim);
}

kael_status kael_triangle_record(kael_tensor **out, const kael_tensor *tensor, int64_t k,
                                 bool upper) {
    return record(out, upper ? &triu_rule : &tril_rule, 1, &tensor, NULL, k);
}
