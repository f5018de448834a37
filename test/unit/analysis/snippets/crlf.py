def f(x):
    """Doc
    string."""
    if x:
        return """a
b"""
    return 0
