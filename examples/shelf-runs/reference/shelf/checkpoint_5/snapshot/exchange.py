"""Import and export as CSV."""

import csv
import sys

from names import BadName, check_name, check_tag
from store import ShelfError, present, shelves

HEADER = ["name", "shelf", "tags"]


def export(data, args):
    items = [item for group in shelves(present(data)).values() for item in group]
    if args.file == "-":
        write_rows(sys.stdout, items)
        return []
    try:
        with open(args.file, "w", encoding="utf-8", newline="") as stream:
            write_rows(stream, items)
    except OSError as error:
        raise ShelfError(f"cannot write {args.file}: {error.strerror}") from error
    return [f"exported {len(items)}"]


def write_rows(stream, items):
    rows = csv.writer(stream, lineterminator="\n")
    rows.writerow(HEADER)
    for item in items:
        rows.writerow([item["name"], item["shelf"], ";".join(item.get("tags", ()))])


def import_items(data, args):
    taken = {item["name"]: item["shelf"] for item in present(data)}
    imported = skipped = 0
    for line, row in read_rows(args.file):
        try:
            if len(row) != len(HEADER):
                raise BadName(f"expected {len(HEADER)} fields, found {len(row)}")
            item = {"name": check_name(row[0]), "shelf": check_name(row[1])}
            tags = sorted({check_tag(tag) for tag in row[2].split(";") if tag})
            if tags:
                item["tags"] = tags
        except BadName as error:
            raise ShelfError(f"line {line}: {error}") from error
        if item["name"] not in taken:
            taken[item["name"]] = item["shelf"]
            data["items"].append(item)
            imported += 1
        elif args.skip:
            skipped += 1
        else:
            raise ShelfError(f"line {line}: {item['name']} is already on {taken[item['name']]}")
    return [f"imported {imported}, skipped {skipped}" if args.skip else f"imported {imported}"]


def read_rows(path):
    """All rows below the header that are not empty, with their line numbers."""
    try:
        with open(path, encoding="utf-8", newline="") as stream:
            rows = csv.reader(stream)
            numbered = [(rows.line_num, row) for row in rows]
    except (OSError, ValueError, csv.Error) as error:
        raise ShelfError(f"cannot read {path}: {error}") from error
    if not numbered or numbered[0][1] != HEADER:
        raise ShelfError(f"{path} does not begin with {','.join(HEADER)}")
    return [(line, row) for line, row in numbered[1:] if row]
