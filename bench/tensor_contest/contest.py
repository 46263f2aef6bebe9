"""Contestants that run in turns, and what their times say."""

import statistics
import time


class Contestant:
    """Something to time: run(repeats) returns the seconds of that many repeats, or None if it
    cannot run here."""

    def __init__(self, name, run):
        self.name = name
        self.run = run


def python_loop(function):
    """A contestant's run from a Python function; the interpreter's calls are part of its time."""

    def run(repeats):
        start = time.perf_counter()
        for _ in range(repeats):
            function()
        return time.perf_counter() - start

    return run


class Result:
    """The seconds per call of each contestant in each round."""

    def __init__(self, seconds):
        self.seconds = seconds

    def has(self, name):
        return name in self.seconds

    def median(self, name):
        return statistics.median(self.seconds[name])

    def ratio(self, names, base):
        """The median over the rounds of (the fastest of `names`) / `base`."""
        present = [self.seconds[name] for name in names if name in self.seconds]
        return statistics.median(
            min(times) / own for *times, own in zip(*present, self.seconds[base])
        )


def calibrate(contestant, sample_seconds):
    """How many repeats fill a sample; warms up on the way. None if it cannot run."""
    repeats = 1
    while True:
        seconds = contestant.run(repeats)
        if seconds is None:
            return None
        if seconds >= sample_seconds / 4 or repeats >= 1 << 30:
            return max(1, round(repeats * sample_seconds / max(seconds, 1e-9)))
        repeats *= 4


def hold(contestants, rounds, sample_seconds):
    """Runs all contestants once a round, each time another one first."""
    repeats = {}
    for contestant in contestants:
        count = calibrate(contestant, sample_seconds)
        if count is not None:
            repeats[contestant.name] = count
    present = [contestant for contestant in contestants if contestant.name in repeats]
    seconds = {contestant.name: [] for contestant in present}
    for first in range(rounds):
        turn = first % len(present)
        for contestant in present[turn:] + present[:turn]:
            count = repeats[contestant.name]
            seconds[contestant.name].append(contestant.run(count) / count)
    return Result(seconds)
