// Times several ways of doing the same thing, in turns, so that what moves with time (the clock,
// the neighbours) hits all of them and ratios stay true.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace bench {

struct Plan {
    int rounds;
    double sample_seconds;     // a sample repeats a call to last about as long
    double contestant_seconds; // a slow contestant drops out after as much time
};

class Contest {
  public:
    // Returns the contestant's number.
    std::size_t add(int threads, std::function<void()> call);

    void run(const Plan &plan);

    // Of one call: the median of all rounds.
    double seconds(std::size_t contestant) const;

    // How many times as fast as the other it is: the median over the rounds that both took part in.
    double speedup(std::size_t contestant, std::size_t other) const;

  private:
    struct Contestant {
        int threads;
        std::function<void()> call;
        long repetitions;
        double spent;
        std::vector<double> samples; // seconds of one call, by round
    };

    static double time_repetitions(const Contestant &contestant);
    static void calibrate(Contestant &contestant, const Plan &plan);
    static void take_sample(Contestant &contestant, const Plan &plan);

    std::vector<Contestant> contestants_;
};

} // namespace bench
