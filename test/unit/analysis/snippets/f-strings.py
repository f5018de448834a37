def nested(rows, width):
    """Docstring."""
    f"free-standing {rows}"
    one = f"{f"{f"{1 + 1}"}"} {rows['a']} {"x" if rows else 'y'}"
    two = f'''
    {rows
     and width:>{width}.{
        width
     }}
    {{doubled}} text }}
    {
        [
            r
            for r in rows
            if r  # filter
        ]
    } tail'''
    three = rf"""\d{width!r}
{width=}
end""" "plain" f"{rows:%Y-%m-%d}"
    four = f"{
        lambda_ if (lambda_ := rows) else {k: v for k, v in rows}
    }"
    return f"{one or two}" f"""{three} \
{four}"""


def raw():
    rb"bytes"
    rf"raw {1}"
    r"raw"
    u"unicode"
    (
        "parenthesised"
    )
    "a" "b"
    return B"" b""
