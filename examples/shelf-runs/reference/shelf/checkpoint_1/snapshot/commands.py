"""What the commands do. Each takes the store and its arguments, and gives the lines to print."""

from store import ShelfError, shelves


def find_item(data, name):
    """The item of that name, or None."""
    return next((item for item in data["items"] if item["name"] == name), None)


def add(data, args):
    taken = find_item(data, args.name)
    if taken:
        raise ShelfError(f"{args.name} is already on {taken['shelf']}")
    data["items"].append({"name": args.name, "shelf": args.shelf})
    return []


def list_items(data, args):
    groups = shelves(data["items"])
    if args.shelf is None:
        return [f"{shelf}: {', '.join(item['name'] for item in items)}" for shelf, items in groups.items()]
    if args.shelf not in groups:
        raise ShelfError(f"there is no shelf {args.shelf}")
    return [item["name"] for item in groups[args.shelf]]
