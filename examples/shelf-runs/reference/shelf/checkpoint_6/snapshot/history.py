"""Changes that can be taken back."""

import copy

from store import ShelfError

LIMIT = 20


def record(data, words, before):
    """Remembers a change: its command line, and the items as they were before it."""
    changes = data.setdefault("history", [])
    changes.append({"command": " ".join(words), "before": before})
    del changes[:-LIMIT]


def undo(data, args):
    if not data.get("history"):
        raise ShelfError("there is nothing to undo")
    change = data["history"].pop()
    data["items"] = change["before"]
    return [f"undone: {change['command']}"]


def show(data, args):
    changes = data.get("history", ())
    return [f"{position} {change['command']}" for position, change in enumerate(changes, start=1)]


def snapshot(data):
    """The items as they are now, safe from later changes."""
    return copy.deepcopy(data["items"])
