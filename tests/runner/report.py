"""Counts checks and prints them as they end."""

import time

DETAIL_LINES = 60


class Report:
    def __init__(self):
        self.passed = 0
        self.failed = 0
        self.failures = []
        self.start = time.monotonic()
        self.title = ""

    def section(self, title):
        self.title = title
        print(f"\n== {title}  [{self.elapsed()}]", flush=True)

    def say(self, text):
        print(f"   {text}", flush=True)

    def elapsed(self):
        minutes, seconds = divmod(int(time.monotonic() - self.start), 60)
        return f"{minutes:d}:{seconds:02d}"

    def add(self, name, passed, failed, details="", seconds=None):
        """Adds checks that ended; the details explain the failed ones."""
        self.passed += passed
        self.failed += failed
        counts = f"{passed} passed" + (f", {failed} failed" if failed else "")
        took = "" if seconds is None else f"  {seconds:.1f} s"
        print(f"   {'FAILED' if failed else 'ok    '} {name}: {counts}{took}", flush=True)
        if failed:
            self.failures.append(f"{self.title}: {name}")
            for line in str(details).splitlines()[-DETAIL_LINES:]:
                print(f"          | {line}", flush=True)

    def check(self, name, good, details="", seconds=None):
        self.add(name, int(bool(good)), int(not good), details, seconds)
        return good

    def finish(self):
        """Prints the total; returns the exit status."""
        if self.passed + self.failed == 0:
            self.check("at least one check ran", False)
        print(f"\n{'Failed:' if self.failures else 'Nothing failed.'}  [{self.elapsed()}]")
        for failure in self.failures:
            print(f"   {failure}")
        print(f"{self.passed} passed, {self.failed} failed", flush=True)
        return 1 if self.failed else 0
