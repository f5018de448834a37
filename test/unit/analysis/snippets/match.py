def route(event, depth=0):
    match event:
        case {"kind": "open", "path": str(path)} if path and depth < 3:
            return path
        case [first, *rest] if any(r is None for r in rest):
            match first:
                case 0 | 1 | 2:
                    return rest
                case complex(real=r) if r:
                    return [r]
        case Point(x=0, y=0) | None:
            for _ in range(3):
                if depth:
                    continue
        case _:
            return event or (1 if depth else 2)


match = case = type = 1
match(case)
match[case] = type


def twin(event, depth=0):
    match event:
        case {"kind": "shut", "path": str(path)} if path and depth < 9:
            return path
        case [first, *rest] if any(r is None for r in rest):
            match first:
                case 3 | 4 | 5:
                    return rest
                case complex(real=r) if r:
                    return [r]
        case Point(x=7, y=8) | None:
            for _ in range(4):
                if depth:
                    continue
        case _:
            return event or (5 if depth else 6)
