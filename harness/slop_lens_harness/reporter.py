"""The pytest plugin: tells the host what pytest collects, starts and finishes."""

from __future__ import annotations

import platform
from typing import Any

import pytest

from .frames import FrameWriter

MESSAGE_LIMIT = 8000

# pytest's words for how a phase ended, as the product's statuses. Other words (a rerun, a passed subtest) change nothing.
STATUSES = {
    "failed": "failed",
    "error": "error",
    "skipped": "skipped",
    "xfailed": "skipped",
    "xpassed": "passed",
}


def shorten(text: str) -> str:
    """The beginning and the end of a long text; pytest says what went wrong last."""
    if len(text) <= MESSAGE_LIMIT:
        return text
    head, tail = 2500, MESSAGE_LIMIT - 2500 - 60
    left_out = len(text) - head - tail
    return f"{text[:head]}\n… {left_out} characters left out …\n{text[-tail:]}"


class Reporter:
    """Sums the phases of each test to one outcome."""

    def __init__(self, writer: FrameWriter) -> None:
        self._writer = writer
        self._config: Any = None
        self._status = "passed"
        self._seconds = 0.0
        self._message: str | None = None
        self.collected = 0
        self.reported = 0

    def pytest_configure(self, config: Any) -> None:
        self._config = config
        self._writer.send("start", pytest=pytest.__version__, python=platform.python_version())

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self._writer.send("collect-error", node=report.nodeid, message=shorten(report.longreprtext))
        elif report.skipped:
            reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longreprtext
            self._writer.send("collect-skip", node=report.nodeid, message=shorten(str(reason)))

    def pytest_collection_finish(self, session: Any) -> None:
        tests = [_describe(item) for item in session.items]
        self.collected = len(tests)
        self._writer.send("collected", tests=tests)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._status, self._seconds, self._message = "passed", 0.0, None
        self._writer.send("test-start", node=nodeid)

    def pytest_runtest_logreport(self, report: Any) -> None:
        self._seconds += report.duration
        word = self._config.hook.pytest_report_teststatus(report=report, config=self._config)[0]
        self._status = STATUSES.get(word, self._status)
        if report.failed and self._message is None:
            self._message = shorten(report.longreprtext)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self.reported += 1
        self._writer.send(
            "test-finish",
            node=nodeid,
            status=self._status,
            seconds=round(self._seconds, 6),
            message=self._message,
        )

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_sessionfinish(self) -> Any:
        """All tests are done: temporary folders that the solution closed to pytest's tidying up change no outcome."""
        outcome = yield
        if outcome.excinfo is not None and issubclass(outcome.excinfo[0], OSError):
            outcome.force_result([])

    def pytest_internalerror(self, excrepr: Any) -> None:
        self._writer.send("internal-error", message=shorten(str(excrepr)))

    def pytest_keyboard_interrupt(self, excinfo: Any) -> None:
        self._writer.send("interrupted", message=shorten(excinfo.exconly()))


def _describe(item: Any) -> dict[str, Any]:
    line = item.reportinfo()[1]
    return {
        "node": item.nodeid,
        "line": None if line is None else line + 1,
        "markers": [marker.name for marker in item.iter_markers()],
    }


def run_pytest(arguments: list[str], writer: FrameWriter) -> int:
    """Runs pytest in this process; the last message is `finish`. Returns pytest's exit code."""
    reporter = Reporter(writer)
    code = int(pytest.main(arguments, plugins=[reporter]))
    writer.send("finish", code=code, collected=reporter.collected, reported=reporter.reported)
    return code
