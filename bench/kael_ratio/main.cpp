// kael_ratio: how fast kael is, as ratios to other libraries and to the machine's peak.

#include <cstdio>
#include <exception>
#include <stdexcept>

#include "check.hpp"
#include "isa_loops.hpp"
#include "kael/parallel.h"
#include "kael/version.h"
#include "markdown.hpp"
#include "opponents.hpp"
#include "options.hpp"
#include "tables.hpp"

namespace bench {

namespace {

Settings settings_for(const Options &options) {
    std::int64_t threads = 0;
    check(kael_get_num_threads(&threads));
    const Plan full = {options.rounds.value_or(11), 0.02, 5};
    const Plan quick = {options.rounds.value_or(5), 0.005, 1};
    return {options.threads.value_or(static_cast<int>(threads)), options.quick ? quick : full,
            options.quick};
}

void print_contestants(const Settings &settings) {
    const std::vector<Opponent> &others = opponents();
    std::printf("- kael: %s, instruction set %s, N = %s\n", kael_version(), isa_loops().isa,
                threads_text(settings.threads).c_str());
    for (const Opponent &opponent : others) {
        std::printf("- %s: %s\n", opponent.name.c_str(), opponent.description.c_str());
    }
    std::fflush(stdout);
}

struct Table {
    const char *name;
    void (*print)(const Settings &settings);
};

constexpr Table TABLES[] = {
    {"ladder", print_ladder_tables}, {"matvec", print_matvec_tables},
    {"region", print_region_table},  {"blis", print_blis_tables},
    {"small", print_small_tables},   {"network", print_network_table},
};

void run(const Options &options) {
    const Settings settings = settings_for(options);
    print_contestants(settings);
    for (const Table &table : TABLES) {
        if (options.wants(table.name)) {
            table.print(settings);
        }
    }
}

} // namespace

} // namespace bench

int main(int argc, char **argv) {
    try {
        const bench::Options options = bench::parse_options(argc, argv);
        if (options.help) {
            std::fputs(bench::usage, stdout);
            return 0;
        }
        bench::run(options);
        return 0;
    } catch (const std::invalid_argument &error) {
        std::fprintf(stderr, "kael_ratio: %s\n", error.what());
        return 2;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "kael_ratio: %s\n", error.what());
        return 1;
    }
}
