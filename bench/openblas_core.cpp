#include "openblas_core.hpp"

#include <dlfcn.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace bench {

namespace {

// The name of the kernels that the library picks by itself, "" if it does not say. A library picks
// once, when it is loaded, so a child process asks it.
std::string detected_core(const std::string &file) {
    int ends[2];
    if (pipe(ends) != 0) {
        return "";
    }
    const pid_t child = fork();
    if (child == 0) {
        void *library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        void *symbol = library == nullptr ? nullptr : dlsym(library, "openblas_get_corename");
        if (symbol == nullptr) {
            _exit(1);
        }
        const char *name = reinterpret_cast<const char *(*)()>(symbol)();
        const ssize_t length = static_cast<ssize_t>(std::strlen(name));
        _exit(write(ends[1], name, static_cast<std::size_t>(length)) == length ? 0 : 1);
    }
    close(ends[1]);
    char name[64] = "";
    const ssize_t length = child > 0 ? read(ends[0], name, sizeof name - 1) : 0;
    close(ends[0]);
    if (child > 0) {
        waitpid(child, nullptr, 0);
    }
    return length > 0 ? name : "";
}

bool is_one_of(const std::string &name, std::initializer_list<const char *> names) {
    for (const char *each : names) {
        if (strcasecmp(name.c_str(), each) == 0) {
            return true;
        }
    }
    return false;
}

// The kernels that this machine deserves when OpenBLAS picked `core`; nullptr if its choice is
// fine.
const char *better_core(const std::string &core) {
#if defined(__x86_64__)
    // Zen is OpenBLAS's own choice for newer AMD processors, with or without AVX-512.
    if (core.empty() || is_one_of(core, {"SkylakeX", "Cooperlake", "Sapphirerapids", "Zen"})) {
        return nullptr;
    }
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")) {
        return "SkylakeX";
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        !is_one_of(core, {"Haswell"})) {
        return "Haswell";
    }
#else
    static_cast<void>(core);
#endif
    return nullptr;
}

} // namespace

std::string choose_openblas_core(const std::string &file) {
    if (std::getenv("OPENBLAS_CORETYPE") != nullptr) {
        return " (chosen by OPENBLAS_CORETYPE)";
    }
    const std::string detected = detected_core(file);
    const char *better = better_core(detected);
    if (better == nullptr) {
        return "";
    }
    setenv("OPENBLAS_CORETYPE", better, 1);
    return " (OPENBLAS_CORETYPE set here; by itself it falls back to " + detected + ")";
}

} // namespace bench
