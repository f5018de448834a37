"""Shelf: a small tool that remembers which item lies on which shelf."""

import csv
import json
import os
import re
import sys

from report import print_json_report, print_report

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
    # stricter, so that names are safe in CSV files
    if re.match(r"^[A-Za-z0-9_.-]+$", name):
        return True
    else:
        return False


def add_item(data, name, shelf):
    for item in data["items"]:
        if item["name"] == name and not item.get("gone", False):
            fail(name + " is already on " + item["shelf"], 1)
    data["items"].append({"name": name, "shelf": shelf})
    save_data(data)


def group_by_shelf(data):
    shelves = {}
    for item in data["items"]:
        if item.get("gone", False):
            continue
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
        if "--tag" in args:
            # list with a tag filter
            position = args.index("--tag")
            wanted = args[position + 1].lower() if len(args) > position + 1 else ""
            if len(args) > 4:
                fail("usage: list [SHELF] [--tag TAG]", 2)
            data = load_data()
            shelves = {}
            for item in data["items"]:
                if item.get("gone", False):
                    continue
                if item["shelf"] not in shelves:
                    shelves[item["shelf"]] = []
                tags = item.get("tags", None)
                if tags is None:
                    tags = []
                if wanted in tags:
                    shelves[item["shelf"]].append(item["name"])
            if position == 2:
                if args[1] not in shelves:
                    fail("no shelf " + args[1], 1)
                for name in shelves[args[1]]:
                    print(name)
            else:
                for shelf in sorted(shelves.keys()):
                    if len(shelves[shelf]) > 0:
                        print(shelf + ": " + ", ".join(shelves[shelf]))
        else:
            if len(args) > 2:
                fail("usage: list [SHELF] [--tag TAG]", 2)
            if len(args) == 2:
                print_shelf(load_data(), args[1])
            else:
                print_all(load_data())
    elif command == "move" or command == "mv":
        if len(args) != 4:
            fail("usage: move NAME FROM TO", 2)
        if not is_valid_name(args[1]) or not is_valid_name(args[2]) or not is_valid_name(args[3]):
            fail("bad name", 2)
        data = load_data()
        found = None
        for item in data["items"]:
            if item["name"] == args[1] and not item.get("gone", False):
                found = item
        if found is None:
            fail("no item " + args[1], 1)
        if found["shelf"] != args[2]:
            fail(args[1] + " is not on " + args[2], 1)
        # rebuild the item so that the tags move along with it
        tags = found.get("tags", None)
        if tags is None:
            tags = []
        new_item = {"name": found["name"], "shelf": args[3]}
        if len(tags) > 0:
            new_item["tags"] = tags
        data["items"].remove(found)
        data["items"].append(new_item)
        save_data(data)
    elif command == "drop":
        if len(args) != 2:
            fail("usage: drop NAME", 2)
        data = load_data()
        found = None
        for item in data["items"]:
            if item["name"] == args[1] and not item.get("gone", False):
                found = item
        if found is None:
            fail("no item " + args[1], 1)
        found["gone"] = True
        save_data(data)
    elif command == "tag":
        if len(args) < 3:
            fail("usage: tag NAME TAG...", 2)
        for tag in args[2:]:
            if not is_valid_name(tag):
                fail("bad tag", 2)
        data = load_data()
        found = None
        for item in data["items"]:
            if item["name"] == args[1] and not item.get("gone", False):
                found = item
        if found is None:
            fail("no item " + args[1], 1)
        tags = found.get("tags", None)
        if tags is None:
            tags = []
        for tag in args[2:]:
            if tag.lower() in tags:
                pass
            else:
                tags.append(tag.lower())
        found["tags"] = sorted(list(tags))
        save_data(data)
    elif command == "untag":
        if len(args) < 3:
            fail("usage: untag NAME TAG...", 2)
        data = load_data()
        found = None
        for item in data["items"]:
            if item["name"] == args[1] and not item.get("gone", False):
                found = item
        if found is None:
            fail("no item " + args[1], 1)
        tags = found.get("tags", None)
        if tags is None:
            tags = []
        for tag in args[2:]:
            if tag.lower() in tags:
                tags.remove(tag.lower())
                found["tags"] = tags
                save_data(data)
            else:
                fail(args[1] + " has no tag " + tag, 1)
    elif command == "tags":
        if len(args) != 2:
            fail("usage: tags NAME", 2)
        data = load_data()
        found = None
        for item in data["items"]:
            if item["name"] == args[1] and not item.get("gone", False):
                found = item
        if found is None:
            fail("no item " + args[1], 1)
        tags = found.get("tags", None)
        if tags is None:
            tags = []
        for tag in tags:
            print(tag)
    elif command == "find":
        if len(args) != 2:
            fail("usage: find TEXT", 2)
        text = args[1]
        if text == "" or text is None:
            fail("nothing to find", 2)
        data = load_data()
        results = []
        for item in data["items"]:
            if item.get("gone", False):
                continue
            matched = False
            if text.lower() in item["name"].lower():
                matched = True
            tags = item.get("tags", None)
            if tags is None:
                tags = []
            for tag in tags:
                if text in tag:
                    matched = True
            if matched == True:
                results.append(item)
        if len(results) == 0:
            sys.exit(1)
        results = sorted(results, key=lambda item: item["name"])
        for i in range(len(results)):
            print(results[i]["name"] + " on " + results[i]["shelf"])
    elif command == "report":
        if len(args) > 2:
            fail("usage: report [--json]", 2)
        if len(args) == 2 and args[1] != "--json":
            fail("usage: report [--json]", 2)
        if len(args) == 2:
            print_json_report(load_data())
        else:
            print_report(load_data())
    elif command == "export":
        if len(args) != 2:
            fail("usage: export FILE", 2)
        data = load_data()
        shelves = {}
        for item in data["items"]:
            if item.get("gone", False):
                continue
            if item["shelf"] not in shelves:
                shelves[item["shelf"]] = []
            shelves[item["shelf"]].append(item)
        count = 0
        lines = []
        lines.append("name,shelf,tags")
        for shelf in sorted(shelves.keys()):
            for item in shelves[shelf]:
                tags = item.get("tags", None)
                if tags is None:
                    tags = []
                tag_text = ""
                for i in range(len(tags)):
                    if i > 0:
                        tag_text += ";"
                    tag_text += str(tags[i])
                lines.append(item["name"] + "," + item["shelf"] + "," + tag_text)
                count += 1
        if args[1] == "-":
            for line in lines:
                print(line)
        else:
            try:
                with open(args[1], "w", encoding="utf-8") as f:
                    for line in lines:
                        f.write(line + "\n")
            except Exception:
                fail("cannot write " + args[1], 1)
            print("exported " + str(count))
    elif command == "import":
        if len(args) != 2 and len(args) != 3:
            fail("usage: import FILE [--skip]", 2)
        if len(args) == 3 and args[2] != "--skip":
            fail("usage: import FILE [--skip]", 2)
        skip = True if len(args) == 3 else False
        try:
            with open(args[1], "r", encoding="utf-8") as f:
                rows = [row for row in csv.reader(f)]
        except Exception:
            fail("cannot read " + args[1], 1)
        if len(rows) == 0 or rows[0] != ["name", "shelf", "tags"]:
            fail("bad header in " + args[1], 1)
        rows = [row for row in rows[1:] if len(row) > 0]
        data = load_data()
        imported = 0
        skipped = 0
        for i in range(len(rows)):
            row = rows[i]
            line = i + 2
            if len(row) != 3:
                fail("line " + str(line) + ": expected three fields", 1)
            if not is_valid_name(row[0]) or not is_valid_name(row[1]):
                fail("line " + str(line) + ": bad name", 1)
            found = None
            for item in data["items"]:
                if item["name"] == row[0] and not item.get("gone", False):
                    found = item
            if found is not None:
                if skip == True:
                    skipped += 1
                    continue
                else:
                    fail("line " + str(line) + ": " + row[0] + " is already on " + found["shelf"], 1)
            tags = []
            for tag in row[2].split(";"):
                if tag == "":
                    continue
                if tag.lower() in tags:
                    pass
                else:
                    tags.append(tag.lower())
            new_item = {"name": row[0], "shelf": row[1]}
            if len(tags) > 0:
                new_item["tags"] = sorted(list(tags))
            data["items"].append(new_item)
            save_data(data)
            imported += 1
        if skip == True:
            print("imported " + str(imported) + ", skipped " + str(skipped))
        else:
            print("imported " + str(imported))
    else:
        fail("unknown command " + command, 2)


if __name__ == "__main__":
    main()
