/* Walking back through a graph. Every node is visited once, after all the operations that used its
 * result; no depth of graph needs a deeper stack. */
#include <stdatomic.h>
#include <stddef.h>

#include "autograd/gradient_sum.h"
#include "autograd/node_map.h"
#include "core/error.h"
#include "kael/autograd.h"
#include "tensor/graph.h"
#include "tensor/require.h"
#include "tensor/shape.h"

typedef struct walk {
    kael_node_map map;
    kael_node_stack stack;
    bool keep_graph;
} walk;

static kael_status visit(walk *w, kael_graph_node *node) {
    kael_node_entry *entry;
    bool is_new;
    KAEL_TRY(kael_node_map_insert(&w->map, node, &entry, &is_new));
    entry->pending += 1;
    return is_new ? kael_node_stack_push(&w->stack, node) : KAEL_OK;
}

/* Puts every node behind the root into the map, with the number of its uses. */
static kael_status collect(walk *w, kael_graph_node *root) {
    KAEL_TRY(visit(w, root));
    while (w->stack.count > 0) {
        const kael_graph_node *node = w->stack.nodes[--w->stack.count];
        for (int64_t i = 0; i < node->input_count; ++i) {
            if (node->inputs[i].node != NULL) {
                KAEL_TRY(visit(w, node->inputs[i].node));
            }
        }
    }
    return KAEL_OK;
}

static kael_status start(walk *w, kael_graph_node *root, bool keep_graph) {
    *w = (walk){.keep_graph = keep_graph};
    KAEL_TRY(kael_node_map_init(&w->map));
    return collect(w, root);
}

static void finish(walk *w) {
    kael_node_map_free(&w->map);
    kael_node_stack_free(&w->stack);
}

/* Takes over `gradient`, which is NULL if nothing flows back along this edge. */
static kael_status send(walk *w, const kael_graph_input *input, kael_tensor *gradient) {
    kael_node_entry *entry = kael_node_map_at(&w->map, input->node);
    kael_status status = KAEL_OK;
    if (gradient != NULL) {
        status = kael_gradient_fit(&gradient, input);
        if (status == KAEL_OK) {
            status = kael_gradient_add(&entry->gradient, gradient);
        }
        kael_tensor_release(gradient);
    }
    entry->pending -= 1;
    if (status == KAEL_OK && entry->pending == 0) {
        status = kael_node_stack_push(&w->stack, input->node);
    }
    return status;
}

static kael_status send_all(walk *w, const kael_graph_node *node, kael_tensor **gradients) {
    kael_status status = KAEL_OK;
    for (int64_t i = 0; i < node->input_count; ++i) {
        if (status == KAEL_OK && node->inputs[i].node != NULL) {
            status = send(w, &node->inputs[i], gradients[i]);
        } else {
            kael_tensor_release(gradients[i]);
        }
    }
    return status;
}

/* Gradients of the inputs of a node whose own gradient is complete. */
static kael_status pass_through(walk *w, kael_graph_node *node, kael_tensor *gradient) {
    KAEL_TRY(kael_graph_require_usable(node));
    kael_block block;
    KAEL_TRY(
        kael_block_allocate_zeroed(&block, node->input_count * (int64_t)sizeof(kael_tensor *)));
    kael_tensor **gradients = block.data;
    kael_status status =
        gradient == NULL ? KAEL_OK : node->rule->function(node, gradient, gradients);
    if (status == KAEL_OK) {
        status = send_all(w, node, gradients);
    } else {
        for (int64_t i = 0; i < node->input_count; ++i) {
            kael_tensor_release(gradients[i]);
        }
    }
    kael_block_release(&block);
    return status;
}

