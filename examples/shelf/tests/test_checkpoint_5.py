import pytest

HEADER = "name,shelf,tags\n"


def write(shelf, text, name="items.csv"):
    (shelf.folder / name).write_text(text, encoding="utf-8")
    return name


def test_exports_to_standard_output(shelf):
    shelf.filled("lamp hall", "box attic")
    shelf.ok("tag", "lamp", "old", "brass")
    assert shelf.ok("export", "-") == HEADER + "box,attic,\nlamp,hall,brass;old\n"


def test_exports_to_a_file(shelf):
    shelf.filled("lamp hall", "box attic")
    assert shelf.ok("export", "out.csv") == "exported 2\n"
    assert (shelf.folder / "out.csv").read_bytes() == b"name,shelf,tags\nbox,attic,\nlamp,hall,\n"


def test_imports_items(shelf):
    name = write(shelf, HEADER + "lamp,hall,old;brass\nvase,hall,\n")
    assert shelf.ok("import", name) == "imported 2\n"
    assert shelf.ok("list") == "hall: lamp, vase\n"
    assert shelf.ok("tags", "lamp") == "brass\nold\n"


@pytest.mark.functionality
def test_import_adds_to_what_is_there(shelf):
    shelf.filled("lamp hall")
    shelf.ok("import", write(shelf, HEADER + "vase,hall,\n"))
    assert shelf.ok("list") == "hall: lamp, vase\n"


@pytest.mark.functionality
def test_skips_names_that_are_taken(shelf):
    shelf.filled("lamp hall")
    name = write(shelf, HEADER + "lamp,attic,\nvase,hall,\nvase,attic,\n")
    assert shelf.ok("import", name, "--skip") == "imported 1, skipped 2\n"
    assert shelf.ok("list") == "hall: lamp, vase\n"


@pytest.mark.functionality
def test_import_tidies_tags_and_passes_over_empty_lines(shelf):
    shelf.ok("import", write(shelf, HEADER + "\nlamp,hall,Old;;old;Brass\n\n"))
    assert shelf.ok("tags", "lamp") == "brass\nold\n"


@pytest.mark.functionality
def test_reads_quoted_fields(shelf):
    shelf.ok("import", write(shelf, HEADER + '"lamp","hall","old;brass"\n'))
    assert shelf.ok("list", "--tag", "brass") == "hall: lamp\n"


@pytest.mark.functionality
def test_dropped_items_are_not_exported(shelf):
    shelf.filled("lamp hall", "vase hall")
    shelf.ok("drop", "lamp")
    assert shelf.ok("export", "-") == HEADER + "vase,hall,\n"


@pytest.mark.functionality
def test_name_of_a_dropped_item_can_be_imported(shelf):
    shelf.filled("lamp hall")
    shelf.ok("drop", "lamp")
    assert shelf.ok("import", write(shelf, HEADER + "lamp,attic,\n")) == "imported 1\n"
    assert shelf.ok("list") == "attic: lamp\n"


@pytest.mark.functionality
def test_an_export_can_be_imported(shelf):
    shelf.filled("c hall", "a hall", "b attic")
    shelf.ok("tag", "a", "x", "y")
    shelf.ok("export", "out.csv")
    shelf.store.unlink()
    shelf.ok("import", "out.csv")
    assert shelf.ok("list") == "attic: b\nhall: c, a\n"
    assert shelf.ok("tags", "a") == "x\ny\n"


@pytest.mark.error
def test_import_is_all_or_nothing(shelf):
    shelf.filled("lamp hall")
    message = shelf.fails(1, "import", write(shelf, HEADER + "vase,hall,\nlamp,attic,\n"))
    assert message == "shelf: line 3: lamp is already on hall"
    assert shelf.ok("list") == "hall: lamp\n"


@pytest.mark.error
@pytest.mark.parametrize(
    "row",
    ["vase,hall", "vase,hall,,", ",hall,", "vase,a b,", "vase,hall,a b", "lamp,attic,"],
    ids=["two fields", "four fields", "no name", "bad shelf", "bad tag", "twice in the file"],
)
def test_bad_row(shelf, row):
    message = shelf.fails(1, "import", write(shelf, HEADER + "lamp,hall,\n\n" + row + "\n"))
    assert message.startswith("shelf: line 4: ")


@pytest.mark.error
def test_skip_excuses_only_taken_names(shelf):
    message = shelf.fails(1, "import", write(shelf, HEADER + "lamp,hall,\nvase,a b,\n"), "--skip")
    assert message.startswith("shelf: line 3: ")


@pytest.mark.error
@pytest.mark.parametrize("text", ["", "lamp,hall,\n"], ids=["empty", "no header"])
def test_bad_file(shelf, text):
    shelf.fails(1, "import", write(shelf, text))


@pytest.mark.error
def test_file_that_cannot_be_opened(shelf):
    shelf.filled("lamp hall")
    shelf.fails(1, "import", "missing.csv")
    shelf.fails(1, "export", "missing/out.csv")


@pytest.mark.error
@pytest.mark.parametrize(
    "args", [("export",), ("export", "a", "b"), ("import",), ("import", "a", "--all")], ids=" ".join
)
def test_wrong_command_line(shelf, args):
    shelf.filled("lamp hall")
    shelf.fails(2, *args)
