def read(stream, limit=(size := 8)):
    while chunk := stream.read(limit):
        if (n := len(chunk)) > 3 and (head := chunk[0]):
            yield head, n
        total = [y := f(chunk), y**2]
        print(f"{(z := 10)!r:>{size}} {z:=10}", total, [last := v for v in chunk if (w := v)])
    return (a := 1, b := 2)
