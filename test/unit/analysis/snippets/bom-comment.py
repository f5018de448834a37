# A comment behind a byte order mark.
x = 1
