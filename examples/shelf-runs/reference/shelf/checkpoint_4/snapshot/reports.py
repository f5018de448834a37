"""Finding and counting."""

import json
from collections import Counter

from store import ShelfError, present, shelves


class NothingFound(ShelfError):
    """Told by the exit code alone."""


def find(data, args):
    text = args.text.lower()
    hits = [item for item in present(data) if any(text in word for word in words(item))]
    if not hits:
        raise NothingFound()
    return [f"{item['name']} on {item['shelf']}" for item in sorted(hits, key=lambda item: item["name"])]


def words(item):
    """What an item can be found by, in lower case."""
    yield item["name"].lower()
    yield from item.get("tags", ())


def report(data, args):
    items = present(data)
    counts = {shelf: len(group) for shelf, group in shelves(items).items()}
    if args.json:
        tags = Counter(tag for item in items for tag in item.get("tags", ()))
        gone = len(data["items"]) - len(items)
        return [json.dumps({"shelves": counts, "tags": tags, "total": len(items), "gone": gone}, ensure_ascii=False)]
    lines = [f"{shelf}: {number(count, 'item', 'items')}" for shelf, count in counts.items()]
    total = f"{number(len(items), 'item', 'items')} on {number(len(counts), 'shelf', 'shelves')}"
    return [*lines, f"total: {total}"]


def number(count, one, many):
    word = one if count == 1 else many
    return f"{count} {word}"
