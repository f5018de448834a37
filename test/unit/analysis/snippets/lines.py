"""A module that is read for its lines of code.

None of these three lines counts.
"""
import json  # a comment behind code


BANNER = """one
literal over
three lines counts once"""


def describe(order, *, brief=False):
    """A docstring on one line."""

    # a comment alone
    "a free-standing string"
    total = sum(
        line["price"]
        for line in order
    )
    if brief and total < 10 or order is None:
        return f"{total}"
    note = (
        "first part "
        "second part"
    )
    long = 1 + \
        2
    a = 1; b = 2
    b"bytes are code"
    f"{a} so are formatted strings"
    "owns its line not"; c = 3
    return f"""total {{ {total}
        text goes on
        {note}
    """


def later():
    "docstring"  # not alone on its line
