"""Remembers which item lies on which shelf."""

import argparse
import sys

import commands
import store


class UsageError(store.ShelfError):
    """The command line is wrong."""

    exit_code = 2


class Parser(argparse.ArgumentParser):
    """Raises its errors instead of printing them together with the usage."""

    def error(self, message):
        raise UsageError(message)


def name(text):
    """A name as the command line gives it."""
    if not text or "," in text or any(letter.isspace() for letter in text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a name")
    return text


def tag_name(text):
    """A tag as the command line gives it, in the form in which it is stored."""
    if ";" in text:
        raise argparse.ArgumentTypeError(f"{text!r} is not a tag")
    return name(text).lower()


class Once(argparse.Action):
    """Collects an option's value in a list, and refuses a second one."""

    def __call__(self, parser, namespace, value, option=None):
        if getattr(namespace, self.dest):
            raise UsageError(f"{option} is given twice")
        setattr(namespace, self.dest, [value])


def parser():
    root = Parser(prog="shelf", description=__doc__)
    choice = root.add_subparsers(required=True, metavar="COMMAND")

    add = choice.add_parser("add", help="put a new item on a shelf")
    add.add_argument("name", type=name)
    add.add_argument("shelf", type=name)
    add.set_defaults(run=commands.add, changes=True)

    move = choice.add_parser("move", aliases=["mv"], help="move an item to another shelf")
    move.add_argument("name", type=name)
    move.add_argument("source", type=name)
    move.add_argument("target", type=name)
    move.set_defaults(run=commands.move, changes=True)

    drop = choice.add_parser("drop", help="mark an item as gone")
    drop.add_argument("name", type=name)
    drop.set_defaults(run=commands.drop, changes=True)

    tag = choice.add_parser("tag", help="give tags to an item")
    tag.add_argument("name", type=name)
    tag.add_argument("tags", type=tag_name, nargs="+")
    tag.set_defaults(run=commands.tag, changes=True)

    untag = choice.add_parser("untag", help="take tags from an item")
    untag.add_argument("name", type=name)
    untag.add_argument("tags", type=tag_name, nargs="+")
    untag.set_defaults(run=commands.untag, changes=True)

    tags = choice.add_parser("tags", help="show the tags of an item")
    tags.add_argument("name", type=name)
    tags.set_defaults(run=commands.show_tags, changes=False)

    listing = choice.add_parser("list", help="show shelves, or the items of one")
    listing.add_argument("shelf", type=name, nargs="?")
    listing.add_argument("--tag", type=tag_name, action=Once, default=[])
    listing.set_defaults(run=commands.list_items, changes=False)
    return root


def main(argv):
    try:
        args = parser().parse_args(argv)
        data = store.load()
        lines = args.run(data, args)
        if args.changes:
            store.save(data)
    except store.ShelfError as error:
        print(f"shelf: {error}", file=sys.stderr)
        return error.exit_code
    for line in lines:
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
