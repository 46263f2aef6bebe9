#pragma once

#include <string>
#include <vector>

namespace bench {

// A table that is printed row by row, as results come in.
class MarkdownTable {
  public:
    MarkdownTable(const std::string &title, const std::vector<std::string> &columns);
    void row(const std::vector<std::string> &cells) const;
};

// "-" for a number that does not exist (NaN).
std::string decimal(double value, int digits);

// "1 thread", "2 threads"
std::string threads_text(int threads);

} // namespace bench
