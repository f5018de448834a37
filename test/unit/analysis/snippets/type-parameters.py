type Pair[T, *Ts, **P] = tuple[T, *Ts] | Callable[P, T if T else int]


class Box[T: (int, str)](Generic[T], metaclass=Meta):
    def first[U: int](self, items: list[U]) -> U | None:
        return items[0] if items else None

    def same(self, item):
        return item


class Plain[T]:
    def same(self, item: T) -> T:
        return item

    async def later[**P](self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        async with self.lock as lock, lock.inner:
            async for x in call(*args, **kwargs):
                await x
        return [y async for y in self if await y]


def top[T](value: T) -> T: return value
