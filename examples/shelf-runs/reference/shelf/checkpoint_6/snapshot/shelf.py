"""Remembers which item lies on which shelf."""

import argparse
import sys

import commands
import exchange
import history
import names
import reports
import store


class UsageError(store.ShelfError):
    """The command line is wrong."""

    exit_code = 2


class Parser(argparse.ArgumentParser):
    """Raises its errors instead of printing them together with the usage."""

    def error(self, message):
        raise UsageError(message)


def checked(check):
    """Turns a check of this program into one of argparse."""

    def convert(text):
        try:
            return check(text)
        except names.BadName as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return convert


name = checked(names.check_name)
tag_name = checked(names.check_tag)


def search_text(text):
    if not text:
        raise argparse.ArgumentTypeError("there is nothing to find")
    return text


class Once(argparse.Action):
    """Collects an option's value in a list, and refuses a second one."""

    def __call__(self, parser, namespace, value, option=None):
        if getattr(namespace, self.dest):
            raise UsageError(f"{option} is given twice")
        setattr(namespace, self.dest, [value])


def parser():
    root = Parser(prog="shelf", description=__doc__)
    choice = root.add_subparsers(required=True, metavar="COMMAND")
    add_changing_commands(choice)
    add_reading_commands(choice)
    return root


def add_changing_commands(choice):
    add = choice.add_parser("add", help="put a new item on a shelf")
    add.add_argument("name", type=name)
    add.add_argument("shelf", type=name)
    add.set_defaults(run=commands.add, changes=True, recorded=True)

    move = choice.add_parser("move", aliases=["mv"], help="move an item to another shelf")
    move.add_argument("name", type=name)
    move.add_argument("source", type=name)
    move.add_argument("target", type=name)
    move.set_defaults(run=commands.move, changes=True, recorded=True)

    drop = choice.add_parser("drop", help="mark an item as gone")
    drop.add_argument("name", type=name)
    drop.set_defaults(run=commands.drop, changes=True, recorded=True)

    tag = choice.add_parser("tag", help="give tags to an item")
    tag.add_argument("name", type=name)
    tag.add_argument("tags", type=tag_name, nargs="+")
    tag.set_defaults(run=commands.tag, changes=True, recorded=True)

    untag = choice.add_parser("untag", help="take tags from an item")
    untag.add_argument("name", type=name)
    untag.add_argument("tags", type=tag_name, nargs="+")
    untag.set_defaults(run=commands.untag, changes=True, recorded=True)

    imports = choice.add_parser("import", help="add the items of a CSV file")
    imports.add_argument("file")
    imports.add_argument("--skip", action="store_true", help="leave out items whose name is taken")
    imports.set_defaults(run=exchange.import_items, changes=True, recorded=True)

    undo = choice.add_parser("undo", help="take back the last change")
    undo.set_defaults(run=history.undo, changes=True, recorded=False)


def add_reading_commands(choice):
    tags = choice.add_parser("tags", help="show the tags of an item")
    tags.add_argument("name", type=name)
    tags.set_defaults(run=commands.show_tags, changes=False, recorded=False)

    listing = choice.add_parser("list", help="show shelves, or the items of one")
    listing.add_argument("shelf", type=name, nargs="?")
    listing.add_argument("--tag", type=tag_name, action=Once, default=[])
    listing.set_defaults(run=commands.list_items, changes=False, recorded=False)

    find = choice.add_parser("find", help="find items by name or tag")
    find.add_argument("text", type=search_text)
    find.set_defaults(run=reports.find, changes=False, recorded=False)

    report = choice.add_parser("report", help="count items")
    report.add_argument("--json", action="store_true")
    report.set_defaults(run=reports.report, changes=False, recorded=False)

    export = choice.add_parser("export", help="write all items as CSV")
    export.add_argument("file", help="a file, or - for standard output")
    export.set_defaults(run=exchange.export, changes=False, recorded=False)

    changes = choice.add_parser("history", help="show the changes that can be taken back")
    changes.set_defaults(run=history.show, changes=False, recorded=False)


def run(argv):
    """Does what the command line says; gives the lines to print."""
    args = parser().parse_args(argv)
    data = store.load()
    before = history.snapshot(data)
    lines = args.run(data, args)
    if args.recorded:
        words = ["move", *argv[1:]] if argv[0] == "mv" else argv
        history.record(data, words, before)
    if args.changes:
        store.save(data)
    return lines


def main(argv):
    try:
        lines = run(argv)
    except reports.NothingFound as error:
        return error.exit_code
    except store.ShelfError as error:
        print(f"shelf: {error}", file=sys.stderr)
        return error.exit_code
    for line in lines:
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
