import { symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";

import { describe, expect, it } from "vitest";

import { LABEL } from "../../src/core/sandbox/docker/labels.js";
import { temporaryFolder } from "../unit/sandbox/support.js";
import { evaluateAttack, outcomesOf, type Attack } from "./hostile-support.js";
import { engine } from "./sandbox-support.js";

const MEBIBYTE = 1024 ** 2;
interface Case {
  readonly name: string;
  readonly attack: Attack;
  readonly outcomes: string;
  readonly words?: RegExp;
}

const QUIET = "raise SystemExit(0)";

/** Case, attack, outcomes (see `outcomesOf`), and what the evaluation says besides. docs/SANDBOX.md has them as a table. */
const CASES: readonly Case[] = [
  {
    name: "brings its own conftest, pytest.ini, sitecustomize and modules in the way",
    attack: {
      code: "print(30)",
      error: 1,
      files: {
        "conftest.py": "def pytest_runtest_makereport(item, call): raise SystemExit(0)",
        "pytest.ini": "[pytest]\naddopts = --collect-only\n",
        "sitecustomize.py": QUIET,
        "pytest.py": QUIET,
        "json.py": QUIET,
        ".evaluation_tests/test_checkpoint_1.py": "def test_nothing(): pass",
      },
    },
    outcomes: "-+-++",
  },
  {
    name: "leaves children behind that ignore signals",
    attack: {
      code: `for _ in range(20):
    if os.fork() == 0:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        os.close(1)
        time.sleep(600)
print(30)`,
    },
    outcomes: "+++++",
  },
  {
    name: "closes the folder that pytest tidies up at its end",
    attack: {
      code: `import glob
for folder in glob.glob("/tmp/pytest-of-*"):
    os.chmod(folder, 0)
print(30)`,
      error: 1,
    },
    outcomes: "-+-++",
  },
  {
    name: "forks without end",
    attack: {
      code: `while True:
    try:
        os.fork()
    except OSError:
        time.sleep(600)`,
      limits: { memoryBytes: undefined, cpus: undefined, pids: 100 },
    },
    outcomes: "+-+++",
    words: /limit on processes was met/u,
  },
  {
    name: "fills the workspace and /tmp",
    attack: {
      code: `for name in ("big", "/tmp/big"):
    with open(name, "wb") as file:
        for _ in range(150): file.write(bytes(1 << 20))
time.sleep(600)`,
      limits: { memoryBytes: undefined, cpus: undefined, pids: undefined, diskBytes: 200 * MEBIBYTE },
    },
    outcomes: "+-!!!",
    words: /more was written than the container may hold/u,
  },
  {
    name: "writes a file above the limit",
    attack: {
      code: `try:
    with open("big", "wb") as file:
        while True: file.write(bytes(1 << 20))
except OSError as error:
    print(30 if error.errno == errno.EFBIG else error)`,
      limits: { memoryBytes: undefined, cpus: undefined, pids: undefined, diskBytes: 100 * MEBIBYTE },
    },
    outcomes: "+++++",
  },
  {
    name: "takes all memory",
    attack: {
      code: "x = []\nwhile True: x.append(bytearray(1 << 20))",
      limits: { memoryBytes: 300 * MEBIBYTE, cpus: undefined, pids: undefined },
    },
    outcomes: "+-+++",
    words: /killed for lack of memory/u,
  },
  {
    name: "takes all memory in many processes that are smaller than pytest",
    attack: {
      code: `signal.signal(signal.SIGCHLD, signal.SIG_IGN)
while True:
    try:
        if os.fork() == 0:
            x = bytearray(b"x" * (10 << 20))
            time.sleep(600)
    except OSError:
        time.sleep(0.1)`,
      limits: { memoryBytes: 300 * MEBIBYTE, cpus: undefined, pids: undefined },
    },
    outcomes: "+-+++",
    words: /killed for lack of memory/u,
  },
  {
    name: "prints until the tests have no memory left",
    attack: {
      code: "while True: os.write(1, bytes(1 << 20))",
      limits: { memoryBytes: 200 * MEBIBYTE, cpus: undefined, pids: undefined },
    },
    outcomes: "+-!!!",
    words: /all memory that the container may have was taken/u,
  },
  {
    name: "prints 200 MB",
    attack: { code: "for _ in range(200): os.write(2, b'x' * 1000000)\nprint(30)" },
    outcomes: "+++++",
  },
  {
    name: "hangs",
    attack: { code: "signal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(600)" },
    outcomes: "+-+++",
    words: /TimeoutExpired/u,
  },
  {
    name: "sends signals to its parent and to everything else, and tries to trace them",
    attack: {
      code: `trace = ctypes.CDLL(None, use_errno=True).ptrace
reached = []
for pid in [int(name) for name in os.listdir("/proc") if name.isdigit()]:
    if pid == os.getpid(): continue
    for number in (signal.SIGTERM, signal.SIGSTOP, signal.SIGKILL):
        try:
            os.kill(pid, number)
            reached.append(pid)
        except PermissionError: pass
    if trace(16, pid, 0, 0) == 0: reached.append(pid)
    for name in ("mem", "environ", "fd/1"):
        try: reached.append(open(f"/proc/{pid}/{name}"))
        except OSError: pass
for identity in (os.setuid, os.seteuid):
    for user in (0, 64987, 64986):
        try: reached.append(identity(user))
        except PermissionError: pass
signal.signal(signal.SIGTERM, signal.SIG_IGN)
try: os.kill(-1, signal.SIGTERM)
except OSError: pass
print(reached or 30)`,
    },
    outcomes: "+++++",
  },
  {
    name: "deletes, edits and replaces the tests",
    attack: {
      code: `import shutil
for victim in (".evaluation_tests", "pytest.ini", "/opt/slop-lens/harness", "/opt/slop-lens/tests"):
    for action in (shutil.rmtree, os.unlink, lambda name: os.rename(name, "elsewhere"), lambda name: os.chmod(name, 0o777),
                   lambda name: open(name, "w"), lambda name: open(os.path.join(name, "conftest.py"), "w")):
        try: action(victim)
        except OSError: pass
print(30)`,
    },
    outcomes: "+++++",
  },
  {
    name: "closes its descriptors and writes to those of others",
    attack: {
      code: `for place in ("/proc/1/fd", f"/proc/{os.getppid()}/fd"):
    for number in range(20):
        try: os.write(os.open(f"{place}/{number}", os.O_WRONLY | os.O_NONBLOCK), b"passed")
        except OSError: pass
os.closerange(0, 4096)
os._exit(0)`,
    },
    outcomes: "+-+++",
  },
  {
    name: "opens the port before the test does",
    attack: {
      code: `listener = socket.socket()
listener.bind(("127.0.0.1", 18765))
listener.listen()
if os.fork() == 0:
    os.close(1)
    time.sleep(600)
print(30)`,
    },
    outcomes: "+++-+",
  },
  {
    name: "makes 100,000 files",
    attack: {
      code: `os.mkdir("many")
for number in range(100_000): os.close(os.open(f"many/{number}", os.O_CREAT))
print(30)`,
      seconds: 90,
    },
    outcomes: "+++++",
  },
  {
    name: "has names with line feeds and bytes that are not UTF-8",
    attack: {
      code: `names = os.listdir(b".")
print(30 if b"line\\nfeed" in names and b"bad\\xff" not in names else names)`,
      prepare: (folder) => {
        writeFileSync(path.join(folder, "line\nfeed"), "");
        writeFileSync(Buffer.concat([Buffer.from(`${folder}/bad`), Buffer.from([0xff])]), "");
      },
    },
    outcomes: "+++++",
  },
];

describe.concurrent("a solution that", { timeout: 120_000 }, () => {
  it.each(CASES)("$name", async ({ attack, outcomes, words }) => {
    const trial = await evaluateAttack(attack);
    const { evaluation } = trial;
    expect(evaluation.reason).toBeUndefined();
    expect(evaluation.valid).toBe(true);
    expect(outcomesOf(trial)).toBe(outcomes);
    const said = [...evaluation.warnings, ...evaluation.outcomes.map(({ message }) => message)].join("\n");
    if (words !== undefined) expect(said).toMatch(words);
  });

  it("has links out of the workspace reads the container's files, never the host's", async () => {
    using host = temporaryFolder();
    const secret = path.join(host.path, "secret");
    writeFileSync(secret, "of the host");
    const trial = await evaluateAttack({
      code: `print(30 if not os.path.exists("out") and open("etc/hostname").read().strip() == socket.gethostname() else 0)`,
      prepare: (folder) => {
        symlinkSync(secret, path.join(folder, "out"));
        symlinkSync("/etc", path.join(folder, "etc"));
        symlinkSync("/etc", path.join(folder, ".evaluation_tests"));
      },
    });
    expect(trial.evaluation.reason).toBeUndefined();
    expect(outcomesOf(trial)).toBe("+++++");
  });
});

it("none of them leaves a container behind", async () => {
  const label = { label: [`${LABEL.run}=test-${process.pid}`] };
  expect(await engine.listContainers({ all: true, filters: label })).toEqual([]);
});
