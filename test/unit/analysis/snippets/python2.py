print "a"
exec "b" in c
print >>f, "x",
