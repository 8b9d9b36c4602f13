"""Prints, after the tests, how much of the models and of the implementations they covered.

`--choros-report FILE` writes the same as JSON. With coverage.py installed, the lines and
branches of the files `*_implementations.py` are measured too; `--choros-cover PATTERN` adds
other files, and `--choros-no-lines` leaves it.
"""

from __future__ import annotations

import importlib.util
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest

from choros_sessions.testing.coverage import COLLECTED, Count

KEY = pytest.StashKey["LineCoverage"]()
SHOWN = 12
"""This many missing things are listed per line; the file that `--choros-report` writes has all."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("choros")
    group.addoption("--choros-report", metavar="FILE", help="write the coverage of the models as JSON")
    group.addoption(
        "--choros-cover", metavar="PATTERN", action="append", default=[], help="measure the lines of these files too"
    )
    group.addoption("--choros-no-lines", action="store_true", help="do not measure lines and branches")


def pytest_configure(config: pytest.Config) -> None:
    if importlib.util.find_spec("coverage") is None or config.getoption("--choros-no-lines"):
        return
    others: list[str] = config.getoption("--choros-cover") or []
    patterns = ["*_implementations.py", *others]
    measured = LineCoverage.started(patterns)
    if measured is not None:
        config.stash[KEY] = measured


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    measured = config.stash.get(KEY, None)
    lines = measured.stopped() if measured is not None else []
    models = list(COLLECTED.models.values())
    if not models:
        return
    terminalreporter.write_sep("-", "coverage of the models")
    for coverage in models:
        terminalreporter.write_line(
            f"{coverage.model.name}, testing {coverage.under_test.choros_name}: {coverage.runs} runs"
        )
        rows = {
            "messages": coverage.message_count(),
            "states": coverage.state_count(),
            "transitions": coverage.transition_count(),
        }
        for name, count in rows.items():
            terminalreporter.write_line(f"  {name:<12}{count}{missing(count)}")
    for row in lines:
        terminalreporter.write_line(f"{row['file']}: lines {row['lines']}, branches {row['branches']}")
    if path := config.getoption("--choros-report"):
        report = {"models": [it.as_json() for it in models], "files": lines}
        Path(path).write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


def missing(count: Count) -> str:
    if not count.missing:
        return ""
    shown = ", ".join(count.missing[:SHOWN])
    more = len(count.missing) - SHOWN
    return f"  missing {shown}" + (f" and {more} more" if more > 0 else "")


class LineCoverage:
    """Lines and branches, by coverage.py."""

    def __init__(self, measuring: Any) -> None:
        self._measuring: Any = measuring

    @staticmethod
    def started(patterns: list[str]) -> LineCoverage | None:
        """Starts measuring, unless someone measures already."""
        import coverage

        if coverage.Coverage.current() is not None:
            return None
        measuring = coverage.Coverage(data_file=None, branch=True, include=patterns, config_file=False)
        measuring.start()
        return LineCoverage(measuring)

    def stopped(self) -> list[dict[str, str]]:
        """Stops measuring: a row per file."""
        from coverage.exceptions import CoverageException

        self._measuring.stop()
        handle, name = tempfile.mkstemp(suffix=".json")
        os.close(handle)
        try:
            self._measuring.json_report(outfile=name)
            report = json.loads(Path(name).read_text(encoding="utf-8"))
        except CoverageException:
            # There was nothing to measure.
            return []
        finally:
            os.unlink(name)
        return [
            {
                "file": file,
                "lines": f"{it['summary']['covered_lines']}/{it['summary']['num_statements']}",
                "branches": f"{it['summary']['covered_branches']}/{it['summary']['num_branches']}",
            }
            for file, it in report["files"].items()
        ]
