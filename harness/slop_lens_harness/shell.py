"""Runs a shell command of an agent: bounded in time and in what is kept of its output, with nothing left running."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import threading
from typing import BinaryIO

from slop_lens_harness.system import end_strays

HEAD = 10_000
TAIL = 20_000
CHUNK = 65_536
# Seconds that strays may take to end, and the last output to arrive.
GRACE = 2.0


class Capture:
    """Reads a pipe to its end and keeps the first and the last bytes."""

    def __init__(self, pipe: BinaryIO) -> None:
        self.head = bytearray()
        self.tail = bytearray()
        self.size = 0
        self.pipe = pipe
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            while chunk := os.read(self.pipe.fileno(), CHUNK):
                self._take(chunk)

    def _take(self, chunk: bytes) -> None:
        self.size += len(chunk)
        room = HEAD - len(self.head)
        self.head += chunk[:room]
        self.tail += chunk[room:]
        del self.tail[:-TAIL]

    def text(self) -> str:
        self.thread.join(GRACE)
        left_out = self.size - len(self.head) - len(self.tail)
        if left_out == 0:
            return _decode(self.head + self.tail)
        return f"{_decode(self.head)}\n[… {left_out} bytes of output left out …]\n{_decode(self.tail)}"


def _decode(data: bytes | bytearray) -> str:
    return data.decode("utf-8", "replace")


def run_shell(command: str, seconds: float) -> str:
    """The output of `command`, standard error in it, with a line on how it ended.

    Whatever it leaves in the background is killed: an agent would wait for a server that nobody sees, and the next
    command should find the machine as it expects.
    """
    shell = shutil.which("bash") or "sh"
    with subprocess.Popen(
        [shell, "-c", command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        capture = Capture(process.stdout)
        try:
            code = process.wait(seconds)
            ending = f"[exit code {code}]" if code >= 0 else f"[killed by signal {-code}]"
        except subprocess.TimeoutExpired:
            ending = f"[killed: it ran longer than {seconds:g} s]"
        finally:
            end_group(process.pid)
            process.wait()
        strays = end_strays(GRACE)
        if strays > 0:
            ending += f"\n[processes left in the background were ended: {strays}]"
        text = capture.text()
    separator = "" if text == "" or text.endswith("\n") else "\n"
    return f"{text}{separator}{ending}"


def end_group(leader: int) -> None:
    """Kills a process group by the process that began it."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)
