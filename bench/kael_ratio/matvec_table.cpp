#include "markdown.hpp"
#include "matmul_versions.hpp"
#include "matvec.hpp"
#include "product_row.hpp"
#include "tables.hpp"

namespace bench {

namespace {

std::string gemv_name(const Opponent &opponent) {
    return opponent.name + " gemv";
}

std::vector<std::string> headers() {
    std::vector<std::string> headers = {"m x k x n", "matrix, vector", "kael"};
    for (const Opponent &opponent : opponents()) {
        headers.insert(headers.end(), {opponent.name + " gemm", gemv_name(opponent)});
    }
    headers.insert(headers.end(), {"reading", "kael / reading", "kael / best opponent's gemm"});
    return headers;
}

template <typename T>
std::vector<std::string> measure(const Settings &settings, const MatvecCase &matvec) {
    MatvecProblem<T> matvec_problem(matvec);
    const Product<T> &product = matvec_problem.product();
    const Buffer<T> &matrix = matvec_problem.matrix();
    ProductRow<T> row(matvec_problem.problem());
    row.add("kael", 1, [&] { kael_gemm(product); });
    row.add_opponents(1);
    for (const Opponent &opponent : opponents()) {
        if (opponent.present) {
            row.add(gemv_name(opponent), 1, [&] { opponent.gemv(product); });
        }
    }
    row.add_yardstick("reading", 1, [&] { read_all(matrix.data(), matrix.bytes()); });
    row.run(settings.plan);

    const auto speed = [&](const std::string &name) {
        return decimal(static_cast<double>(matrix.bytes()) / row.seconds(name) / 1e9, 1);
    };
    std::vector<std::string> cells = {matvec.shape(), matvec.layout(), speed("kael")};
    for (const Opponent &opponent : opponents()) {
        cells.insert(cells.end(), {speed(opponent.name), speed(gemv_name(opponent))});
    }
    cells.insert(cells.end(), {speed("reading"), decimal(row.speedup("kael", "reading"), 3),
                               decimal(row.speedup_over_best_opponent("kael"), 3)});
    return cells;
}

template <typename T> void print_table(const Settings &settings) {
    const MarkdownTable table("Matrix and vector, along or across k in memory, " +
                                  std::string(Element<T>::name) + ", 1 thread, GB/s of the matrix",
                              headers());
    for (const MatvecCase &matvec : matvec_cases()) {
        table.row(measure<T>(settings, matvec));
    }
}

} // namespace

void print_matvec_tables(const Settings &settings) {
    print_table<float>(settings);
    print_table<double>(settings);
}

} // namespace bench
