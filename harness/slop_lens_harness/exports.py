"""What the environment's setup commands may change of the tests' variables: those that the commands themselves name.

The setup may run programs of the solution. These can write to what tells of the exports, and change the shell itself,
which has their user. So a name counts by the commands' text, which the environment's author wrote.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence

# Set by whoever is a shell, or starts as one.
OF_SHELLS = frozenset({"_", "PWD", "OLDPWD", "SHLVL", "LC_CTYPE", "__CF_USER_TEXT_ENCODING"})
# Decide what pytest runs, what it loads into its own process, and where the tests' assets are. Not for any setup.
OF_TESTS = re.compile(r"PYTEST_.*|SCBENCH_.*|OPENSSL_.*|GCONV_PATH|PYTHONBREAKPOINT", re.DOTALL)

ASSIGNMENT = re.compile(r"(?<![\w$.{/-])([A-Za-z_]\w*)\+?=", re.ASCII)
DECLARATION = re.compile(r"\b(?:export|unset|readonly|read|declare|typeset)\b([^;&|\n]*)")
NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
# Names told to the user; a program can make up any number.
MOST_TOLD, LONGEST_TOLD = 10, 60


def named_variables(commands: Sequence[str]) -> set[str]:
    """The variables that shell lines assign, export or unset by name."""
    text = "\n".join(commands).replace("\\\n", " ")
    declared = (word.partition("=")[0].strip("'\"") for words in DECLARATION.findall(text) for word in words.split())
    return {*ASSIGNMENT.findall(text), *filter(NAME.fullmatch, declared)}


def take_exports(dumped: bytes, commands: Sequence[str]) -> list[str] | None:
    """Takes over what the setup exports and its commands name. Returns the other names that it changed, some of them
    where there are many; None, with nothing taken, where that is no environment."""
    if not dumped:
        return []
    try:
        exported = dict(json.loads(dumped).items())
        usable = all(name and not set("=\0") & set(name) and "\0" not in value for name, value in exported.items())
        for text in (*exported, *exported.values()):
            os.fsencode(text)
    except (ValueError, TypeError, AttributeError, RecursionError, MemoryError):
        return None
    return _take(exported, named_variables(commands)) if usable else None


def _take(exported: dict[str, str], named: set[str]) -> list[str]:
    current = dict(os.environ)
    changed = [name for name in {**current, **exported} if current.get(name) != exported.get(name)]
    left = []
    for name in changed:
        if OF_TESTS.fullmatch(name) or name not in named:
            left.append(name)
        elif name in exported:
            os.environ[name] = exported[name]
        else:
            del os.environ[name]
    told = sorted(name for name in left if name not in OF_SHELLS and NAME.fullmatch(name) and len(name) <= LONGEST_TOLD)
    return told[:MOST_TOLD]
