async def pick(rows, limit=3 if True else 4, *rest: "int or None"):
    found = {key: value for key, value in rows for _ in key if key and value}
    names = {name for name in found}
    many = list(item for item in names if item if not item)
    async for row in rows:
        while row:
            if row < 0:
                break
            elif row == 0:
                continue
            elif row == 1 and limit or rest:
                row -= 1
            else:
                pass
        else:
            row = 0
    try:
        assert many, "something"
    except (KeyError, ValueError):
        raise
    except OSError:
        pass
    else:
        many = [n := 1, n]
    finally:
        names = None
    with open("x") as one, open("y") as two:
        one.write(two.read())
    match limit:
        case 1 | 2:
            return 1
        case [first, *_] if first and many:
            return 2
        case {"k": v} if v:
            return v
        case _:
            pass
    chosen = (lambda v: v if v else 0)(limit)
    return chosen < 1 < 2 and not chosen
