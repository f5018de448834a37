"""Runs a command and prints what it cost as JSON: wall and CPU seconds with all children, peak memory in MB."""

import json
import resource
import subprocess
import sys
import time

start = time.monotonic()
done = subprocess.run(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
wall = time.monotonic() - start
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
report = {
    "wall": wall,
    "cpu": usage.ru_utime + usage.ru_stime,
    "memory": usage.ru_maxrss / 1024,
    "exit": done.returncode,
    "trouble": done.stderr.decode(errors="replace")[-400:],
}
print(json.dumps(report))
