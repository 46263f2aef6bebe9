#include "contest.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <utility>

#include "opponents.hpp"
#include "stopwatch.hpp"

namespace bench {

namespace {

double seconds_on(clockid_t clock) {
    timespec time = {};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double seconds_of_other_threads() {
    return seconds_on(CLOCK_PROCESS_CPUTIME_ID) - seconds_on(CLOCK_THREAD_CPUTIME_ID);
}

// The threads of most runtimes go on spinning for a while after their work, for up to 0.2 seconds.
// Waits until the last contestant's no longer take the cores from the next one's.
void let_other_threads_sleep() {
    constexpr timespec pause = {0, 2000000};
    const Stopwatch watch;
    double before = seconds_of_other_threads();
    while (watch.seconds() < 0.5) {
        nanosleep(&pause, nullptr);
        const double now = seconds_of_other_threads();
        if (now - before < 1e-4) {
            return;
        }
        before = now;
    }
}

double median(std::vector<double> values) {
    if (values.empty()) {
        return std::nan("");
    }
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 != 0 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

} // namespace

std::size_t Contest::add(int threads, std::function<void()> call) {
    contestants_.push_back({threads, std::move(call), 1, 0, {}});
    return contestants_.size() - 1;
}

void Contest::run(const Plan &plan) {
    for (Contestant &contestant : contestants_) {
        calibrate(contestant, plan);
    }
    for (int round = 0; round < plan.rounds; ++round) {
        for (std::size_t i = 0; i < contestants_.size(); ++i) {
            // Back and forth, so that nobody always follows the same one.
            const std::size_t turn = round % 2 == 0 ? i : contestants_.size() - 1 - i;
            take_sample(contestants_[turn], plan);
        }
    }
}

double Contest::time_repetitions(const Contestant &contestant) {
    return time_of([&] {
        for (long i = 0; i < contestant.repetitions; ++i) {
            contestant.call();
        }
    });
}

void Contest::calibrate(Contestant &contestant, const Plan &plan) {
    use_threads(contestant.threads);
    for (;;) {
        double seconds = time_repetitions(contestant);
        if (seconds < 4 * plan.sample_seconds) { // an interruption is not work
            seconds = std::min(seconds, time_repetitions(contestant));
        }
        if (seconds > plan.sample_seconds / 2) {
            return;
        }
        const double growth = plan.sample_seconds / std::max(seconds, 1e-9);
        contestant.repetitions *= std::clamp(static_cast<long>(growth), 2L, 100L);
    }
}

void Contest::take_sample(Contestant &contestant, const Plan &plan) {
    if (contestant.spent > plan.contestant_seconds) {
        return;
    }
    use_threads(contestant.threads);
    let_other_threads_sleep();
    if (contestant.repetitions > 1) {
        contestant.call(); // wakes threads and fills caches
    }
    const double seconds = time_repetitions(contestant);
    contestant.spent += seconds;
    contestant.samples.push_back(seconds / static_cast<double>(contestant.repetitions));
}

double Contest::seconds(std::size_t contestant) const {
    return median(contestants_[contestant].samples);
}

double Contest::speedup(std::size_t contestant, std::size_t other) const {
    const std::vector<double> &own = contestants_[contestant].samples;
    const std::vector<double> &others = contestants_[other].samples;
    std::vector<double> ratios;
    for (std::size_t round = 0; round < std::min(own.size(), others.size()); ++round) {
        ratios.push_back(others[round] / own[round]);
    }
    return median(ratios);
}

} // namespace bench
