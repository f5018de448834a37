def run(x):
    return x


def only(x):
    if x and x.y:
        return 1
    return 2
