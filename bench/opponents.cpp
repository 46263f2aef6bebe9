#include "opponents.hpp"

#include <dlfcn.h>
#include <glob.h>
#include <link.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <type_traits>

#include "check.hpp"
#include "kael/parallel.h"
#include "openblas_core.hpp"

namespace bench {

namespace {

constexpr int ROW_MAJOR = 101;
constexpr int NO_TRANSPOSE = 111;
constexpr int TRANSPOSE = 112;

// A matrix as BLAS sees it: as stored, or the transpose of what is stored.
struct Stored {
    int transpose;
    int leading;
};

Stored stored(const Strides &strides) {
    if (strides.column == 1) {
        return {NO_TRANSPOSE, static_cast<int>(strides.row)};
    }
    return {TRANSPOSE, static_cast<int>(strides.column)};
}

template <typename T> void call_gemm(const Cblas<T> &blas, const Product<T> &product) {
    const Stored a = stored(product.a.strides);
    const Stored b = stored(product.b.strides);
    const int n = static_cast<int>(product.sizes.n);
    blas.gemm(ROW_MAJOR, a.transpose, b.transpose, static_cast<int>(product.sizes.m), n,
              static_cast<int>(product.sizes.k), 1, product.a.data, a.leading, product.b.data,
              b.leading, 1, product.out, n);
}

template <typename T> void call_gemv(const Cblas<T> &blas, const Product<T> &product) {
    const Sizes &sizes = product.sizes;
    const bool on_the_right = sizes.n == 1;
    const Strides &b = product.b.strides;
    const Matrix<T> matrix =
        on_the_right ? product.a : Matrix<T>{product.b.data, {b.column, b.row}};
    const T *vector = on_the_right ? product.b.data : product.a.data;
    const std::int64_t step = on_the_right ? b.row : product.a.strides.column;
    const Stored form = stored(matrix.strides);
    const int outputs = static_cast<int>(on_the_right ? sizes.m : sizes.n);
    const int inner = static_cast<int>(sizes.k);
    const bool as_stored = form.transpose == NO_TRANSPOSE;
    blas.gemv(ROW_MAJOR, form.transpose, as_stored ? outputs : inner, as_stored ? inner : outputs,
              1, matrix.data, form.leading, vector, static_cast<int>(step), 1, product.out, 1);
}

// The opponents' own symbols come before those of libraries that are already loaded: a BLIS inside
// kael, or another BLAS with the same names.
constexpr int LOAD_MODE = RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND;

class Library {
  public:
    explicit Library(const std::string &file) : handle_(dlopen(file.c_str(), LOAD_MODE)) {
        if (handle_ == nullptr) {
            throw std::runtime_error(dlerror());
        }
    }

    template <typename Function> Function *find(const char *symbol) const {
        void *address = dlsym(handle_, symbol);
        if (address == nullptr) {
            throw std::runtime_error(path() + " has no " + symbol);
        }
        return reinterpret_cast<Function *>(address);
    }

    // The file itself, behind all links.
    std::string path() const {
        const link_map *map = nullptr;
        if (dlinfo(handle_, RTLD_DI_LINKMAP, &map) != 0) {
            throw std::runtime_error(dlerror());
        }
        return std::filesystem::canonical(map->l_name).string();
    }

