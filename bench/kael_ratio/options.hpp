#pragma once

#include <optional>
#include <set>
#include <string>

namespace bench {

struct Options {
    std::set<std::string> tables; // empty: all
    std::optional<int> threads;   // unset: kael's own count
    std::optional<int> rounds;
    bool quick = false;
    bool help = false;

    bool wants(const std::string &table) const {
        return tables.empty() || tables.count(table) != 0;
    }
};

extern const char *const usage;

// Throws std::invalid_argument with a message for the user.
Options parse_options(int argc, char **argv);

} // namespace bench
