import json

import pytest


def test_finds_by_name(shelf):
    shelf.filled("lantern attic", "vase hall", "lamp hall")
    assert shelf.ok("find", "la") == "lamp on hall\nlantern on attic\n"


def test_finds_by_tag(shelf):
    shelf.filled("lamp hall", "vase hall")
    shelf.ok("tag", "vase", "fragile")
    assert shelf.ok("find", "frag") == "vase on hall\n"


def test_reports_counts(shelf):
    shelf.filled("lamp hall", "vase hall", "box attic")
    assert shelf.ok("report") == "attic: 1 item\nhall: 2 items\ntotal: 3 items on 2 shelves\n"


def test_reports_as_json(shelf):
    shelf.filled("lamp hall", "vase hall", "box attic")
    out = shelf.ok("report", "--json")
    assert out.count("\n") == 1
    assert json.loads(out) == {"shelves": {"attic": 1, "hall": 2}, "tags": {}, "total": 3, "gone": 0}


@pytest.mark.functionality
def test_find_does_not_tell_upper_from_lower_case(shelf):
    shelf.filled("Lamp hall")
    shelf.ok("tag", "Lamp", "brass")
    assert shelf.ok("find", "lAMP") == "Lamp on hall\n"
    assert shelf.ok("find", "BRASS") == "Lamp on hall\n"


@pytest.mark.functionality
def test_find_prints_an_item_once(shelf):
    shelf.filled("lamp hall")
    shelf.ok("tag", "lamp", "lamp-oil", "lamps")
    assert shelf.ok("find", "lamp") == "lamp on hall\n"


@pytest.mark.functionality
def test_find_passes_over_dropped_items(shelf):
    shelf.filled("lamp hall", "lantern attic")
    shelf.ok("drop", "lamp")
    assert shelf.ok("find", "la") == "lantern on attic\n"


@pytest.mark.functionality
def test_report_says_one_shelf(shelf):
    shelf.filled("lamp hall")
    assert shelf.ok("report") == "hall: 1 item\ntotal: 1 item on 1 shelf\n"


@pytest.mark.functionality
def test_report_of_nothing(shelf):
    assert shelf.ok("report") == "total: 0 items on 0 shelves\n"


@pytest.mark.functionality
def test_report_passes_over_dropped_items(shelf):
    shelf.filled("lamp hall", "box attic", "vase attic")
    shelf.ok("drop", "lamp")
    assert shelf.ok("report") == "attic: 2 items\ntotal: 2 items on 1 shelf\n"


@pytest.mark.functionality
def test_json_counts_tags_and_gone_items(shelf):
    shelf.filled("lamp hall", "vase hall", "box attic")
    shelf.ok("tag", "lamp", "old", "brass")
    shelf.ok("tag", "vase", "old")
    shelf.ok("tag", "box", "old")
    shelf.ok("drop", "box")
    assert json.loads(shelf.ok("report", "--json")) == {
        "shelves": {"hall": 2},
        "tags": {"brass": 1, "old": 2},
        "total": 2,
        "gone": 1,
    }


@pytest.mark.error
def test_nothing_found(shelf):
    shelf.filled("lamp hall")
    done = shelf.run("find", "vase")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")


@pytest.mark.error
@pytest.mark.parametrize(
    "args",
    [("find",), ("find", ""), ("find", "a", "b"), ("report", "hall"), ("report", "--xml")],
    ids=["no text", "empty text", "two texts", "shelf", "unknown option"],
)
def test_wrong_command_line(shelf, args):
    shelf.filled("lamp hall")
    shelf.fails(2, *args)
