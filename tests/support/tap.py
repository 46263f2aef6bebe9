"""Reports checks in the Test Anything Protocol."""

import sys


class Tap:
    def __init__(self):
        self.count = 0
        self.failures = 0

    def check(self, passed, name, details=""):
        """Reports one check; the details explain a failure."""
        self.count += 1
        self.failures += not passed
        print(f"{'ok' if passed else 'not ok'} {self.count} - {name}")
        if not passed:
            for line in str(details).splitlines():
                print(f"# {line}")
        sys.stdout.flush()
        return passed

    def equal(self, actual, expected, name):
        return self.check(actual == expected, name, f"expected {expected!r}\ngot      {actual!r}")

    def finish(self):
        """Ends the program. No check at all is a failure, not a plan of zero tests."""
        if self.count == 0:
            self.check(False, "at least one check runs")
        print(f"1..{self.count}")
        sys.exit(1 if self.failures else 0)
