"""Entry point of the evaluation sandbox: `python -I -B supervisor.py PLAN [UID GID]`, with the nonce as one line on stdin.

PLAN is a JSON file: {"commands": [shell lines to run first], "entrypoint": "python x.py", "pytest": [arguments]}.
The working directory is the workspace. Runs as PID 1 of a container, or as an ordinary process. UID and GID are the
solution's, where this process was started with the right to become others: then it, and pytest, cannot be reached by it.

pytest runs in a fork of this process and not in a new program: so there is no moment at which another process of the
same user could look into it and learn the nonce.
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from slop_lens_harness.children import give_children_away
from slop_lens_harness.exports import take_exports
from slop_lens_harness.frames import FrameWriter
from slop_lens_harness.identity import open_private_folders, step_apart
from slop_lens_harness.scheduling import hold_scheduling
from slop_lens_harness.system import adopt_orphans, cgroup_counters, end_strays, hide_from_peers

SETUP_OUTPUT_LIMIT = 16_000
# Far above what Linux lets a program have, written with an escape for each byte.
ENVIRONMENT_LIMIT = 64 * 1024**2
DUMP_ENVIRONMENT = "import json, os, sys; os.write(int(sys.argv[1]), json.dumps(dict(os.environ)).encode())"


def run_setup(commands: list[str], writer: FrameWriter, apart: bool) -> None:
    """Runs the environment's shell lines in one shell, as SCB does: what they export by name reaches the tests, and a
    line that fails does not stop the next one. Output goes to a file, since a service started here may keep it open."""
    began = time.monotonic()
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as environment:
        dump = f"{shlex.quote(sys.executable)} -I -c {shlex.quote(DUMP_ENVIRONMENT)} {environment.fileno()}"
        shell = subprocess.run(
            ["sh", "-c", "\n".join([*commands, "__slop_lens_code=$?", dump, "exit $__slop_lens_code"])],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            pass_fds=(environment.fileno(),),
            user=os.geteuid(),
            # What the setup leaves running has no say in the tests either, whose process is not there yet.
            preexec_fn=hold_scheduling if apart else None,
            check=False,
        )
        environment.seek(0)
        left = take_exports(environment.read(ENVIRONMENT_LIMIT), commands)
        size = output.seek(0, os.SEEK_END)
        output.seek(max(0, size - SETUP_OUTPUT_LIMIT))
        text = output.read().decode("utf-8", "replace")
    seconds = round(time.monotonic() - began, 3)
    told = {"understood": left is not None, "left": left or []}
    writer.send("setup", code=shell.returncode, seconds=seconds, output=text, **told)


def missing_command(entrypoint: str) -> str | None:
    """The first word of the entry point when it is a bare name that is not on PATH."""
    words = shlex.split(entrypoint)
    if not words or "/" in words[0] or shutil.which(words[0]):
        return None
    return words[0]


def restore_signals() -> None:
    """Gives pytest, and so the solution, the dispositions of a foreground program, whatever we were started with."""
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGCHLD, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


def be_pytest(arguments: list[str], channel: int, nonce: str, apart: bool) -> int:
    """The forked child's part. Output of pytest and of the tests goes to the ordinary streams."""
    restore_signals()
    if apart:
        give_children_away()
        hold_scheduling(os.getppid(), os.getpid())
    if os.getppid() == 1:
        # In a container of its own a group for the tests keeps `kill 0` away from us; elsewhere the host kills by group.
        os.setsid()
    sys.argv = ["pytest", *arguments]
    import pytest
    from slop_lens_harness.reporter import run_pytest

    if apart:
        open_private_folders(pytest)
    sys.path.remove(str(HERE))
    return run_pytest(arguments, FrameWriter(channel, nonce, "pytest"))


def wait_for(child: int) -> int:
    """Waits for pytest and reaps everything else that ends. Returns the exit code, negative for a signal."""

    def end_child(_number: int, _frame: Any) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, end_child)
    while True:
        pid, status = os.wait()
        if pid == child:
            return os.waitstatus_to_exitcode(status)


def supervise(plan: dict[str, Any], nonce: str, apart: bool) -> int:
    """Setup, pytest, clean-up. Returns the exit code as a shell would tell it."""
    channel = os.dup(2)
    writer = FrameWriter(channel, nonce, "supervisor")
    if plan["commands"]:
        run_setup(plan["commands"], writer, apart)
    missing = missing_command(plan["entrypoint"])
    if missing is not None:
        writer.send("refused", message=f"the entry command `{missing}` is not on PATH ({os.environ.get('PATH', '')})")
        return 127
    began = time.monotonic()
    child = os.fork()
    if child == 0:
        return be_pytest(plan["pytest"], channel, nonce, apart)
    code = wait_for(child)
    seconds = round(time.monotonic() - began, 3)
    counters = cgroup_counters() if os.getpid() == 1 else {}
    writer.send("exit", code=code, seconds=seconds, strays=end_strays(2.0), **counters)
    return code if code >= 0 else 128 - code


def main() -> int:
    user = [int(text) for text in sys.argv[2:]]
    if user:
        step_apart(*user)
    # After the change of user, which opens or closes this by rules of its own.
    hide_from_peers()
    adopt_orphans()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    nonce = sys.stdin.readline().strip()
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    plan = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    return supervise(plan, nonce, apart=bool(user))


if __name__ == "__main__":
    sys.exit(main())
