# ab
# c  # d
# e


def f(a):
    # g h = 1
    return a
