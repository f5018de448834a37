"""Reports about the shelves."""

import json


def print_report(data):
    shelves = {}
    for item in data["items"]:
        if item.get("gone", False):
            continue
        if item["shelf"] not in shelves:
            shelves[item["shelf"]] = []
        shelves[item["shelf"]].append(item["name"])
    total = 0
    for shelf in sorted(shelves.keys()):
        count = len(shelves[shelf])
        total += count
        if count == 1:
            print(shelf + ": " + str(count) + " item")
        else:
            print(shelf + ": " + str(count) + " items")
    if total == 1:
        print("total: " + str(total) + " item on " + str(len(shelves)) + " shelves")
    else:
        print("total: " + str(total) + " items on " + str(len(shelves)) + " shelves")


def print_json_report(data):
    shelves = {}
    tag_counts = {}
    gone = 0
    total = 0
    for item in data["items"]:
        tags = item.get("tags", None)
        if tags is None:
            tags = []
        for tag in tags:
            if tag in tag_counts:
                tag_counts[tag] += 1
            else:
                tag_counts[tag] = 1
        if item.get("gone", False):
            gone += 1
            continue
        if item["shelf"] not in shelves:
            shelves[item["shelf"]] = 0
        shelves[item["shelf"]] += 1
        total += 1
    print(json.dumps({"shelves": shelves, "tags": tag_counts, "total": total, "gone": gone}))
