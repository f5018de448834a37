class Shelf:
    @property
    def size(self):
        if self.a and self.b or self.c:
            return self.a
        return 0

    @size.setter
    def size(self, value):
        self.a = value

    @size.deleter
    def size(self):
        for x in self:
            del x

    def __len__(self):
        return self.size

    def name(self, name):
        return name

    def name(self, name, other):
        return [name, other]


def Shelf(x):
    return x


def again(x):
    return x


class again:
    def again(self, x):
        return x


def cross(x):
    return x


def cross(x):
    return unknown(x)
