def tiny(a):
    return a


def swollen(a, b, c, d):
    if a and b:
        return 1
    elif a or c:
        return 2
    elif b and c and d:
        return 3
    for i in range(10):
        if i % 2 == 0:
            continue
        while d > 0:
            d -= 1
    return [x for x in (a, b, c) if x]


def at_the_edge(a, b, c):
    if a and b and c:
        return 1
    if a or b or c:
        return 2
    if a:
        return 3
    if b:
        return 4
    if c:
        return 5
    return 6


def below(a, b):
    return a or b
