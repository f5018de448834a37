text = """a bc"""
y = 1


def f(x):
    """Doc."""
    return x
