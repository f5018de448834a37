def window(x):
    return x or 1
