"""Doc."""

def f(x):
    """Doc."""
    return x

class A:
    """Doc."""

    def m(self):
        if self:
            return 1
        return 2
