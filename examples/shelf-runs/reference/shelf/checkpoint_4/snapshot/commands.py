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


def tag(data, args):
    item = get_item(data, args.name)
    item["tags"] = sorted({*item.get("tags", ()), *args.tags})
    return []


def untag(data, args):
    item = get_item(data, args.name)
    tags = set(item.get("tags", ()))
    missing = sorted(set(args.tags) - tags)
    if missing:
        raise ShelfError(f"{args.name} has no tag {', '.join(missing)}")
    item["tags"] = sorted(tags - set(args.tags))
    return []


def show_tags(data, args):
    return get_item(data, args.name).get("tags", [])


def list_items(data, args):
    items = present(data)
    if args.shelf is not None and args.shelf not in shelves(items):
        raise ShelfError(f"there is no shelf {args.shelf}")
    for wanted in args.tag:
        items = [item for item in items if wanted in item.get("tags", ())]
    groups = shelves(items)
    if args.shelf is not None:
        return [item["name"] for item in groups.get(args.shelf, ())]
    return [f"{shelf}: {', '.join(item['name'] for item in items)}" for shelf, items in groups.items()]
