#include "options.hpp"

#include <charconv>
#include <cstring>
#include <stdexcept>

namespace bench {

const char *const usage =
    R"(usage: kael_ratio [--table NAME]... [--threads N] [--rounds N] [--quick]

Compares kael with OpenBLAS and BLIS, and prints Markdown tables. All contestants of a table row run
in turns in this one process, so that their ratios hold where times move with clock and neighbours;
a ratio is the median over the rounds of the two times in one round. Their results are compared
before they are timed.

  --table NAME   only this table (may be repeated; default all):
                   ladder  kael_matmul_v1 to v6 and the dispatch, square sizes, 1 and N threads
                   matvec  matrix times vector and vector times matrix, every layout, 1 thread
                   region  an empty kael_parallel_for beside an empty OpenMP region
                   blis    kael's loop nest over BLIS's kernels beside BLIS's own gemm, 1 thread
                           (needs a kael that was configured with -Dkernels=blis)
                   small   small square sizes, N threads beside 1
                   network three layers of 256 as plain and as recorded operations
  --threads N    N in the tables (default: KAEL_NUM_THREADS, or the cores found)
  --rounds N     rounds of a row (default 11, with --quick 5)
  --quick        fewer sizes and shorter samples: all tables in about two minutes
  --help         print this

environment:
  KAEL_BENCH_OPENBLAS, KAEL_BENCH_BLIS   the opponents' shared libraries
  OPENBLAS_CORETYPE                      OpenBLAS's kernels; when it is unset and OpenBLAS takes the
                                         processor for an older one, kael_ratio sets it
  KAEL_ISA                               kael's instruction set
)";

namespace {

constexpr const char *TABLES[] = {"ladder", "matvec", "region", "blis", "small", "network"};

void add_table(Options &options, const std::string &name) {
    std::string known;
    for (const char *table : TABLES) {
        if (name == table) {
            options.tables.insert(name);
            return;
        }
        known += known.empty() ? table : std::string(", ") + table;
    }
    throw std::invalid_argument("--table must be one of " + known + ", got '" + name + "'");
}

int parse_count(const std::string &option, const std::string &text, int largest) {
    int count = 0;
    const char *end = text.data() + text.size();
    const std::from_chars_result result = std::from_chars(text.data(), end, count);
    if (result.ec != std::errc() || result.ptr != end || count < 1 || count > largest) {
        throw std::invalid_argument(option + " must be an integer between 1 and " +
                                    std::to_string(largest) + ", got '" + text + "'");
    }
    return count;
}

} // namespace

Options parse_options(int argc, char **argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string option = argv[i];
        if (option == "--quick") {
            options.quick = true;
        } else if (option == "--help") {
            options.help = true;
        } else if (option == "--table" || option == "--threads" || option == "--rounds") {
            if (i + 1 == argc) {
                throw std::invalid_argument(option + " needs a value");
            }
            const std::string value = argv[++i];
            if (option == "--table") {
                add_table(options, value);
            } else if (option == "--threads") {
                options.threads = parse_count(option, value, 1024);
            } else {
                options.rounds = parse_count(option, value, 1000);
            }
        } else {
            throw std::invalid_argument("unknown option '" + option + "'; see kael_ratio --help");
        }
    }
    return options;
}

} // namespace bench
