def main(x):
    for y in x:
        print(y)


def main(x, y):
    return x, y
