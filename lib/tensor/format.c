/* Tensors as text, laid out as NumPy does it. */
#include "kael/tensor.h"
#include "tensor/cell.h"
#include "tensor/tensor.h"
#include "tensor/text.h"

enum {
    LINE_WIDTH = 75,
    ELIDE_ABOVE = 1000, /* elements; smaller tensors are shown whole */
    EDGE = 3,           /* indices shown at either end of a long dimension */
    MOST_SHOWN = 10000, /* elements; outer dimensions that lead beyond show one index */
};

typedef struct printer printer;

/* What is done with each element that is shown, in order. */
typedef void element_visitor(printer *p, const void *element, bool is_first_of_row);

struct printer {
    const kael_tensor *tensor;
    int64_t leading[KAEL_MAX_DIMS];  /* indices shown from the first on */
    int64_t trailing[KAEL_MAX_DIMS]; /* indices shown up to the last */
    kael_cells cells;
    kael_text text;
    element_visitor *visitor;
};

static void choose_indices(printer *p) {
    const kael_tensor *t = p->tensor;
    int64_t shown = 1;
    for (int dim = t->ndim - 1; dim >= 0; --dim) {
        const int64_t size = t->sizes[dim];
        const bool elided = t->numel > ELIDE_ABOVE && size > 2 * EDGE;
        p->leading[dim] = elided ? EDGE : size;
        p->trailing[dim] = elided ? EDGE : 0;
        if (shown * (p->leading[dim] + p->trailing[dim]) > MOST_SHOWN) {
            p->leading[dim] = 1;
            p->trailing[dim] = 0;
        }
        shown *= p->leading[dim] + p->trailing[dim];
    }
}

/* Starts an element of a row, or the dots in it: on a new line if it does not fit on this one. */
static void begin_word(printer *p, size_t width, bool is_first_of_row) {
    kael_text *text = &p->text;
    if (is_first_of_row) {
        return;
    }
    const size_t ndim = (size_t)p->tensor->ndim;
    const size_t line_end = LINE_WIDTH - ndim;
    if (text->column + 1 + width > line_end) {
        kael_text_drop_spaces(text);
        kael_text_break_lines(text, 1);
        kael_text_add_spaces(text, ndim);
    } else {
        kael_text_add_spaces(text, 1);
    }
}

static void measure_element(printer *p, const void *element, bool is_first_of_row) {
    (void)is_first_of_row;
    kael_cells_measure(&p->cells, element);
}

static void write_element(printer *p, const void *element, bool is_first_of_row) {
    begin_word(p, kael_cells_width(&p->cells), is_first_of_row);
    kael_cells_write(&p->cells, element, &p->text);
}

/* What stands between two items of a dimension that is not the last. */
static void begin_item(printer *p, int dim, bool is_first) {
    if (!is_first) {
        kael_text_break_lines(&p->text, (size_t)(p->tensor->ndim - dim - 1));
        kael_text_add_spaces(&p->text, (size_t)dim + 1);
    }
}

static void begin_dots(printer *p, int dim) {
    static const char dots[] = "...";
    if (dim == p->tensor->ndim - 1) {
        begin_word(p, sizeof dots - 1, false);
    } else {
        begin_item(p, dim, false);
    }
    kael_text_add(&p->text, dots, sizeof dots - 1);
}

/* A level for each dimension. NOLINTBEGIN(misc-no-recursion) */
static void visit(printer *p, int dim, const char *data);

static void visit_index(printer *p, int dim, const char *data, int64_t index) {
    const kael_tensor *t = p->tensor;
    const int64_t stride = kael_tensor_strides(t)[dim] * kael_dtype_size(t->dtype);
    const char *item = data + index * stride;
    if (dim == t->ndim - 1) {
        p->visitor(p, item, index == 0);
    } else {
        begin_item(p, dim, index == 0);
        visit(p, dim + 1, item);
    }
}

/* The elements from `data` on, over dimension `dim` and those behind it. */
static void visit(printer *p, int dim, const char *data) {
    const int64_t size = p->tensor->sizes[dim];
    const int64_t shown_again = size - p->trailing[dim];
    kael_text_add(&p->text, "[", 1);
    for (int64_t i = 0; i < p->leading[dim]; ++i) {
        visit_index(p, dim, data, i);
    }
    if (shown_again > p->leading[dim]) {
        begin_dots(p, dim);
    }
    for (int64_t i = shown_again; i < size; ++i) {
        visit_index(p, dim, data, i);
    }
    kael_text_add(&p->text, "]", 1);
}
/* NOLINTEND(misc-no-recursion) */

static void visit_all(printer *p, element_visitor *visitor, char *buffer, size_t size) {
    p->visitor = visitor;
    kael_text_begin(&p->text, buffer, size);
    if (p->tensor->numel == 0) {
        kael_text_add(&p->text, "[]", 2);
    } else if (p->tensor->ndim == 0) {
        visitor(p, p->tensor->data, true);
    } else {
        visit(p, 0, p->tensor->data);
    }
}

size_t kael_tensor_format(char *buffer, size_t size, const kael_tensor *tensor) {
    printer p = {.tensor = tensor};
    choose_indices(&p);
    kael_cells_begin(&p.cells, tensor->dtype, tensor->ndim == 0);
    visit_all(&p, measure_element, NULL, 0);
    kael_cells_settle(&p.cells);
    visit_all(&p, write_element, buffer, size);
    return kael_text_end(&p.text);
}
