import os.path
from pkg import outside
from other import outside as renamed


def target(a, b=1, *args, **kwargs):
    print(a, b, args, kwargs)


def same(a):
    """Docstring."""
    return a


def literal(a):
    return 1


def forward(a, b):
    return target(a, b)


def swapped(a, b):
    return target(b, a)


def fewer(a, b):
    return target(a)


def twice(a):
    return target(a, a)


def keyword(a):
    return target(a=a)


def starred(*args, **kwargs):
    return target(*args, **kwargs)


def typed(a: int, b: str = "x", *rest, last: int):
    return target(a, b, rest, last)


def typed_star(*args: int):
    return args


def nothing():
    return target()


def foreign(path):
    return os.path.join(path)


def imported(a):
    return outside(a)


def other(a):
    return renamed(a)


def builtin(a):
    return len(a)


def recursive(a):
    return recursive(a)


def attribute(a):
    return a.b


def called(a):
    return a(a)


def awaited(a):
    return (target(a))


def nested(a):
    return target(target(a))


def commented(a):
    return target(
        a,  # why
    )


def continued(a):
    return \
        a


def generator(a):
    return target(x for x in a)


def built(a):
    return Maker(a)


def method_of(a):
    return pass_throughs.target(a)


class Maker:
    def same(self, a):
        return a

    def to_self(self):
        return self

    def forward(self, a):
        return target(a)

    def own(self, a):
        return self.forward(a)

    def receiver(self, a):
        return target(self, a)

    def make(cls, a):
        return Maker(a)

    def _(self, a): return a


class Child(Maker):
    def forward(self, a):
        return target(a)

    def self(self, a):
        return a

    def inner(self):
        def local(a):
            return a

        def call(a):
            return local(a)
        return call


class Commented(
    # only a comment
):
    def forward(self, a):
        return target(a)


class Bare():
    def forward(self, a):
        return target(a)


def __dunder__(a):
    return a


def two(a):
    return a
    return a


def positional(a, /, b, *, c):
    return target(a, b, c)


def default(a=target(1)):
    return a
