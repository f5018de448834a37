def run(x):
    return elsewhere(x)


class only:
    pass
