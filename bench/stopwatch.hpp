#pragma once

#include <chrono>

namespace bench {

class Stopwatch {
  public:
    double seconds() const {
        return std::chrono::duration<double>(Clock::now() - start_).count();
    }

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
};

template <typename Call> double time_of(const Call &call) {
    const Stopwatch watch;
    call();
    return watch.seconds();
}

} // namespace bench
