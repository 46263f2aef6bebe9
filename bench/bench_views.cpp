// What a tensor costs besides its elements: views, small tensors, and large ones that are touched.
#include <cstdlib>

#include "bench_common.hpp"
#include "tensor.hpp"

namespace bench {

namespace {

constexpr std::int64_t ROWS = 2048;
constexpr std::int64_t COLUMNS = 2048;
constexpr std::int64_t PAGE = 4096;

Tensor matrix() {
    const std::int64_t shape[] = {ROWS, COLUMNS};
    kael_tensor *tensor = nullptr;
    check(kael_tensor_zeros(&tensor, KAEL_F32, 2, shape));
    return Tensor(tensor);
}

// Creates and releases a view of a matrix: View(&out, matrix) makes it.
template <typename View> void add_view(const std::string &name, View view) {
    add_benchmark("BM_View<" + name + ">", [=](benchmark::State &state) {
        const Tensor of = matrix();
        run_loop(state, [&] {
            kael_tensor *out = nullptr;
            check(view(&out, of.get()));
            kael_tensor_release(out);
        });
    });
}

void add_views() {
    using Out = kael_tensor **;
    using In = const kael_tensor *;
    add_view("transpose", [](Out out, In t) { return kael_tensor_transpose(out, t, 0, 1); });
    add_view("slice", [](Out out, In t) { return kael_tensor_slice(out, t, 1, 0, COLUMNS, 2); });
    add_view("select", [](Out out, In t) { return kael_tensor_select(out, t, 0, 7); });
    add_view("narrow", [](Out out, In t) { return kael_tensor_narrow(out, t, 0, 7, 9); });
    add_view("unsqueeze", [](Out out, In t) { return kael_tensor_unsqueeze(out, t, 0); });
    add_view("detach", [](Out out, In t) { return kael_tensor_detach(out, t); });
    add_view("reshape", [](Out out, In t) {
        const std::int64_t shape[] = {16, -1, COLUMNS};
        return kael_tensor_reshape(out, t, 3, shape);
    });
    add_view("broadcast_to", [](Out out, In t) {
        const std::int64_t shape[] = {16, ROWS, COLUMNS};
        return kael_tensor_broadcast_to(out, t, 3, shape);
    });
}

// One byte of each page, as first uses of memory do.
void touch(void *memory, std::int64_t bytes) {
    volatile char *data = static_cast<char *>(memory);
    for (std::int64_t i = 0; i < bytes; i += PAGE) {
        data[i] = 1;
    }
}

void touch_tensor(std::int64_t bytes) {
    kael_tensor *tensor = nullptr;
    check(kael_tensor_empty(&tensor, KAEL_U8, 1, &bytes));
    touch(kael_tensor_data(tensor), bytes);
    kael_tensor_release(tensor);
}

void touch_malloc(std::int64_t bytes) {
    void *memory = std::malloc(static_cast<std::size_t>(bytes));
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    touch(memory, bytes);
    std::free(memory);
}

// Allocates, touches and frees in a loop.
void add_allocation(const std::string &who, void (*allocate)(std::int64_t), std::int64_t bytes) {
    add_benchmark("BM_AllocateTouchFree<" + who + ">/" + std::to_string(bytes),
                  [=](benchmark::State &state) { run_loop(state, [=] { allocate(bytes); }); });
}

} // namespace

void register_view_benchmarks() {
    add_views();
    constexpr std::int64_t MEBIBYTE = 1 << 20;
    for (const std::int64_t bytes :
         {std::int64_t{16}, MEBIBYTE, 4 * MEBIBYTE, 32 * MEBIBYTE, 64 * MEBIBYTE}) {
        add_allocation("kael", touch_tensor, bytes);
        add_allocation("malloc", touch_malloc, bytes);
    }
}

} // namespace bench
