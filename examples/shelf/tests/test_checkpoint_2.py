import json

import pytest


def test_moves_an_item(shelf):
    shelf.filled("lamp hall", "vase hall")
    assert shelf.ok("move", "lamp", "hall", "attic") == ""
    assert shelf.ok("list") == "attic: lamp\nhall: vase\n"


def test_drops_an_item(shelf):
    shelf.filled("lamp hall", "vase hall")
    assert shelf.ok("drop", "lamp") == ""
    assert shelf.ok("list") == "hall: vase\n"


def test_keeps_dropped_items_in_the_store(shelf):
    shelf.filled("lamp hall")
    shelf.ok("drop", "lamp")
    assert shelf.data()["items"] == [{"name": "lamp", "shelf": "hall", "gone": True}]


@pytest.mark.functionality
def test_mv_is_move(shelf):
    shelf.filled("lamp hall")
    shelf.ok("mv", "lamp", "hall", "attic")
    assert shelf.ok("list", "attic") == "lamp\n"


@pytest.mark.functionality
def test_moved_item_goes_to_the_end(shelf):
    shelf.filled("lamp hall", "box attic", "vase attic")
    shelf.ok("move", "lamp", "hall", "attic")
    assert shelf.ok("list", "attic") == "box\nvase\nlamp\n"


@pytest.mark.functionality
def test_move_to_the_same_shelf_goes_to_the_end(shelf):
    shelf.filled("lamp hall", "vase hall")
    shelf.ok("move", "lamp", "hall", "hall")
    assert shelf.ok("list", "hall") == "vase\nlamp\n"


@pytest.mark.functionality
def test_name_of_a_dropped_item_is_free(shelf):
    shelf.filled("lamp hall")
    shelf.ok("drop", "lamp")
    shelf.filled("lamp attic")
    assert shelf.ok("list") == "attic: lamp\n"


@pytest.mark.functionality
def test_move_keeps_unknown_keys(shelf):
    shelf.store.write_text(json.dumps({"items": [{"name": "lamp", "shelf": "hall", "colour": "red"}]}))
    shelf.ok("move", "lamp", "hall", "attic")
    assert shelf.data()["items"] == [{"name": "lamp", "shelf": "attic", "colour": "red"}]


@pytest.mark.error
def test_shelf_of_a_dropped_item_is_gone(shelf):
    shelf.filled("lamp hall")
    shelf.ok("drop", "lamp")
    shelf.fails(1, "list", "hall")


@pytest.mark.error
def test_no_such_item(shelf):
    shelf.filled("lamp hall")
    shelf.fails(1, "move", "vase", "hall", "attic")
    shelf.fails(1, "drop", "vase")


@pytest.mark.error
def test_item_lies_elsewhere(shelf):
    shelf.filled("lamp hall", "box attic")
    shelf.fails(1, "move", "lamp", "attic", "cellar")


@pytest.mark.error
def test_item_is_gone_already(shelf):
    shelf.filled("lamp hall")
    shelf.ok("drop", "lamp")
    shelf.fails(1, "drop", "lamp")
    shelf.fails(1, "move", "lamp", "hall", "attic")


@pytest.mark.error
@pytest.mark.parametrize(
    "args",
    [("move", "lamp", "hall"), ("drop",), ("drop", "lamp", "vase"), ("move", "lamp", "hall", "a b")],
    ids=" ".join,
)
def test_wrong_command_line(shelf, args):
    shelf.filled("lamp hall")
    shelf.fails(2, *args)
