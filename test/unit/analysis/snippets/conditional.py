try:
    import fast

    def work(x):
        return fast.work(x)
except ImportError:
    def work(x):
        for y in x:
            if y:
                yield y

if TYPE_CHECKING:
    from a import b
    from c import d
    from e import f

if typing.TYPE_CHECKING:
    from a import b
    from c import d
    from e import f

with guard:
    class Late:
        def method(self):
            return 1


class Early:
    if x:
        def chosen(self):
            return 1
    else:
        def chosen(self):
            return 2

    def always(self):
        while True:
            def inner(y):
                return y if y else 0
            break
        return inner


def outer():
    def direct(z):
        return z
    for _ in ():
        def looped(z):
            return z
    return direct
