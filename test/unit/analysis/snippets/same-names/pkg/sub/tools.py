from . import __main__
from pkg import shown as visible


def work(x):
    print(x)
    return [x for x in x if x]


def again(x):
    return visible(x)


def main(x):
    return __main__.main(x)


def through(x):
    return pkg.shown(x)
