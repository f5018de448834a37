"""Shelf: a small tool that remembers which item lies on which shelf."""

import json
import os
import sys

STORE_FILE = "shelf.json"


def fail(message, code):
    print("shelf: " + message, file=sys.stderr)
    sys.exit(code)


def load_data():
    if not os.path.exists(STORE_FILE):
        return {"items": []}
    try:
        with open(STORE_FILE, "r", encoding="utf-8") as f:
            data = json.loads(f.read())
    except Exception:
        fail("cannot read shelf.json", 1)
    if not isinstance(data, dict) or not isinstance(data.get("items"), list):
        fail("cannot read shelf.json", 1)
    return data


def save_data(data):
    with open(STORE_FILE, "w", encoding="utf-8") as f:
        json.dump(data, f, indent=2, ensure_ascii=False)


def is_valid_name(name):
    if name == "" or "," in name:
        return False
    for char in name:
        if char.isspace():
            return False
    return True


def add_item(data, name, shelf):
    for item in data["items"]:
        if item["name"] == name:
            fail(name + " is already on " + item["shelf"], 1)
    data["items"].append({"name": name, "shelf": shelf})
    save_data(data)


def group_by_shelf(data):
    shelves = {}
    for item in data["items"]:
        if item["shelf"] not in shelves:
            shelves[item["shelf"]] = []
        shelves[item["shelf"]].append(item["name"])
    return shelves


def print_shelf(data, shelf):
    shelves = group_by_shelf(data)
    if shelf not in shelves:
        fail("no shelf " + shelf, 1)
    for name in shelves[shelf]:
        print(name)


def print_all(data):
    shelves = group_by_shelf(data)
    for shelf in sorted(shelves.keys()):
        print(shelf + ": " + ", ".join(shelves[shelf]))


def main():
    args = sys.argv[1:]
    if len(args) == 0:
        fail("no command", 2)
    command = args[0]
    if command == "add":
        if len(args) != 3:
            fail("usage: add NAME SHELF", 2)
        if not is_valid_name(args[1]) or not is_valid_name(args[2]):
            fail("bad name", 2)
        add_item(load_data(), args[1], args[2])
    elif command == "list":
        if len(args) > 2:
            fail("usage: list [SHELF]", 2)
        if len(args) == 2:
            print_shelf(load_data(), args[1])
        else:
            print_all(load_data())
    else:
        fail("unknown command " + command, 2)


if __name__ == "__main__":
    main()
