"""What the commands do. Each takes the store and its arguments, and gives the lines to print."""

from store import ShelfError, present, shelves


def find_item(data, name):
    """The item of that name, or None."""
    return next((item for item in present(data) if item["name"] == name), None)


def get_item(data, name):
    """The item of that name, which must be there."""
    item = find_item(data, name)
    if item is None:
        raise ShelfError(f"there is no item {name}")
    return item


def add(data, args):
    taken = find_item(data, args.name)
    if taken:
        raise ShelfError(f"{args.name} is already on {taken['shelf']}")
    data["items"].append({"name": args.name, "shelf": args.shelf})
    return []


def move(data, args):
    item = get_item(data, args.name)
    if item["shelf"] != args.source:
        raise ShelfError(f"{args.name} is on {item['shelf']}, not on {args.source}")
    item["shelf"] = args.target
    data["items"].remove(item)
    data["items"].append(item)
    return []


def drop(data, args):
    get_item(data, args.name)["gone"] = True
    return []


def list_items(data, args):
    groups = shelves(present(data))
    if args.shelf is None:
        return [f"{shelf}: {', '.join(item['name'] for item in items)}" for shelf, items in groups.items()]
    if args.shelf not in groups:
        raise ShelfError(f"there is no shelf {args.shelf}")
    return [item["name"] for item in groups[args.shelf]]
