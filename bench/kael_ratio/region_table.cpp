#include <set>

#include "markdown.hpp"
#include "regions.hpp"
#include "tables.hpp"

namespace bench {

void print_region_table(const Settings &settings) {
    const MarkdownTable table("An empty parallel region, microseconds",
                              {"threads", "kael_parallel_for", "OpenMP region", "kael / OpenMP"});
    for (const int threads : std::set<int>{2, settings.threads}) {
        Contest contest;
        const std::size_t kael = contest.add(threads, [=] { empty_kael_region(threads); });
        const std::size_t openmp = contest.add(threads, [=] { empty_openmp_region(threads); });
        contest.run(settings.plan);
        table.row({std::to_string(threads), decimal(contest.seconds(kael) * 1e6, 2),
                   decimal(contest.seconds(openmp) * 1e6, 2),
                   decimal(contest.speedup(openmp, kael), 3)});
    }
}

} // namespace bench
