import os.path
import json as data
from collections import OrderedDict
from . import sibling
from .pkg import first, second as other


def shout(text):
    """Says it louder."""
    "and a second string"
    return text.upper()


def quiet(text):
    # a comment is no statement
    return (
        text.lower()
    )


def not_one(text):
    text = text.strip()
    return text


def no_return(text):
    print(text)


if True:
    def inside(x):
        return x

    hidden = shout

loud = shout
typed: object = shout
attribute = shout.__doc__
module = data.loads
exists = os.path.exists
ordered = OrderedDict
several = other_name = shout
called = shout("x")
loud = shout; also = quiet


class Speaker:
    def speak(self): return shout("hi")

    louder = speak
    __call__ = speak


speak = Speaker.speak
by_method_name = speak
