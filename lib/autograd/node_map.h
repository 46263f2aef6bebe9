/* What a walk over a graph knows of its nodes: a hash table with the node's address as the key. */
#ifndef KAEL_AUTOGRAD_NODE_MAP_H
#define KAEL_AUTOGRAD_NODE_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "memory/block.h"
#include "tensor/graph.h"

typedef struct kael_node_entry {
    kael_graph_node *node; /* NULL: a free place */
    kael_tensor *gradient; /* the sum of those that have arrived */
    int64_t pending;       /* uses of the node that have not sent theirs */
} kael_node_entry;

typedef struct kael_node_map {
    kael_node_entry *entries;
    int64_t places; /* a power of two */
    int64_t count;
    kael_block block;
} kael_node_map;

/* Errors: MEMORY. A map that failed to be made may be freed. */
KAEL_NODISCARD kael_status kael_node_map_init(kael_node_map *map);

/* Lets go of the map and of the gradients in it, not of the nodes. */
void kael_node_map_free(kael_node_map *map);

/* The entry of a node that is in the map; valid until the next insertion. */
kael_node_entry *kael_node_map_at(const kael_node_map *map, const kael_graph_node *node);

/* Finds or inserts the entry of a node. Errors: MEMORY. */
KAEL_NODISCARD kael_status kael_node_map_insert(kael_node_map *map, kael_graph_node *node,
                                                kael_node_entry **entry, bool *is_new);

/* A stack of nodes that grows. All zero is an empty one. */
typedef struct kael_node_stack {
    kael_graph_node **nodes;
    int64_t count;
    int64_t places;
    kael_block block;
} kael_node_stack;

/* Errors: MEMORY; the stack is then as it was. */
KAEL_NODISCARD kael_status kael_node_stack_push(kael_node_stack *stack, kael_graph_node *node);
void kael_node_stack_free(kael_node_stack *stack);

#endif
