"""The store: items and the shelves they lie on, in shelf.json of the current folder."""

import json
import os
from pathlib import Path

PATH = Path("shelf.json")


class ShelfError(Exception):
    """What the user asked for cannot be done."""

    exit_code = 1


def load():
    """Reads the store; a missing file is an empty store."""
    if not PATH.exists():
        return {"items": []}
    try:
        data = json.loads(PATH.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ShelfError(f"cannot read {PATH}: {error}") from error
    if not isinstance(data, dict) or not isinstance(data.get("items"), list):
        raise ShelfError(f"cannot read {PATH}: it has no list of items")
    return data


def save(data):
    """Writes the store in one step, so that a crash leaves the old one or the new one."""
    draft = PATH.with_suffix(".tmp")
    draft.write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    os.replace(draft, PATH)


def present(data):
    """The items that are not gone, in the order in which they came."""
    return [item for item in data["items"] if not item.get("gone")]


def shelves(items):
    """Groups items by shelf, shelves in alphabetical order."""
    groups = {}
    for item in items:
        groups.setdefault(item["shelf"], []).append(item)
    return dict(sorted(groups.items()))
