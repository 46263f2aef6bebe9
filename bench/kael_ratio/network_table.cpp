// What recording operations costs, on a network whose products are small.

#include <set>

#include "markdown.hpp"
#include "network.hpp"
#include "tables.hpp"

namespace bench {

namespace {

constexpr int PASSES = 200;

struct Row {
    const char *layer;
    LayerKind kind;
};

constexpr Row ROWS[] = {
    {"x.matmul(w.t()) + b, relu", LayerKind::COMPOSED},
    {"linear(x, w, b), relu", LayerKind::LINEAR},
};

std::vector<std::string> measure(const Settings &settings, const Row &row, int threads) {
    const Network plain(row.kind, false);
    const Network recorded(row.kind, true);
    Contest contest;
    const std::size_t without = contest.add(threads, [&plain] { plain.forward_times(PASSES); });
    const std::size_t with = contest.add(threads, [&recorded] { recorded.forward_times(PASSES); });
    const std::size_t backward = contest.add(threads, [&recorded] {
        for (int pass = 0; pass < PASSES; ++pass) {
            recorded.forward_and_backward();
        }
    });
    contest.run(settings.plan);
    return {row.layer,
            std::to_string(threads),
            decimal(contest.seconds(without) * 1e3, 2),
            decimal(contest.seconds(with) * 1e3, 2),
            decimal(contest.speedup(without, with), 3),
            decimal(contest.seconds(backward) * 1e3, 2)};
}

} // namespace

void print_network_table(const Settings &settings) {
    const MarkdownTable table("Three layers of 256, batch 64, 200 passes, milliseconds",
                              {"layer", "threads", "plain", "recorded",
                               "recorded / plain (at most 1.05)", "with backward"});
    for (const Row &row : ROWS) {
        for (const int threads : std::set<int>{1, settings.threads}) {
            table.row(measure(settings, row, threads));
        }
    }
}

} // namespace bench
