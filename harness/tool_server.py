"""The tools of a model that works in a sandbox: `python -I -B tool_server.py`, started in the workspace.

A request is a line of JSON on standard input, {"id", "tool", "arguments"}; its answer a line on standard output, {"id",
"ok", "text"}. Requests are taken one after the other. The end of the input ends everything, also a command that runs.
Keys and the talk with the model stay outside: all that is here is the workspace and this file.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

sys.path.insert(0, str(Path(__file__).resolve().parent))

from slop_lens_harness.files import ToolError, edit_file, list_files, read_file, search, write_file
from slop_lens_harness.shell import run_shell
from slop_lens_harness.system import adopt_orphans, hide_from_peers

# Seconds for a tool that only looks at files; a regular expression may run for ever.
FILE_SECONDS = 30

TOOLS: dict[str, Callable[..., str]] = {
    "read_file": read_file,
    "write_file": write_file,
    "edit_file": edit_file,
    "list_files": list_files,
    "search": search,
}


def main() -> int:
    hide_from_peers()
    adopt_orphans()
    signal.signal(signal.SIGALRM, _out_of_time)
    # Commands get neither: what they print must not be taken for answers, nor requests for their input.
    requests, answers = _private(0, "rb"), _private(1, "wb")
    waiting: queue.Queue[bytes] = queue.Queue()
    threading.Thread(target=_read, args=(requests, waiting), daemon=True).start()
    while True:
        request = json.loads(waiting.get())
        ok, text = _answer(request["tool"], request["arguments"])
        answers.write(json.dumps({"id": request["id"], "ok": ok, "text": text}).encode() + b"\n")
        answers.flush()


def _private(descriptor: int, mode: str) -> BinaryIO:
    private = os.fdopen(os.dup(descriptor), mode)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, descriptor)
    os.close(nothing)
    return private


def _read(requests: BinaryIO, waiting: queue.Queue[bytes]) -> None:
    for line in requests:
        waiting.put(line)
    # As PID 1 we take all processes with us; elsewhere the host ends what is left.
    os._exit(0)


def _answer(tool: str, arguments: dict[str, Any]) -> tuple[bool, str]:
    try:
        if tool == "bash":
            return True, run_shell(arguments["command"], arguments["seconds"])
        signal.alarm(FILE_SECONDS)
        try:
            return True, TOOLS[tool](**arguments)
        finally:
            signal.alarm(0)
    except ToolError as error:
        return False, str(error)
    except TimeoutError:
        return False, f"It took longer than {FILE_SECONDS} s"
    except (OSError, ValueError, TypeError, RecursionError) as error:
        return False, f"{type(error).__name__}: {error}"


def _out_of_time(_number: int, _frame: Any) -> None:
    raise TimeoutError


if __name__ == "__main__":
    sys.exit(main())
