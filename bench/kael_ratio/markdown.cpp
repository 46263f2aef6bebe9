#include "markdown.hpp"

#include <cmath>
#include <cstdio>

namespace bench {

namespace {

void print_line(const std::vector<std::string> &cells) {
    for (const std::string &cell : cells) {
        std::printf("| %s ", cell.c_str());
    }
    std::puts("|");
    std::fflush(stdout);
}

} // namespace

MarkdownTable::MarkdownTable(const std::string &title, const std::vector<std::string> &columns) {
    std::printf("\n### %s\n\n", title.c_str());
    print_line(columns);
    print_line(std::vector<std::string>(columns.size(), "---"));
}

void MarkdownTable::row(const std::vector<std::string> &cells) const {
    print_line(cells);
}

std::string decimal(double value, int digits) {
    if (std::isnan(value)) {
        return "-";
    }
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", digits, value);
    return text;
}

std::string threads_text(int threads) {
    return std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

} // namespace bench