static kael_status walk_back(walk *w, kael_graph_node *root) {
    KAEL_TRY(kael_node_stack_push(&w->stack, root));
    while (w->stack.count > 0) {
        kael_graph_node *node = w->stack.nodes[--w->stack.count];
        if (node->rule == NULL) {
            continue;
        }
        kael_node_entry *entry = kael_node_map_at(&w->map, node);
        kael_tensor *gradient = entry->gradient;
        entry->gradient = NULL;
        const kael_status status = pass_through(w, node, gradient);
        kael_tensor_release(gradient);
        KAEL_TRY(status);
        if (!w->keep_graph) {
            kael_graph_spend(node);
        }
    }
    return KAEL_OK;
}

/* Gives the leaves their gradients: what may fail comes first. */
static kael_status deliver(const walk *w) {
    for (int64_t i = 0; i < w->map.places; ++i) {
        kael_node_entry *entry = &w->map.entries[i];
        if (entry->node != NULL && entry->node->rule == NULL && entry->gradient != NULL) {
            if (entry->node->gradient != NULL) {
                KAEL_TRY(kael_gradient_add(&entry->gradient, entry->node->gradient));
            }
            KAEL_TRY(kael_gradient_own(&entry->gradient));
        }
    }
    for (int64_t i = 0; i < w->map.places; ++i) {
        kael_node_entry *entry = &w->map.entries[i];
        if (entry->node != NULL && entry->node->rule == NULL && entry->gradient != NULL) {
            kael_tensor_release(entry->node->gradient);
            entry->node->gradient = entry->gradient;
            entry->gradient = NULL;
        }
    }
    return KAEL_OK;
}

static kael_status run(walk *w, kael_graph_node *root, kael_tensor *gradient, bool keep_graph) {
    kael_status status = start(w, root, keep_graph);
    if (status == KAEL_OK) {
        kael_node_map_at(&w->map, root)->gradient = kael_tensor_retain(gradient);
        status = walk_back(w, root);
    }
    if (status == KAEL_OK) {
        status = deliver(w);
    }
    finish(w);
    return status;
}

static kael_status require_graph(const kael_tensor *tensor) {
    KAEL_TRY(kael_require_not_null(tensor, "tensor"));
    return tensor->node != NULL
               ? KAEL_OK
               : kael_error(KAEL_ERROR_STATE, "no operation was recorded that made tensor, and it "
                                              "requires no gradient itself");
}

static kael_status first_gradient(kael_tensor **out, const kael_tensor *tensor,
                                  const kael_tensor *gradient) {
    if (gradient != NULL) {
        KAEL_TRY(kael_tensor_require_dtype(gradient, "gradient", tensor->dtype));
        KAEL_TRY(kael_tensor_require_shape(gradient, "gradient", tensor->ndim, tensor->sizes));
        return kael_tensor_detach(out, gradient);
    }
    if (tensor->numel != 1) {
        char text[KAEL_SHAPE_TEXT_SIZE];
        return kael_error(KAEL_ERROR_SHAPE,
                          "tensor must have one element to be walked back from without a gradient, "
                          "and has shape %s",
                          kael_shape_text(text, tensor->ndim, tensor->sizes));
    }
    return kael_tensor_ones(out, tensor->dtype, tensor->ndim, tensor->sizes);
}

kael_status kael_backward_from(const kael_tensor *tensor, const kael_tensor *gradient,
                               bool keep_graph) {
    KAEL_TRY(require_graph(tensor));
    kael_tensor *first = NULL;
    KAEL_TRY(first_gradient(&first, tensor, gradient));
    walk w;
    const bool recording = kael_grad_mode_enabled();
    kael_set_grad_mode(false);
    kael_graph_retain(tensor->node);
    kael_graph_node *root = tensor->node;
    const kael_status status = run(&w, root, first, keep_graph);
    kael_graph_release(root);
    kael_set_grad_mode(recording);
    kael_tensor_release(first);
    return status;
}

kael_status kael_backward(const kael_tensor *tensor) {
    return kael_backward_from(tensor, NULL, false);
}

int64_t kael_graph_node_count(const kael_tensor *tensor) {
    if (tensor->node == NULL) {
        return 0;
    }
    walk w;
    const int64_t count = start(&w, tensor->node, true) == KAEL_OK ? w.map.count : 0;
    finish(&w);
    return count;
}
