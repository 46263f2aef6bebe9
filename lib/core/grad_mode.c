#include "kael/autograd.h"

static _Thread_local bool recording = true;

bool kael_grad_mode_enabled(void) {
    return recording;
}

void kael_set_grad_mode(bool enabled) {
    recording = enabled;
}
