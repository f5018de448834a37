# café
name = "éè"


def f():
    """é"""
    return name
