/* Text in a caller's buffer, as snprintf writes it: what does not fit is counted but not kept. */
#ifndef KAEL_TENSOR_TEXT_H
#define KAEL_TENSOR_TEXT_H

#include <stddef.h>

typedef struct kael_text {
    char *buffer;
    size_t size;
    size_t length; /* of the whole text */
    size_t column; /* of the next character in its line */
    size_t spaces; /* the last of these, which go to the buffer before the next character */
} kael_text;

void kael_text_begin(kael_text *text, char *buffer, size_t size);

void kael_text_add(kael_text *text, const char *characters, size_t count);

/* Spaces may be dropped until a character follows. */
void kael_text_add_spaces(kael_text *text, size_t count);
void kael_text_drop_spaces(kael_text *text);

void kael_text_break_lines(kael_text *text, size_t count);

/* Ends the text with a null byte, if there is a buffer at all; returns its length. */
size_t kael_text_end(kael_text *text);

#endif
