"""Keeps the tests' share of the processor out of the solution's hands (Linux).

Who may change how a process is scheduled is decided by its *effective* id (setpriority(2), sched_setscheduler(2)), which
the tests share with the solution. It could leave them what is idle and take all the rest, so that they never end and
nothing is scored. So a filter of system calls (seccomp(2)), which whatever is started inherits, refuses that.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import struct

PR_SET_SECCOMP = 22
SECCOMP_MODE_FILTER = 2
# Of classic BPF: load a word, jump if equal, jump if not less, return.
LOAD, EQUAL, AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
# Offsets in struct seccomp_data; of an argument the low word, on a little-endian machine.
NUMBER, ARCHITECTURE, FIRST, SECOND = 0, 4, 16, 24
ALLOW = struct.pack("=HBBI", RETURN, 0, 0, 0x7FFF0000)
REFUSE = struct.pack("=HBBI", RETURN, 0, 0, 0x00050000 | errno.EPERM)
# Numbers from here on are those of x32, another architecture by the same name.
X32 = 0x40000000

# By machine: its name for the kernel; the calls whose first argument is a process; those whose first says what the
# second is, with the word for a process.
MACHINES = {
    "x86_64": (0xC000003E, (142, 144, 203, 314), {141: 0, 251: 1}),
    "aarch64": (0xC00000B7, (118, 119, 122, 274), {140: 0, 30: 1}),
}


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]


def hold_scheduling(*kept: int) -> None:
    """From now on neither this process nor what it starts can change how processes of these ids are scheduled; without
    ids, how any is but the caller itself. Does nothing where the kernel has no such filter."""
    code = _code(os.uname().machine, kept)
    if code:
        with contextlib.suppress(AttributeError, OSError):
            program = _Program(len(code) // 8, code)
            ctypes.CDLL(None).prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0)


def _code(machine: str, kept: tuple[int, ...]) -> bytes:
    if machine not in MACHINES:
        return b""
    architecture, by_process, by_kind = MACHINES[machine]
    code = _load(ARCHITECTURE) + _step(EQUAL, architecture, 1, 0) + REFUSE
    code += _load(NUMBER) + _step(AT_LEAST, X32, 0, 1) + REFUSE
    for number in by_process:
        code += _for_call(number, _check(FIRST, kept))
    for number, process in by_kind.items():
        only = _load(FIRST) + _step(EQUAL, process, 1, 0) + REFUSE
        code += _for_call(number, only + _check(SECOND, kept))
    return code + ALLOW


def _for_call(number: int, checks: bytes) -> bytes:
    return _step(EQUAL, number, 0, len(checks) // 8) + checks


def _check(argument: int, kept: tuple[int, ...]) -> bytes:
    if not kept:
        return _load(argument) + _step(EQUAL, 0, 1, 0) + REFUSE + ALLOW
    refusals = b"".join(_step(EQUAL, process, 0, 1) + REFUSE for process in kept)
    return _load(argument) + refusals + ALLOW


def _load(offset: int) -> bytes:
    return struct.pack("=HBBI", LOAD, 0, 0, offset)


def _step(kind: int, value: int, if_so: int, if_not: int) -> bytes:
    return struct.pack("=HBBI", kind, if_so, if_not, value)
