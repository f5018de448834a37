class Shelf:
    size: int = 0

    @property
    def width(self):
        return self._width

    @width.setter
    def width(self, value):
        """Sets it."""
        self._width = value

    def sort(self, books):
        def by_title(book):
            if book.title:
                return book.title

            class Key:
                def less(self, other):
                    return self < other or self is other

            return Key()

        with self.lock:
            def hidden(book):
                while book:
                    book = book.next
                return book
        for book in books:
            def also_hidden():
                return [b for b in books]
        return sorted(books, key=by_title)

    if True:
        def conditional(self):
            return self.size

    class Inner:
        async def count(self): return len(self.items)


try:
    def guarded(path):
        return path and open(path)
except OSError:
    pass


def generic[T: int](value: T, *values: T) -> T: return value
def two(): pass; pass
type Pair[A] = tuple[A, A]
