// The tables of kael_ratio. Each prints itself.
#pragma once

#include <cstdint>
#include <vector>

#include "contest.hpp"

namespace bench {

struct Settings {
    int threads; // N
    Plan plan;
    bool quick;
};

void print_ladder_tables(const Settings &settings);
void print_matvec_tables(const Settings &settings);
void print_region_table(const Settings &settings);
void print_blis_tables(const Settings &settings);
void print_network_table(const Settings &settings);
void print_small_tables(const Settings &settings);

} // namespace bench
