/* Feeding the elements of outputs to a reducer, panel by panel. */
#ifndef KAEL_OPS_REDUCE_PANELS_H
#define KAEL_OPS_REDUCE_PANELS_H

#include "kael/dtype.h"
#include "kernels/copy.h"
#include "ops/reduce_plan.h"
#include "ops/reduction.h"

/* What panels are made of. */
typedef struct kael_panel_source {
    const kael_reduce_plan *plan;
    kael_dtype in_dtype;
    kael_dtype panel_dtype;
    int64_t in_size; /* of an element */
    const kael_copy_kernels *copies;
} kael_panel_source;

/* Neighbouring outputs, whose first elements lie `stride` elements apart. */
typedef struct kael_panel_outputs {
    const char *data;
    int64_t width; /* at most KAEL_REDUCE_WIDTH, or KAEL_PACKED_WIDTH where not direct */
    int64_t stride;
} kael_panel_outputs;

/* The most outputs of packed panels. */
enum { KAEL_PACKED_WIDTH = 256 };

/* Whether a pass reads panels in the tensor itself. */
bool kael_panels_are_direct(const kael_panel_source *source, const kael_reduce_pass *pass);

/* Reduces elements number first ... first + count - 1, of one block, of every output. */
void kael_panels_reduce(const kael_panel_source *source, const kael_reduce_pass *pass,
                        const kael_panel_outputs *outputs, int64_t first, int64_t count,
                        const double *parameters, void *totals);

#endif
