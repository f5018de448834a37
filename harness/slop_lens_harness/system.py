"""What the supervisor asks of the operating system beyond Python's own modules; each function does nothing where it cannot."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import time
from pathlib import Path

PR_SET_DUMPABLE = 4
PR_SET_CHILD_SUBREAPER = 36
CGROUP = Path("/sys/fs/cgroup")


def _prctl(option: int, value: int) -> None:
    with contextlib.suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def hide_from_peers() -> None:
    """Closes our memory and file descriptors to other processes of the same user (Linux); forks inherit this."""
    _prctl(PR_SET_DUMPABLE, 0)


def adopt_orphans() -> None:
    """Makes processes whose parent has ended our children (Linux; as PID 1 they are anyway)."""
    _prctl(PR_SET_CHILD_SUBREAPER, 1)


def _children() -> list[int]:
    me, children = str(os.getpid()), []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            # The name in brackets may hold anything; state and parent follow the last bracket.
            state, parent = stat.read_text(errors="replace").rpartition(")")[2].split()[:2]
        except (OSError, ValueError):
            continue
        if parent == me and state != "Z":
            children.append(int(stat.parent.name))
    return children


def end_strays(seconds: float) -> int:
    """Kills adopted processes, and those that they leave in turn, for at most `seconds`. Returns how many it met.

    Only a wait that finds no child proves that none is left: a process that ends hands its children over before it
    can be waited for, while a listing may be read just before that.
    """
    met: set[int] = set()
    deadline = time.monotonic() + seconds
    while _has_children() and time.monotonic() < deadline:
        for child in _children():
            met.add(child)
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(child, signal.SIGKILL)
        time.sleep(0.005)
    return len(met)


def _has_children() -> bool:
    """Reaps what has ended; tells whether anything is left."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def _counter(file: str, key: str | None) -> int | None:
    try:
        text = (CGROUP / file).read_text()
    except OSError:
        return None
    for line in text.splitlines():
        words = line.split()
        if key is None and len(words) == 1 and words[0].isdigit():
            return int(words[0])
        if len(words) == 2 and words[0] == key:
            return int(words[1])
    return None


def _first(*places: tuple[str, str | None]) -> int | None:
    found = (_counter(file, key) for file, key in places)
    return next((value for value in found if value is not None), None)


def cgroup_counters() -> dict[str, int | None]:
    """What the container used and what it was refused; cgroup v2 first, then v1. None where unknown."""
    return {
        "memoryLimit": _first(("memory.max", None), ("memory/memory.limit_in_bytes", None)),
        "memoryPeak": _first(("memory.peak", None), ("memory/memory.max_usage_in_bytes", None)),
        "oomKills": _first(("memory.events", "oom_kill"), ("memory/memory.oom_control", "oom_kill")),
        "processesRefused": _first(("pids.events", "max"), ("pids/pids.events", "max")),
    }
