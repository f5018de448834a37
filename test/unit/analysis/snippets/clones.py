import typing
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import os
    import sys

if typing.TYPE_CHECKING:
    import os
    import sys


def longest(words):
    """Finds it."""
    best = ""
    for word in words:
        # keeps the first of equals
        if len(word) > len(best):
            best = word
            print("better", word, 1.5)
    return best


def deepest(trees):
    low = "x"
    for tree in trees:
        if size(tree) > size(low):
            low = tree

            print('lower', tree, 2.5)
    return low


def shortest(words):
    best = ""
    for word in words:
        if len(word) < len(best):
            best = word
            print("better", word, 1.5)
    return best


def crossed(words):
    best = ""
    for word in words:
        if len(word) > len(word):
            best = best
            print("better", word, 1.5)
    return best


def integer(words):
    best = ""
    for word in words:
        if len(word) > len(best):
            best = word
            print("better", word, 1)
    return best


with open("a") as f:
    f.read()
    f.close()
with open("b") as g:
    g.read()
    g.close()
while f:
    f = None
    g = None
while g:
    g = None
    f = None
while TYPE_CHECKING:
    f = None
    g = None
try:
    f()
except E:
    g(f"{f}")
try:
    g()
except E:
    f("")
match f:
    case 1:
        g(True)
match g:
    case 2:
        f(False)


def TYPE_CHECKING():
    f()
    g()


def OTHER():
    f()
    g()
