// Turns a failed status of kael into an exception.
#pragma once

#include <stdexcept>
#include <string>

#include "kael/status.h"

namespace bench {

inline void check(kael_status status) {
    if (status != KAEL_OK) {
        throw std::runtime_error(std::string(kael_status_string(status)) + ": " +
                                 kael_last_error_message());
    }
}

} // namespace bench
