import { describe, expect, it } from "vitest";

import { evaluateAttack, outcomesOf } from "./hostile-support.js";

/** What the solution tries on its surroundings; it answers 30, and says what it reached where that is more than nothing. */
const CASES: readonly (readonly [name: string, code: string, outcomes: string])[] = [
  ["ends its own process group", "os.killpg(0, signal.SIGKILL)", "+-+++"],
  [
    "stops everything that it can reach",
    "os.kill(-1, signal.SIGSTOP)\nos.killpg(0, signal.SIGCONT)\nprint(30)",
    "+++++",
  ],
  [
    "sets limits of the tests' process",
    `import resource
reached = []
for pid in (1, os.getppid()):
    for limit in (resource.RLIMIT_NOFILE, resource.RLIMIT_CPU, resource.RLIMIT_AS):
        try: reached.append(resource.prlimit(pid, limit, (1, 1)))
        except PermissionError: pass
print(reached or 30)`,
    "+++++",
  ],
  [
    "has itself signalled for others by the kernel",
    `import fcntl
reading, writing = os.pipe()
for pid in (1, os.getppid()):
    try:
        fcntl.fcntl(reading, fcntl.F_SETOWN, pid)
        fcntl.fcntl(reading, 10, signal.SIGKILL)
        fcntl.fcntl(reading, fcntl.F_SETFL, os.O_ASYNC)
        os.write(writing, b"x")
    except OSError: pass
print(30)`,
    "+++++",
  ],
  [
    "puts links where pytest makes its folders",
    `import glob
for folder in glob.glob("/tmp/pytest-of-*/*") + glob.glob("/tmp/pytest-of-*"):
    os.rename(folder, folder + "-gone")
    os.symlink(os.getcwd(), folder)
print(30)`,
    "+++++",
  ],
  [
    "puts links where tests are looked for, while they run",
    `for name in (".evaluation_tests", "pytest.ini", "adder.py"):
    for action in (lambda: os.symlink("/tmp", name + ".new"), lambda: os.replace(name + ".new", name)):
        try: action()
        except OSError: pass
print(30)`,
    // Its own file it may replace, and has none any more.
    "++-++",
  ],
  [
    "replaces the interpreter and what it loads at its start",
    `import site
reached = []
for place in ("/opt/slop-lens/tests/bin/python", "/opt/slop-lens/tests/pyvenv.cfg", os.path.realpath(sys.executable),
              "/etc/ld.so.preload", "/opt/slop-lens/harness/supervisor.py"):
    for action in (os.unlink, lambda name: open(name, "a"), lambda name: os.rename("adder.py", name)):
        try: reached.append((place, action(place)))
        except OSError: pass
os.makedirs(site.getusersitepackages(), exist_ok=True)
for folder in (site.getusersitepackages(), *site.getsitepackages()):
    try: open(os.path.join(folder, "attack.pth"), "w").write("import os; os.environ['ATTACKED'] = '1'")
    except OSError: pass
print(reached or 30)`,
    "+++++",
  ],
  [
    "fills the shared memory and keeps it",
    `try:
    with open("/dev/shm/full", "wb") as file:
        while True: file.write(bytes(1 << 20))
except OSError as error: print(30 if error.errno == errno.ENOSPC else error)`,
    "+++++",
  ],
  [
    "sets the clock and the host's name",
    `reached = []
for action in (lambda: time.clock_settime(time.CLOCK_REALTIME, 0), lambda: socket.sethostname("x"), lambda: os.chroot("/tmp"),
               lambda: os.mknod("/tmp/device", 0o20666, os.makedev(1, 1)), lambda: os.setgroups([0])):
    try: reached.append(action())
    except OSError: pass
print(reached or 30)`,
    "+++++",
  ],
  [
    "makes its terminal and its output odd",
    `import fcntl
for number in range(3):
    try: fcntl.fcntl(number, fcntl.F_SETFL, os.O_NONBLOCK)
    except OSError: pass
os.write(2, b"\\x1e\\xff\\x00" * 1000)
print(30)`,
    "+++++",
  ],
  [
    "listens on every name that has no file, and watches the tests",
    `libc = ctypes.CDLL(None)
for number in range(200):
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(f"\\0attack-{number}")
    listener.listen()
watch = libc.inotify_init()
libc.inotify_add_watch(watch, b".evaluation_tests", 0xFFF)
if os.fork() == 0:
    os.closerange(0, 3)
    time.sleep(600)
print(30)`,
    "+++++",
  ],
  [
    "leaves files of its own with every name a test may want",
    `for name in ("__init__.py", "conftest.py", "json.py", "pytest.py", "test_more.py"):
    open(name, "w").write("raise SystemExit(0)")
os.mkdir("tests")
open("tests/test_more.py", "w").write("def test_more(): pass")
for name in ("json.py", "pytest.py"): os.unlink(name)
print(30)`,
    "+++++",
  ],
  [
    "leaves the tests only what is idle of the processor",
    `reached = []
libc = ctypes.CDLL(None)
numbers = {"x86_64": (141, 251, 314), "aarch64": (140, 30, 274)}[os.uname().machine]
attributes = ctypes.create_string_buffer(b"\\x30\\0\\0\\0\\x05", 48)
for pid in (1, os.getppid()):
    for action in (lambda: os.sched_setscheduler(pid, os.SCHED_IDLE, os.sched_param(0)), lambda: os.sched_setaffinity(pid, {0}),
                   lambda: os.sched_setparam(pid, os.sched_param(0)), lambda: os.setpriority(os.PRIO_PROCESS, pid, 19),
                   lambda: os.setpriority(os.PRIO_PGRP, os.getpgid(pid), 19), lambda: os.setpriority(os.PRIO_PGRP, 0, 19),
                   lambda: os.setpriority(os.PRIO_USER, 64987, 19)):
        try: reached.append(action())
        except (PermissionError, ProcessLookupError): pass
    for call in ((numbers[0], 0, pid, 19), (numbers[1], 1, pid, 3 << 13), (numbers[2], pid, attributes, 0)):
        if libc.syscall(*call) == 0: reached.append((pid, call))
# Its own share is its own business.
os.sched_setaffinity(os.getpid(), os.sched_getaffinity(0))
os.setpriority(os.PRIO_PROCESS, os.getpid(), 1)
os.nice(1)
print(reached or 30)`,
    "+++++",
  ],
];

