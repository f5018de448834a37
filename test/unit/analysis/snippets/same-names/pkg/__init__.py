from pkg.sub.tools import work


def shown(x):
    return work(x)
