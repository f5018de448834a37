def texts(w, q):
    a = f"{w!r:>{q}} {f'{q}' if w else f"{w}"}"
    b = f"""
{w
}
plain
{{
{q:
}
"""
    c = rb"""
bytes
"""
    d = (f"one {w} "
         f"two"
         """
         three""")
    e = F'''
'''
    """ä ö ü"""
    """ä ö ü äöüäöü """ # 
    u"""unicode prefix
    goes too"""
    r"raw too"
    ("parenthesised stays")
    "joined" "stays"
    return a, b, c, d, e
