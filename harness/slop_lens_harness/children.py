"""Gives whatever pytest starts the solution's id for good, before its program begins.

A program that is started keeps the real id of who started it, and with pytest's it could end pytest. Python starts
programs by three functions: fork, which has hooks; fork_exec of `_posixsubprocess`, below `subprocess` and
`multiprocessing`; and posix_spawn, which knows no ids and is done here by the second.
"""

from __future__ import annotations

import _posixsubprocess
import contextlib
import functools
import multiprocessing.util
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

# Half of the memory limit on top: what the solution runs is killed for want of memory before the tests are.
FIRST_TO_GO = b"500"
# Where fork_exec takes the user: 3.11 put the process group before it.
USER_ARGUMENT = 19 if sys.version_info >= (3, 11) else 18

# Tests replace these by what counts calls or fails; what we do is none of their calls.
_geteuid, _setresuid, _Popen, _which = os.geteuid, getattr(os, "setresuid", None), subprocess.Popen, shutil.which
_open, _dup2, _close, _closerange = os.open, os.dup2, os.close, os.closerange
_spawn_by_system = getattr(os, "posix_spawn", None)


def become_solution() -> None:
    """Takes the solution's id for good."""
    uid = _geteuid()
    _setresuid(uid, uid, uid)


def give_children_away() -> None:
    """From now on whatever this process starts belongs to the solution's user alone."""
    os.register_at_fork(after_in_child=become_solution)
    start = subprocess.Popen.__init__

    @functools.wraps(start)
    def start_as_solution(process: Any, *arguments: Any, **options: Any) -> None:
        if options.get("user") is None:
            options["user"] = _geteuid()
        start(process, *arguments, **options)
        _let_go_first(process.pid)

    def system(command: Any) -> int:
        code = subprocess.call(command, shell=True)
        return code << 8 if code >= 0 else -code

    subprocess.Popen.__init__ = start_as_solution
    os.system = system
    multiprocessing.util.spawnv_passfds = _start_worker
    _posixsubprocess.fork_exec = _with_user(_posixsubprocess.fork_exec)
    if _spawn_by_system is not None:
        os.posix_spawn, os.posix_spawnp = _posix_spawn, _posix_spawnp


def _with_user(fork_exec: Callable[..., int]) -> Callable[..., int]:
    @functools.wraps(fork_exec)
    def fork_exec_as_solution(*arguments: Any) -> int:
        given = list(arguments)
        if given[USER_ARGUMENT] is None:
            given[USER_ARGUMENT] = _geteuid()
        return fork_exec(*given)

    return fork_exec_as_solution


def _start_worker(path: Any, arguments: Sequence[Any], descriptors: Sequence[int]) -> int:
    """Starts workers, and what serves them, of the start methods `spawn` and `forkserver`, which fork unseen. Returns the id."""
    return _unwatched(_Popen(arguments, executable=path, pass_fds=descriptors, restore_signals=False))


def _unwatched(process: Any) -> int:
    # It is the caller who waits for it.
    process.returncode = 0
    return process.pid


def _posix_spawn(
    path: Any,
    argv: Sequence[Any],
    env: Mapping[Any, Any] | None,
    /,
    *,
    file_actions: Iterable[Sequence[Any]] | None = None,
    setpgroup: int | None = None,
    resetids: bool = False,
    setsid: bool = False,
    setsigmask: Iterable[int] | None = None,
    setsigdef: Iterable[int] = (),
    scheduler: tuple[Any, Any] | None = None,
) -> int:
    """As os.posix_spawn. `resetids` asks for what is done anyway."""
    if not argv:
        raise ValueError("posix_spawn: argv must not be empty")

    def prepare() -> None:
        if setpgroup is not None:
            os.setpgid(0, setpgroup)
        if scheduler is not None:
            _schedule(*scheduler)
        for number in setsigdef:
            signal.signal(number, signal.SIG_DFL)
        if setsigmask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, setsigmask)
        for action in file_actions or ():
            _act(*action)

    is_plain = not file_actions and not setsigdef and setpgroup is None and setsigmask is None and scheduler is None
    name = os.fsdecode(path)
    process = _Popen(
        list(argv),
        executable=name if os.sep in name else os.path.join(os.curdir, name),
        env=env,
        close_fds=False,
        restore_signals=False,
        start_new_session=bool(setsid),
        # Threads make a step in between worth a warning.
        preexec_fn=None if is_plain else prepare,
    )
    return _unwatched(process)


def _posix_spawnp(path: Any, argv: Sequence[Any], env: Mapping[Any, Any] | None, /, **options: Any) -> int:
    return _posix_spawn(_which(path) or path, argv, env, **options)


def _act(kind: int, descriptor: int, *rest: Any) -> None:
    """One of posix_spawn's file actions."""
    if kind == os.POSIX_SPAWN_DUP2:
        # What a program is given is inherited, also where the numbers are the same.
        os.set_inheritable(_dup2(descriptor, rest[0]), True)
    elif kind == os.POSIX_SPAWN_CLOSE:
        # As in the system's own: nothing to close is no error.
        with contextlib.suppress(OSError):
            _close(descriptor)
    elif kind == os.POSIX_SPAWN_OPEN:
        opened = _open(*rest)
        if opened != descriptor:
            _dup2(opened, descriptor)
            _close(opened)
        os.set_inheritable(descriptor, True)
    else:
        _closerange(descriptor, os.sysconf("SC_OPEN_MAX"))


def _schedule(policy: int | None, parameters: Any) -> None:
    if policy is None:
        os.sched_setparam(0, parameters)
    else:
        os.sched_setscheduler(0, policy, parameters)


def _let_go_first(pid: int) -> None:
    with contextlib.suppress(OSError), open(f"/proc/{pid}/oom_score_adj", "wb", buffering=0) as adjustment:
        adjustment.write(FIRST_TO_GO)
