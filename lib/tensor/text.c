#include "tensor/text.h"

void kael_text_begin(kael_text *text, char *buffer, size_t size) {
    *text = (kael_text){.buffer = buffer, .size = size};
}

static void put(kael_text *text, char character) {
    if (text->length + 1 < text->size) {
        text->buffer[text->length] = character;
    }
    ++text->length;
    ++text->column;
}

static void put_spaces(kael_text *text) {
    for (; text->spaces > 0; --text->spaces) {
        --text->column;
        put(text, ' ');
    }
}

void kael_text_add(kael_text *text, const char *characters, size_t count) {
    put_spaces(text);
    for (size_t i = 0; i < count; ++i) {
        put(text, characters[i]);
    }
}

void kael_text_add_spaces(kael_text *text, size_t count) {
    text->spaces += count;
    text->column += count;
}

void kael_text_drop_spaces(kael_text *text) {
    text->column -= text->spaces;
    text->spaces = 0;
}

void kael_text_break_lines(kael_text *text, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        kael_text_add(text, "\n", 1);
    }
    text->column = 0;
}

size_t kael_text_end(kael_text *text) {
    put_spaces(text);
    if (text->size > 0) {
        text->buffer[text->length < text->size ? text->length : text->size - 1] = '\0';
    }
    return text->length;
}
