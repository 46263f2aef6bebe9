#include "autograd/node_map.h"

#include <stddef.h>
#include <string.h>

#include "core/error.h"

#define FIRST_PLACES 64

static kael_status create(kael_node_map *map, int64_t places) {
    memset(map, 0, sizeof *map);
    KAEL_TRY(kael_block_allocate_zeroed(&map->block, places * (int64_t)sizeof(kael_node_entry)));
    map->entries = map->block.data;
    map->places = places;
    return KAEL_OK;
}

kael_status kael_node_map_init(kael_node_map *map) {
    return create(map, FIRST_PLACES);
}

void kael_node_map_free(kael_node_map *map) {
    for (int64_t i = 0; i < map->places; ++i) {
        kael_tensor_release(map->entries[i].gradient);
    }
    kael_block_release(&map->block);
    memset(map, 0, sizeof *map);
}

/* The node's place, or the free one where it belongs. Blocks are 64 bytes apart at least, and the
 * multiplication spreads what is left of the address. */
static kael_node_entry *find(const kael_node_map *map, const kael_graph_node *node) {
    const uint64_t mask = (uint64_t)map->places - 1;
    uint64_t place = (((uint64_t)(uintptr_t)node >> 6) * UINT64_C(0x9E3779B97F4A7C15)) >> 32;
    while (map->entries[place & mask].node != NULL && map->entries[place & mask].node != node) {
        ++place;
    }
    return &map->entries[place & mask];
}

kael_node_entry *kael_node_map_at(const kael_node_map *map, const kael_graph_node *node) {
    return find(map, node);
}

static kael_status grow(kael_node_map *map) {
    kael_node_map larger;
    KAEL_TRY(create(&larger, 2 * map->places));
    larger.count = map->count;
    for (int64_t i = 0; i < map->places; ++i) {
        if (map->entries[i].node != NULL) {
            *find(&larger, map->entries[i].node) = map->entries[i];
        }
    }
    kael_block_release(&map->block);
    *map = larger;
    return KAEL_OK;
}

kael_status kael_node_map_insert(kael_node_map *map, kael_graph_node *node, kael_node_entry **entry,
                                 bool *is_new) {
    if (2 * (map->count + 1) > map->places) {
        KAEL_TRY(grow(map));
    }
    *entry = find(map, node);
    *is_new = (*entry)->node == NULL;
    if (*is_new) {
        (*entry)->node = node;
        map->count += 1;
    }
    return KAEL_OK;
}

kael_status kael_node_stack_push(kael_node_stack *stack, kael_graph_node *node) {
    if (stack->count == stack->places) {
        const int64_t places = stack->places == 0 ? FIRST_PLACES : 2 * stack->places;
        kael_block block;
        KAEL_TRY(kael_block_allocate(&block, places * (int64_t)sizeof(void *)));
        if (stack->count > 0) {
            memcpy(block.data, stack->nodes, (size_t)stack->count * sizeof(void *));
        }
        kael_block_release(&stack->block);
        stack->block = block;
        stack->nodes = block.data;
        stack->places = places;
    }
    stack->nodes[stack->count++] = node;
    return KAEL_OK;
}

void kael_node_stack_free(kael_node_stack *stack) {
    kael_block_release(&stack->block);
    memset(stack, 0, sizeof *stack);
}
