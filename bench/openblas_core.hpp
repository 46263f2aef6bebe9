// Keeps OpenBLAS from running old kernels on a new processor.
#pragma once

#include <string>

namespace bench {

// OpenBLAS picks kernels by processor model and takes one that is newer than itself for an old
// Pentium 4 (0.3.21: Sapphire Rapids for "Prescott"), which costs three quarters of its speed. If
// OPENBLAS_CORETYPE is unset and the detection of the library in `file` falls below the machine's
// instruction set, sets OPENBLAS_CORETYPE and returns a remark that says so; else returns "".
std::string choose_openblas_core(const std::string &file);

} // namespace bench
