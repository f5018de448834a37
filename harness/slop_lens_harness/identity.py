"""Puts pytest out of the solution's reach, though both work on the same files.

Linux looks at two pairs of ids. Files are opened with the *effective* id. Whether a signal may be sent, or a process
traced, is decided by the *real* and the *saved* id of the one that it is meant for (kill(2), ptrace(2)). So the tests
have the solution's id as their effective one, and an id that nobody else has as the other two: they make and read the
same files as the solution, may end its processes, and cannot be ended by them. What they start: children.py.
"""

from __future__ import annotations

import contextlib
import functools
import os
import stat
import tempfile
from collections.abc import Callable
from typing import Any

# Ids that no image gives to anybody; the second is for the image that does.
KEEPER, OTHER_KEEPER = 64987, 64986

# Tests replace these in `os` and elsewhere by what counts calls or fails; what we do is none of their calls.
_stat, _chmod, _geteuid, _split = os.stat, os.chmod, os.geteuid, os.path.split


def step_apart(uid: int, gid: int) -> None:
    """Gives up root for the solution's files and an identity of our own. Needs the right to become others."""
    keeper = KEEPER if uid != KEEPER else OTHER_KEEPER
    os.setgroups([])
    os.setresgid(gid, gid, gid)
    os.setresuid(keeper, uid, keeper)
    # Who asks for our user means the owner of our files.
    os.getuid = os.geteuid
    if os.access in os.supports_effective_ids and os.access("/", os.R_OK, effective_ids=True):
        os.access = functools.partial(os.access, effective_ids=True)


def open_private_folders(pytest: Any) -> None:
    """Opens the temporary folders of the tests to their group, in which there is nobody else.

    Libraries that are not written in Python ask with access(2), which is answered for the real id: to it, a folder that
    only its owner may enter is not there. protoc, for one, then refuses to write what a test asks it for.
    """
    factory = pytest.TempPathFactory
    factory.getbasetemp = _opened(factory.getbasetemp, _open_of_pytest)
    factory.mktemp = _opened(factory.mktemp, _open)
    tempfile.mkdtemp = _opened(tempfile.mkdtemp, _open)


def _opened(make: Callable[..., Any], open_made: Callable[[Any], None]) -> Callable[..., Any]:
    @functools.wraps(make)
    def make_and_open(*arguments: Any, **options: Any) -> Any:
        made = make(*arguments, **options)
        open_made(made)
        return made

    return make_and_open


def _open_of_pytest(folder: Any) -> None:
    _open(folder)
    # The folder of pytest's folders; one that a test names by --basetemp is in a folder of somebody else.
    parent = _split(folder)[0]
    if _split(parent)[1].startswith("pytest-of-"):
        _open(parent)


def _open(folder: Any) -> None:
    # What was made may be gone, or was never there: tests also replace what makes folders.
    with contextlib.suppress(OSError):
        status = _stat(folder)
        if status.st_uid == _geteuid() and stat.S_IMODE(status.st_mode) == 0o700:
            _chmod(folder, 0o750)