  private:
    void *handle_; // never closed: libraries leave threads behind
};

void find_cblas(Opponent &opponent, const Library &library) {
    opponent.f32.gemm =
        library.find<std::remove_pointer_t<decltype(opponent.f32.gemm)>>("cblas_sgemm");
    opponent.f64.gemm =
        library.find<std::remove_pointer_t<decltype(opponent.f64.gemm)>>("cblas_dgemm");
    opponent.f32.gemv =
        library.find<std::remove_pointer_t<decltype(opponent.f32.gemv)>>("cblas_sgemv");
    opponent.f64.gemv =
        library.find<std::remove_pointer_t<decltype(opponent.f64.gemv)>>("cblas_dgemv");
}

void load_openblas(Opponent &opponent, const std::string &file) {
    const std::string remark = choose_openblas_core(file);
    const Library library(file);
    find_cblas(opponent, library);
    opponent.set_threads = library.find<void(int)>("openblas_set_num_threads");
    opponent.description =
        std::string(library.find<const char *()>("openblas_get_config")()) + ", core type " +
        library.find<const char *()>("openblas_get_corename")() + remark + ", " + library.path();
}

const char *blis_threading(const Library &library) {
    if (library.find<std::int64_t()>("bli_info_get_enable_openmp")() != 0) {
        return "OpenMP";
    }
    return library.find<std::int64_t()>("bli_info_get_enable_pthreads")() != 0 ? "pthreads"
                                                                               : "no threads";
}

void load_blis(Opponent &opponent, const std::string &file) {
    const Library library(file);
    if (library.find<std::int64_t()>("bli_info_get_blas_int_type_size")() != 32) {
        throw std::runtime_error(library.path() + " does not use 32-bit integers in its BLAS");
    }
    find_cblas(opponent, library);
    opponent.set_threads = library.find<void(std::int64_t)>("bli_thread_set_num_threads");
    const int architecture = library.find<int()>("bli_arch_query_id")();
    opponent.description = std::string(library.find<const char *()>("bli_info_get_version_str")()) +
                           ", " + blis_threading(library) + ", kernels for " +
                           library.find<const char *(int)>("bli_arch_string")(architecture) + ", " +
                           library.path();
}

// How to find and load one library.
struct Recipe {
    const char *name;
    const char *variable;               // names the file
    std::vector<const char *> patterns; // the best build first
    void (*load)(Opponent &opponent, const std::string &file);
};

// Debian keeps each threading variant in a directory of its own. The OpenMP build of OpenBLAS is
// the one that holds up with short products on several threads; the OpenMP build of BLIS brings a
// second OpenMP runtime into programs built with clang.
const Recipe recipes[] = {
    {"OpenBLAS",
     "KAEL_BENCH_OPENBLAS",
     {"/usr/lib/*/openblas-openmp/libopenblas.so.0", "/usr/lib/*/openblas-pthread/libopenblas.so.0",
      "libopenblas.so.0", "libopenblas.so"},
     load_openblas},
    {"BLIS",
     "KAEL_BENCH_BLIS",
     {"/usr/lib/*/blis-pthread/libblis.so.4", "/usr/lib/*/blis-openmp/libblis.so.4", "libblis.so.4",
      "libblis.so"},
     load_blis},
};

// The files that a pattern names; a name without a directory is left to the loader's search.
std::vector<std::string> expand(const std::string &pattern) {
    if (pattern.find('/') == std::string::npos) {
        return {pattern};
    }
    glob_t found = {};
    glob(pattern.c_str(), 0, nullptr, &found);
    std::vector<std::string> files(found.gl_pathv, found.gl_pathv + found.gl_pathc);
    globfree(&found);
    return files;
}

Opponent load(const Recipe &recipe) {
    Opponent opponent;
    opponent.name = recipe.name;
    const char *named = std::getenv(recipe.variable);
    if (named != nullptr) {
        recipe.load(opponent, named);
        opponent.present = true;
        return opponent;
    }
    for (const char *pattern : recipe.patterns) {
        for (const std::string &file : expand(pattern)) {
            try {
                recipe.load(opponent, file);
                opponent.present = true;
                return opponent;
            } catch (const std::runtime_error &) {
                // A file of another architecture, say; the next one may do.
            }
        }
    }
    opponent.description = std::string("absent (") + recipe.variable + " can name its file)";
    return opponent;
}

} // namespace

void Opponent::gemm(const Product<float> &product) const {
    call_gemm(f32, product);
}

void Opponent::gemm(const Product<double> &product) const {
    call_gemm(f64, product);
}

void Opponent::gemv(const Product<float> &product) const {
    call_gemv(f32, product);
}

void Opponent::gemv(const Product<double> &product) const {
    call_gemv(f64, product);
}

const std::vector<Opponent> &opponents() {
    static const std::vector<Opponent> loaded = [] {
        std::vector<Opponent> all;
        for (const Recipe &recipe : recipes) {
            all.push_back(load(recipe));
        }
        return all;
    }();
    return loaded;
}

void use_threads(int threads) {
    check(kael_set_num_threads(threads));
    for (const Opponent &opponent : opponents()) {
        if (opponent.present) {
            opponent.set_threads(threads);
        }
    }
}

} // namespace bench
