import json

import pytest


def test_undoes_an_add(shelf):
    shelf.filled("lamp hall", "vase hall")
    assert shelf.ok("undo") == "undone: add vase hall\n"
    assert shelf.ok("list") == "hall: lamp\n"


def test_undoes_a_move(shelf):
    shelf.filled("lamp hall", "vase hall")
    shelf.ok("move", "lamp", "hall", "attic")
    assert shelf.ok("undo") == "undone: move lamp hall attic\n"
    assert shelf.ok("list") == "hall: lamp, vase\n"


def test_shows_the_history(shelf):
    shelf.filled("lamp hall")
    shelf.ok("mv", "lamp", "hall", "attic")
    assert shelf.ok("history") == "1 add lamp hall\n2 move lamp hall attic\n"


@pytest.mark.functionality
def test_undoes_a_drop(shelf):
    shelf.filled("lamp hall", "vase hall")
    shelf.ok("drop", "lamp")
    shelf.ok("undo")
    assert shelf.ok("list") == "hall: lamp, vase\n"
    assert json.loads(shelf.ok("report", "--json"))["gone"] == 0


@pytest.mark.functionality
def test_undoes_tags(shelf):
    shelf.filled("lamp hall")
    shelf.ok("tag", "lamp", "old", "brass")
    shelf.ok("untag", "lamp", "old")
    assert shelf.ok("undo") == "undone: untag lamp old\n"
    assert shelf.ok("tags", "lamp") == "brass\nold\n"
    assert shelf.ok("undo") == "undone: tag lamp old brass\n"
    assert shelf.ok("tags", "lamp") == ""


@pytest.mark.functionality
def test_undoes_an_import_at_once(shelf):
    (shelf.folder / "in.csv").write_text("name,shelf,tags\nvase,hall,blue\nbox,attic,\n")
    shelf.filled("lamp hall")
    shelf.ok("import", "in.csv")
    assert shelf.ok("undo") == "undone: import in.csv\n"
    assert shelf.ok("list") == "hall: lamp\n"


@pytest.mark.functionality
def test_undoes_step_by_step(shelf):
    shelf.filled("lamp hall", "vase hall")
    shelf.ok("drop", "lamp")
    for _ in range(3):
        shelf.ok("undo")
    assert shelf.ok("list") == ""
    assert shelf.ok("history") == ""


@pytest.mark.functionality
def test_readers_and_failures_are_no_changes(shelf):
    shelf.filled("lamp hall")
    shelf.run("add", "lamp", "attic")
    shelf.run("list")
    shelf.run("find", "lamp")
    shelf.run("report")
    shelf.run("export", "out.csv")
    assert shelf.ok("history") == "1 add lamp hall\n"


@pytest.mark.functionality
def test_keeps_the_last_twenty_changes(shelf):
    shelf.filled(*(f"item{n} hall" for n in range(22)))
    lines = shelf.ok("history").splitlines()
    assert lines[0] == "1 add item2 hall"
    assert lines[-1] == "20 add item21 hall"


@pytest.mark.functionality
def test_a_store_without_history(shelf):
    shelf.store.write_text(json.dumps({"owner": "Ada", "items": [{"name": "lamp", "shelf": "hall", "colour": "red"}]}))
    shelf.ok("tag", "lamp", "old")
    shelf.ok("undo")
    data = shelf.data()
    assert data["owner"] == "Ada"
    assert data["items"] == [{"name": "lamp", "shelf": "hall", "colour": "red"}]


@pytest.mark.functionality
def test_new_change_after_an_undo(shelf):
    shelf.filled("lamp hall", "vase hall")
    shelf.ok("undo")
    shelf.filled("box hall")
    assert shelf.ok("history") == "1 add lamp hall\n2 add box hall\n"
    assert shelf.ok("list") == "hall: lamp, box\n"


@pytest.mark.error
def test_nothing_to_undo(shelf):
    shelf.fails(1, "undo")
    shelf.filled("lamp hall")
    shelf.ok("undo")
    shelf.fails(1, "undo")


@pytest.mark.error
@pytest.mark.parametrize("args", [("undo", "2"), ("history", "all")], ids=" ".join)
def test_wrong_command_line(shelf, args):
    shelf.filled("lamp hall")
    shelf.fails(2, *args)
