import pytest


def test_shows_tags_in_alphabetical_order(shelf):
    shelf.filled("vase hall")
    assert shelf.ok("tag", "vase", "fragile", "blue") == ""
    assert shelf.ok("tags", "vase") == "blue\nfragile\n"


def test_takes_a_tag_away(shelf):
    shelf.filled("vase hall")
    shelf.ok("tag", "vase", "fragile", "blue")
    assert shelf.ok("untag", "vase", "blue") == ""
    assert shelf.ok("tags", "vase") == "fragile\n"


def test_lists_items_with_a_tag(shelf):
    shelf.filled("lamp hall", "vase hall", "box attic")
    shelf.ok("tag", "vase", "fragile")
    assert shelf.ok("list", "--tag", "fragile") == "hall: vase\n"


def test_stores_tags_with_the_item(shelf):
    shelf.filled("vase hall")
    shelf.ok("tag", "vase", "fragile", "blue")
    assert shelf.data()["items"] == [{"name": "vase", "shelf": "hall", "tags": ["blue", "fragile"]}]


@pytest.mark.functionality
def test_tags_are_lower_case(shelf):
    shelf.filled("vase hall")
    shelf.ok("tag", "vase", "Fragile", "FRAGILE")
    assert shelf.ok("tags", "vase") == "fragile\n"
    assert shelf.ok("list", "--tag", "FraGile") == "hall: vase\n"


@pytest.mark.functionality
def test_tagging_twice_is_no_error(shelf):
    shelf.filled("vase hall")
    shelf.ok("tag", "vase", "blue")
    shelf.ok("tag", "vase", "blue", "old")
    assert shelf.ok("tags", "vase") == "blue\nold\n"


@pytest.mark.functionality
@pytest.mark.parametrize("args", [("hall", "--tag", "blue"), ("--tag", "blue", "hall")], ids=["after", "before"])
def test_filters_one_shelf(shelf, args):
    shelf.filled("lamp hall", "vase hall", "box attic")
    shelf.ok("tag", "vase", "blue")
    shelf.ok("tag", "box", "blue")
    assert shelf.ok("list", *args) == "vase\n"


@pytest.mark.functionality
def test_no_match_prints_nothing(shelf):
    shelf.filled("lamp hall")
    assert shelf.ok("list", "--tag", "blue") == ""
    assert shelf.ok("list", "hall", "--tag", "blue") == ""


@pytest.mark.functionality
def test_tags_move_with_the_item(shelf):
    shelf.filled("vase hall")
    shelf.ok("tag", "vase", "blue")
    shelf.ok("move", "vase", "hall", "attic")
    assert shelf.ok("list", "attic", "--tag", "blue") == "vase\n"


@pytest.mark.functionality
def test_new_item_does_not_inherit_tags(shelf):
    shelf.filled("vase hall")
    shelf.ok("tag", "vase", "blue")
    shelf.ok("drop", "vase")
    shelf.filled("vase attic")
    assert shelf.ok("tags", "vase") == ""


@pytest.mark.functionality
def test_dropped_item_is_not_listed_by_tag(shelf):
    shelf.filled("vase hall", "lamp hall")
    shelf.ok("tag", "vase", "blue")
    shelf.ok("tag", "lamp", "blue")
    shelf.ok("drop", "vase")
    assert shelf.ok("list", "--tag", "blue") == "hall: lamp\n"


@pytest.mark.error
def test_untag_is_all_or_nothing(shelf):
    shelf.filled("vase hall")
    shelf.ok("tag", "vase", "blue", "old")
    shelf.fails(1, "untag", "vase", "blue", "green")
    assert shelf.ok("tags", "vase") == "blue\nold\n"


@pytest.mark.error
def test_no_such_item(shelf):
    shelf.filled("vase hall")
    shelf.fails(1, "tag", "lamp", "blue")
    shelf.fails(1, "untag", "lamp", "blue")
    shelf.fails(1, "tags", "lamp")


@pytest.mark.error
def test_filter_on_a_shelf_that_does_not_exist(shelf):
    shelf.filled("vase hall")
    shelf.fails(1, "list", "attic", "--tag", "blue")


@pytest.mark.error
@pytest.mark.parametrize("tag", ["", "a b", "a;b", "a,b"], ids=["empty", "white space", "semicolon", "comma"])
def test_bad_tag(shelf, tag):
    shelf.filled("vase hall")
    shelf.fails(2, "tag", "vase", tag)


@pytest.mark.error
@pytest.mark.parametrize(
    "args",
    [("tag", "vase"), ("untag", "vase"), ("tags",), ("list", "--tag"), ("list", "--tag", "a", "--tag", "b")],
    ids=" ".join,
)
def test_wrong_command_line(shelf, args):
    shelf.filled("vase hall")
    shelf.fails(2, *args)
