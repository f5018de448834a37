x = 1
﻿
﻿# comment

​
y = (
    1,
⁠
)
z = "​"
# ​


def f(a):
    """Doc ﻿."""
​
    text = f"""{a}
​
{{
​
}} {
​
a}"""
    return text
