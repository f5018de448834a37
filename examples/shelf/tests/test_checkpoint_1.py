import json

import pytest


def test_lists_shelves_in_alphabetical_order(shelf):
    shelf.filled("lamp hall", "vase hall", "box attic")
    assert shelf.ok("list") == "attic: box\nhall: lamp, vase\n"


def test_lists_one_shelf(shelf):
    shelf.filled("lamp hall", "vase hall", "box attic")
    assert shelf.ok("list", "hall") == "lamp\nvase\n"


def test_adds_silently(shelf):
    assert shelf.ok("add", "lamp", "hall") == ""


def test_stores_items_in_the_current_folder(shelf):
    shelf.filled("lamp hall")
    assert shelf.data()["items"] == [{"name": "lamp", "shelf": "hall"}]


@pytest.mark.functionality
def test_keeps_the_order_of_a_shelf(shelf):
    shelf.filled("c hall", "a hall", "b hall")
    assert shelf.ok("list", "hall") == "c\na\nb\n"


@pytest.mark.functionality
def test_lists_nothing_when_nothing_is_stored(shelf):
    assert shelf.ok("list") == ""


@pytest.mark.functionality
def test_keeps_unknown_keys(shelf):
    stored = {"owner": "Ada", "items": [{"name": "lamp", "shelf": "hall", "colour": "red"}]}
    shelf.store.write_text(json.dumps(stored))
    shelf.filled("vase hall")
    data = shelf.data()
    assert data["owner"] == "Ada"
    assert data["items"][0] == {"name": "lamp", "shelf": "hall", "colour": "red"}


@pytest.mark.functionality
def test_takes_names_of_any_script(shelf):
    shelf.filled("Öllampe küche")
    assert shelf.ok("list") == "küche: Öllampe\n"


@pytest.mark.error
def test_duplicate_item(shelf):
    shelf.filled("lamp hall")
    shelf.fails(1, "add", "lamp", "attic")


@pytest.mark.error
def test_shelf_does_not_exist(shelf):
    shelf.filled("lamp hall")
    shelf.fails(1, "list", "attic")


@pytest.mark.error
@pytest.mark.parametrize(
    "args",
    [(), ("fly",), ("add",), ("add", "lamp"), ("add", "lamp", "hall", "now"), ("list", "hall", "attic")],
    ids=lambda args: " ".join(args) or "no command",
)
def test_wrong_command_line(shelf, args):
    shelf.fails(2, *args)


@pytest.mark.error
@pytest.mark.parametrize("name", ["", "two words", "a,b"], ids=["empty", "white space", "comma"])
def test_bad_name(shelf, name):
    shelf.fails(2, "add", name, "hall")
    shelf.fails(2, "add", "lamp", name)


@pytest.mark.error
@pytest.mark.parametrize("text", ["{", "[]", '{"things": []}'], ids=["not JSON", "not an object", "no items"])
def test_unreadable_store(shelf, text):
    shelf.store.write_text(text)
    shelf.fails(1, "list")
    shelf.fails(1, "add", "lamp", "hall")
