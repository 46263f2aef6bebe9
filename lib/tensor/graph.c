#include "tensor/graph.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/reference.h"

/* The parts of a node's block: the struct, the inputs, the saved tensors, the shapes of the inputs
 * and the parameters. */
typedef struct node_parts {
    int64_t inputs;
    int64_t saved;
    int64_t shapes;
    int64_t parameters;
    int64_t bytes;
} node_parts;

static node_parts measure(const kael_recording *recording) {
    node_parts parts;
    parts.inputs = kael_round_up((int64_t)sizeof(kael_graph_node), 16);
    parts.saved = parts.inputs + recording->input_count * (int64_t)sizeof(kael_graph_input);
    parts.shapes = parts.saved + recording->saved_count * (int64_t)sizeof(kael_saved_tensor);
    parts.parameters = parts.shapes;
    for (int64_t i = 0; i < recording->input_count; ++i) {
        parts.parameters += recording->inputs[i]->ndim * (int64_t)sizeof(int64_t);
    }
    parts.parameters = kael_round_up(parts.parameters, 16);
    parts.bytes = parts.parameters + recording->parameter_bytes;
    return parts;
}

static void set_inputs(kael_graph_node *node, const kael_recording *recording, int64_t *shapes) {
    for (int64_t i = 0; i < recording->input_count; ++i) {
        const kael_tensor *input = recording->inputs[i];
        node->inputs[i] = (kael_graph_input){input->node, shapes, input->ndim, input->dtype};
        for (int64_t dim = 0; dim < input->ndim; ++dim) {
            *shapes++ = input->sizes[dim];
        }
        if (input->node != NULL) {
            kael_graph_retain(input->node);
        }
    }
    node->input_count = recording->input_count;
}

/* A tensor that can be held without holding a recorded node. Numbers among the operands have no
 * storage and are copied. */
static kael_status hold(kael_tensor **held, const kael_tensor *tensor, const kael_tensor *out) {
    if (tensor->storage == NULL) {
        return kael_tensor_from_data(held, tensor->dtype, tensor->ndim, tensor->sizes,
                                     tensor->data);
    }
    if (tensor != out && (tensor->node == NULL || tensor->node->rule == NULL)) {
        *held = kael_tensor_retain((kael_tensor *)(uintptr_t)tensor);
        return KAEL_OK;
    }
    return kael_tensor_create_view(held, tensor->storage, tensor->dtype, tensor->ndim,
                                   tensor->sizes, tensor->sizes + tensor->ndim, tensor->offset);
}

static kael_status set_saved(kael_graph_node *node, const kael_recording *recording,
                             const kael_tensor *out) {
    for (int64_t i = 0; i < recording->saved_count; ++i) {
        const kael_tensor *tensor = recording->saved[i];
        KAEL_TRY(hold(&node->saved[i].tensor, tensor, out));
        node->saved[i].version = kael_storage_version(node->saved[i].tensor->storage);
        node->saved_count = i + 1;
    }
    return KAEL_OK;
}

static kael_status create(kael_graph_node **out, int64_t bytes, const kael_gradient_rule *rule) {
    kael_block block;
    KAEL_TRY(kael_block_allocate(&block, bytes));
    kael_graph_node *node = block.data;
    memset(node, 0, sizeof *node);
    atomic_init(&node->references, 1);
    node->rule = rule;
    node->block = block;
    *out = node;
    return KAEL_OK;
}

kael_status kael_graph_create_leaf(kael_graph_node **out) {
    return create(out, (int64_t)sizeof(kael_graph_node), NULL);
}

kael_status kael_graph_record(kael_tensor *out, const kael_recording *recording) {
    const node_parts parts = measure(recording);
    kael_graph_node *node;
    KAEL_TRY(create(&node, parts.bytes, recording->rule));
    char *start = node->block.data;
    node->inputs = (kael_graph_input *)(void *)(start + parts.inputs);
    node->saved = (kael_saved_tensor *)(void *)(start + parts.saved);
    node->parameters = start + parts.parameters;
    if (recording->parameter_bytes > 0) {
        memcpy(start + parts.parameters, recording->parameters, (size_t)recording->parameter_bytes);
    }
    set_inputs(node, recording, (int64_t *)(void *)(start + parts.shapes));
    const kael_status status = set_saved(node, recording, out);
    if (status != KAEL_OK) {
        kael_graph_release(node);
        return status;
    }
    out->node = node;
    return KAEL_OK;
}

kael_status kael_graph_record_result(kael_tensor **out, const kael_recording *recording) {
    if ((*out)->dtype < KAEL_F16 || !kael_graph_wants(recording->input_count, recording->inputs)) {
        return KAEL_OK;
    }
    const kael_status status = kael_graph_record(*out, recording);
    if (status != KAEL_OK) {
        kael_tensor_release(*out);
        *out = NULL;
    }
    return status;
}

void kael_graph_retain(kael_graph_node *node) {
    kael_reference_add(&node->references);
}

static void drop_onto(kael_graph_node **list, kael_graph_node *node) {
    if (node != NULL && kael_reference_drop(&node->references)) {
        node->next = *list;
        *list = node;
    }
}

void kael_graph_release(kael_graph_node *node) {
    kael_graph_node *list = NULL;
    drop_onto(&list, node);
    while (list != NULL) {
        kael_graph_node *dead = list;
        list = dead->next;
        for (int64_t i = 0; i < dead->input_count; ++i) {
            drop_onto(&list, dead->inputs[i].node);
        }
        kael_graph_spend(dead);
        kael_tensor_release(dead->gradient);
        kael_block block = dead->block;
        kael_block_release(&block);
    }
}

kael_status kael_graph_require_usable(const kael_graph_node *node) {
    if (atomic_load(&node->is_spent)) {
        return kael_error(KAEL_ERROR_STATE,
                          "the graph was freed by an earlier backward through %s; keep it with "
                          "kael_backward_from's keep_graph",
                          node->rule->name);
    }
    for (int64_t i = 0; i < node->saved_count; ++i) {
        if (kael_storage_version(node->saved[i].tensor->storage) != node->saved[i].version) {
            return kael_error(KAEL_ERROR_STATE,
                              "a tensor that the gradient of %s needs was written after it was "
                              "recorded",
                              node->rule->name);
        }
    }
    return KAEL_OK;
}

void kael_graph_spend(kael_graph_node *node) {
    for (int64_t i = 0; i < node->saved_count; ++i) {
        kael_tensor_release(node->saved[i].tensor);
    }
    node->saved_count = 0;
    atomic_store(&node->is_spent, true);
}

kael_status kael_graph_require_writable(const kael_tensor *out, const char *name, int64_t count,
                                        const kael_tensor *const *inputs) {
    if (kael_grad_mode_enabled()) {
        if (out->node != NULL) {
            return kael_error(KAEL_ERROR_STATE,
                              "%s takes part in a graph of gradients and must not be written while "
                              "operations are recorded; turn that off, or write a detached tensor",
                              name);
        }
        for (int64_t i = 0; i < count; ++i) {
            if (inputs[i] != NULL && inputs[i]->node != NULL) {
                return kael_error(KAEL_ERROR_STATE,
                                  "input %lld takes part in a graph of gradients, which cannot "
                                  "record an operation that writes into an existing tensor",
                                  (long long)i);
            }
        }
    }
    return KAEL_OK;
}

kael_status kael_graph_begin_write(kael_tensor *out, const char *name, int64_t count,
                                   const kael_tensor *const *inputs) {
    KAEL_TRY(kael_graph_require_writable(out, name, count, inputs));
    kael_storage_mark_written(out->storage);
    return KAEL_OK;
}