describe.concurrent("a solution that", { timeout: 120_000 }, () => {
  it.each(CASES)("%s", async (_name, code, outcomes) => {
    const trial = await evaluateAttack({ code });
    expect(trial.evaluation.reason).toBeUndefined();
    expect(trial.evaluation.valid).toBe(true);
    expect(outcomesOf(trial)).toBe(outcomes);
  });

  it("is a program of the setup has no say in how the tests are scheduled later", async () => {
    const wait = `python3 -c "
import os, time
def is_pytest(pid):
    stat = open('/proc/' + pid + '/stat').read().rpartition(')')[2].split()
    return stat[1] == '1' and 'supervisor.py' in open('/proc/' + pid + '/cmdline').read()
if os.fork(): os._exit(0)
while True:
    for pid in filter(str.isdigit, os.listdir('/proc')):
        try:
            if pid != str(os.getpid()) and is_pytest(pid):
                os.sched_setscheduler(int(pid), os.SCHED_IDLE, os.sched_param(0))
                open('idle', 'w')
        except PermissionError: open('tried', 'w')
        except OSError: pass
    time.sleep(0.01)
" > /dev/null 2>&1`;
    const code = `while not os.path.exists("tried"): time.sleep(0.01)
print(30 if not os.path.exists("idle") and os.sched_getscheduler(os.getppid()) == os.SCHED_OTHER else "idle")`;
    const trial = await evaluateAttack({ code, setup: [wait] });
    expect(trial.evaluation.reason).toBeUndefined();
    expect(outcomesOf(trial)).toBe("+++++");
  });
});
