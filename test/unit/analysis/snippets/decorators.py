import functools
from typing import overload


@functools.wraps(a or b)
@(lambda f: f if f else None)
@app.route("/", methods=["GET"] if x else ["POST"])
def decorated(x):
    return x


class View:
    @staticmethod
    def still(x):
        return x

    @classmethod
    @functools.cache
    def made(cls, x):
        return still(x)

    @decorate
    class Inner:
        def method(self, value):
            return value

        @decorate
        def hidden(self, value):
            return value


@overload
def parse(x: int) -> int: ...
@overload
def parse(x: str) -> str: ...
def parse(x):
    if isinstance(x, int):
        return x
    return str(x)


@decorate  # a comment behind
# a comment between
def late(x):
    return x
