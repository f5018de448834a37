"""Options and fixtures of the hidden tests."""

import json
import shlex
import subprocess
from pathlib import Path

import pytest


def pytest_addoption(parser):
    parser.addoption("--entrypoint", required=True, help="command that starts the program, shell-quoted")
    parser.addoption("--checkpoint", required=True, help="name of the checkpoint under test")


def pytest_configure(config):
    config.addinivalue_line("markers", "functionality: behaviour beyond the core")
    config.addinivalue_line("markers", "error: wrong input and what is said about it")
    config.addinivalue_line("markers", "regression: behaviour of an earlier checkpoint")


@pytest.fixture(scope="session")
def entrypoint_argv(request):
    """The command as a list. Tests run in folders of their own, so a relative script is made absolute."""
    argv = shlex.split(request.config.getoption("--entrypoint"))
    here = Path.cwd()
    return [str(here / part) if part.endswith(".py") and (here / part).is_file() else part for part in argv]


@pytest.fixture(scope="session")
def checkpoint_name(request):
    return request.config.getoption("--checkpoint")


class Shelf:
    """The program under test, in a folder of its own."""

    def __init__(self, argv, folder):
        self.argv = argv
        self.folder = folder
        self.store = folder / "shelf.json"

    def run(self, *args):
        return subprocess.run(
            [*self.argv, *args], cwd=self.folder, capture_output=True, text=True, encoding="utf-8", timeout=15
        )

    def ok(self, *args):
        """Runs a command that must succeed; returns what it printed."""
        done = self.run(*args)
        assert done.returncode == 0, f"{' '.join(args)}: exit code {done.returncode}, expected 0\n{done.stderr}"
        assert done.stderr == "", "a command that succeeds prints nothing to standard error"
        return done.stdout

    def fails(self, code, *args):
        """Runs a command that must fail, and checks that nothing changed; returns the message."""
        before = self.store.read_bytes() if self.store.exists() else None
        done = self.run(*args)
        assert done.returncode == code, f"{' '.join(args)}: exit code {done.returncode}, expected {code}\n{done.stderr}"
        assert done.stdout == "", "an error prints nothing to standard output"
        lines = done.stderr.splitlines()
        assert len(lines) == 1 and lines[0].startswith("shelf: "), f"not one line of message: {done.stderr!r}"
        after = self.store.read_bytes() if self.store.exists() else None
        assert after == before, "an error changes nothing"
        return lines[0]

    def filled(self, *items):
        """Adds items given as `name shelf`."""
        for item in items:
            self.ok("add", *item.split())
        return self

    def data(self):
        return json.loads(self.store.read_text(encoding="utf-8"))


@pytest.fixture
def shelf(entrypoint_argv, tmp_path):
    return Shelf(entrypoint_argv, tmp_path)
