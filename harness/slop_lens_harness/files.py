"""An agent's tools on files, all of them held to the workspace: the current folder at the start."""

from __future__ import annotations

import fnmatch
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

ROOT = os.path.realpath(os.getcwd())
MOST_TEXT = 60_000
MOST_BYTES = 20_000_000
MOST_ENTRIES = 1_000
MOST_MATCHES = 200
LONGEST_MATCH = 300
# Folders that are never looked into: what is in them is not the agent's own.
PASSED_OVER = frozenset({".git", ".venv", "node_modules", "__pycache__"})


class ToolError(Exception):
    """What a model is told when it asked for something that cannot be done."""


def place(path: str) -> Path:
    """The real place of a path. Links are followed, and must stay in the workspace."""
    real = os.path.realpath(os.path.join(ROOT, path))
    if real != ROOT and not real.startswith(ROOT + os.sep):
        raise ToolError(f"{path} is outside of the workspace")
    return Path(real)


def read_bytes(path: str) -> bytes:
    """The content of a regular file."""
    file = place(path)
    try:
        status = file.stat()
    except FileNotFoundError:
        raise ToolError(f"There is no file {path}") from None
    if stat.S_ISDIR(status.st_mode):
        raise ToolError(f"{path} is a folder")
    # A pipe without a writer would keep us waiting.
    if not stat.S_ISREG(status.st_mode):
        raise ToolError(f"{path} is no ordinary file")
    if status.st_size > MOST_BYTES:
        raise ToolError(f"{path} has {status.st_size} bytes; look at parts of it with the bash tool")
    return file.read_bytes()


def read_file(path: str, start_line: int = 1, end_line: int | None = None) -> str:
    """Lines `start_line` to `end_line`, both counted from 1 and both included."""
    data = read_bytes(path)
    if b"\0" in data:
        raise ToolError(f"{path} is binary, {len(data)} bytes")
    try:
        text, note = data.decode("utf-8"), ""
    except UnicodeDecodeError:
        text, note = data.decode("latin-1"), "; not UTF-8, shown as Latin-1"
    lines = text.splitlines(keepends=True)
    first = max(1, start_line)
    last = len(lines) if end_line is None else min(end_line, len(lines))
    if first > max(1, len(lines)):
        raise ToolError(f"{path} has {len(lines)} lines")
    shown = "".join(lines[first - 1 : last])
    if len(shown) > MOST_TEXT:
        shown = shown[:MOST_TEXT]
        last = first - 1 + len(shown.splitlines())
        note += "; cut there, ask for the lines after"
    if (first, last, note) == (1, len(lines), ""):
        return shown
    return f"[lines {first}-{last} of {len(lines)}{note}]\n{shown}"


def write_file(path: str, content: str) -> str:
    """Makes a file, and the folders above it, or replaces what is in it."""
    target = place(path)
    if target.is_dir():
        raise ToolError(f"{path} is a folder")
    if target.exists() and not target.is_file():
        raise ToolError(f"{path} is no ordinary file")
    data = content.encode("utf-8")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)
    return f"Wrote {len(data)} bytes to {path}"


def edit_file(path: str, old: str, new: str, replace_all: bool = False) -> str:
    """Replaces a text that stands there exactly once, or everywhere. Bytes around it stay as they are."""
    data = read_bytes(path)
    wanted = old.encode("utf-8")
    if wanted == b"":
        raise ToolError("`old` is empty; use write_file for a new file")
    count = data.count(wanted)
    if count == 0:
        raise ToolError(f"`old` is not in {path}; read the file and copy the text exactly, with its spaces")
    if count > 1 and not replace_all:
        raise ToolError(f"`old` is {count} times in {path}; give more of the lines around it, or set replace_all")
    place(path).write_bytes(data.replace(wanted, new.encode("utf-8")))
    return f"Replaced {count} in {path}"


def list_files(path: str = ".", depth: int = 3) -> str:
    """What is in a folder, down to `depth` levels; links are told and not followed."""
    top = place(path)
    if not top.is_dir():
        raise ToolError(f"There is no folder {path}")
    lines = []
    for entry, level in _walk(top, depth):
        if len(lines) == MOST_ENTRIES:
            lines.append(f"[more than {MOST_ENTRIES} entries; list a folder below]")
            break
        lines.append("  " * level + _told(entry))
    return "\n".join(lines) or "[empty]"


def _walk(folder: Path, depth: int, level: int = 0) -> Iterator[tuple[os.DirEntry[str], int]]:
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    for entry in entries:
        yield entry, level
        if level + 1 < depth and entry.is_dir(follow_symlinks=False) and entry.name not in PASSED_OVER:
            try:
                yield from _walk(Path(entry.path), depth, level + 1)
            except OSError:
                continue


def _told(entry: os.DirEntry[str]) -> str:
    name = _readable(entry.name)
    if entry.is_symlink():
        return f"{name} -> {_readable(os.readlink(entry.path))}"
    if entry.is_dir(follow_symlinks=False):
        return f"{name}/"
    return f"{name} ({entry.stat(follow_symlinks=False).st_size} bytes)"


def _readable(name: str) -> str:
    return os.fsencode(name).decode("utf-8", "replace")


def search(pattern: str, path: str = ".", glob: str = "*") -> str:
    """Lines that a regular expression is found in, as `file:line: text`, over the text files below a path."""
    try:
        wanted = re.compile(pattern)
    except re.error as error:
        raise ToolError(f"The pattern is not a regular expression: {error}") from None
    top = place(path)
    if not top.exists():
        raise ToolError(f"There is no {path}")
    lines: list[str] = []
    for file in [top] if top.is_file() else _files(top):
        relative = os.path.relpath(file, ROOT)
        if not fnmatch.fnmatch(file.name, glob) and not fnmatch.fnmatch(relative, glob):
            continue
        for number, line in enumerate(_lines(file), 1):
            if wanted.search(line) is None:
                continue
            if len(lines) == MOST_MATCHES:
                return "\n".join([*lines, f"[more than {MOST_MATCHES} matches; search for less]"])
            lines.append(f"{_readable(relative)}:{number}: {line[:LONGEST_MATCH]}")
    return "\n".join(lines) or "[no match]"


def _files(top: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(top):
        folders[:] = sorted(name for name in folders if name not in PASSED_OVER)
        for name in sorted(names):
            file = Path(folder, name)
            if file.is_file() and not file.is_symlink():
                yield file


def _lines(file: Path) -> list[str]:
    try:
        if file.stat().st_size > MOST_BYTES:
            return []
        data = file.read_bytes()
    except OSError:
        return []
    return [] if b"\0" in data[:8192] else data.decode("utf-8", "replace").splitlines()
