import { describe, expect, it } from "vitest";

import { evaluateAttack } from "./hostile-support.js";

const PACK = "ways_to_start";

/** PID 1 and pytest; a worker of pytest's has its command line too, and another parent. */
const FIND_TESTS = `def parent(pid):
    with open(f"/proc/{pid}/stat") as stat: return stat.read().rpartition(")")[2].split()[1]
tests = [1]
for name in os.listdir("/proc"):
    try:
        if name.isdigit() and parent(name) == "1" and "supervisor.py" in open(f"/proc/{name}/cmdline").read():
            tests.append(int(name))
    except OSError: pass
assert len(tests) == 2, tests`;

const END_TESTS = `reached = []
for pid in tests:
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.kill(pid, number)
            reached.append((pid, number))
        except PermissionError: pass`;

const READ_AND_WRITE_TESTS = `trace = ctypes.CDLL(None, use_errno=True).ptrace
read = ctypes.CDLL(None, use_errno=True).process_vm_readv
for pid in tests:
    if trace(16, pid, 0, 0) == 0: reached.append((pid, "traced"))
    place = (ctypes.c_size_t * 2)(ctypes.addressof(ctypes.create_string_buffer(8)), 8)
    for address in (0x400000, 0x555555554000):
        if read(pid, place, 1, (ctypes.c_size_t * 2)(address, 8), 1, 0) > 0: reached.append((pid, "read"))
    for name in ("mem", "environ", "maps", "auxv", *(f"fd/{number}" for number in range(40))):
        for mode in (os.O_RDONLY, os.O_WRONLY | os.O_NONBLOCK):
            try: reached.append((pid, name, os.open(f"/proc/{pid}/{name}", mode)))
            except OSError: pass`;

describe.concurrent("a solution that is started", { timeout: 120_000 }, () => {
  it("in any way that Python knows has no hold on the tests", async () => {
    const code = `${FIND_TESTS}\n${END_TESTS}\n${READ_AND_WRITE_TESTS}
if len(set(os.getresuid())) > 1: reached.append(os.getresuid())
print(reached or 30)`;
    const { evaluation, statuses } = await evaluateAttack({ code }, PACK);
    expect(evaluation.reason).toBeUndefined();
    const failed = evaluation.outcomes.filter(({ status }) => status !== "passed");
    expect(failed).toEqual([]);
    expect(Object.keys(statuses)).toHaveLength(20);
  });

  it("by a library in C can end the tests, which then count for nothing", async () => {
    const code = `${FIND_TESTS}\n${END_TESTS}`;
    const { evaluation } = await evaluateAttack({ code }, PACK, "checkpoint_2");
    expect(evaluation.valid).toBe(false);
    expect(evaluation.reason).toMatch(
      /^pytest was killed by signal (9|15), while .*::test_started_from_c was running$/u,
    );
  });

  it("by a library in C can neither read what authenticates results nor write any", async () => {
    const code = `${FIND_TESTS}\nreached = []\n${READ_AND_WRITE_TESTS}
node = ".evaluation_tests/test_checkpoint_2.py::test_started_from_c"
for number in range(40):
    for nonce in ("0" * 32, "f" * 32):
        frame = f'\\x1e{nonce} pytest 3 . {{"event":"test-finish","node":"{node}","status":"passed","seconds":0,"message":null}}\\n'
        try: os.write(number, frame.encode())
        except OSError: pass
open("answer", "w").write(str(reached or 30))
sys.exit(1)`;
    const { evaluation, statuses } = await evaluateAttack({ code }, PACK, "checkpoint_2");
    expect(evaluation.reason).toBeUndefined();
    // It ended with 1, so the test has failed whatever was written.
    expect(statuses).toEqual({ test_started_from_c: "failed" });
    expect(evaluation.outcomes[0]?.message).toContain("assert 256 == 0");
    const answer = await evaluateAttack({ code: code.replace("sys.exit(1)", "") }, PACK, "checkpoint_2");
    expect(answer.statuses).toEqual({ test_started_from_c: "passed" });
  });
});
