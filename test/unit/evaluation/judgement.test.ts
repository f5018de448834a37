import { describe, expect, it } from "vitest";
import { parseHarnessEvent } from "../../../src/core/evaluation/events.js";
import { whyInvalid, type Course } from "../../../src/core/evaluation/judgement.js";
import { Recorder } from "../../../src/core/evaluation/recorder.js";
import { Diary } from "./support.js";

const FILE = ".evaluation_tests/test_checkpoint_1.py";
const start = { event: "start", pytest: "9.0.3", python: "3.12.1" };
const collected = {
  event: "collected",
  tests: [
    { node: `${FILE}::test_a`, line: 3, markers: [] },
    { node: `${FILE}::test_b`, line: null, markers: ["error"] },
  ],
};
const begin = (name: string) => ({ event: "test-start", node: `${FILE}::${name}` });
const done = (name: string) => ({
  event: "test-finish",
  node: `${FILE}::${name}`,
  status: "passed",
  seconds: 0.25,
  message: null,
});
const finish = { event: "finish", code: 0, collected: 2, reported: 2 };
const exit = { event: "exit", code: 0, seconds: 1, strays: 0 };
const good = [
  start,
  collected,
  begin("test_a"),
  done("test_a"),
  begin("test_b"),
  done("test_b"),
  finish,
  exit,
];

function judge(events: readonly object[], course: Partial<Course> = {}): string | undefined {
  const recorder = new Recorder("checkpoint_1", [], new Diary());
  for (const event of events) {
    const parsed = parseHarnessEvent(JSON.stringify(event));
    if (parsed === undefined) throw new Error(`not understood: ${JSON.stringify(event)}`);
    recorder.take(parsed);
  }
  const result = { exitCode: 0, timedOut: false, outOfMemory: false, seconds: 1 };
  return whyInvalid({ recorder, result, damage: undefined, stderr: "", ...course });
}

const without = (...left: readonly object[]): object[] => good.filter((event) => !left.includes(event));
const instead = (old: object, fresh: object): object[] =>
  good.map((event) => (event === old ? fresh : event));

describe("whyInvalid", () => {
  it("has nothing to say about a whole report", () => {
    expect(judge(good)).toBeUndefined();
    const failing = instead(finish, { ...finish, code: 1 });
    expect(judge(failing.map((event) => (event === exit ? { ...exit, code: 1 } : event)))).toBeUndefined();
  });

  it("does not hold a sticky memory flag against a whole report", () => {
    const result = { exitCode: 1, timedOut: false, outOfMemory: true, seconds: 1 };
    expect(judge(instead(exit, { ...exit, oomKills: 1 }), { result })).toBeUndefined();
  });

  it("wants every collected test reported", () => {
    const early = [start, collected, begin("test_a"), done("test_a"), { ...finish, reported: 1 }, exit];
    expect(judge(early)).toBe("pytest reported 1 of 2 collected tests");
    expect(judge(instead(finish, { ...finish, collected: 3, reported: 3 }))).toBe(
      "pytest collected 3 tests, but named 2",
    );
  });

  it("names the test that was running when pytest disappeared", () => {
    const gone = [start, collected, begin("test_a"), { ...exit, code: -9, oomKills: 1 }];
    expect(judge(gone)).toBe(
      "pytest was killed for lack of memory by signal 9, while test_checkpoint_1.py::test_a was running",
    );
    const harness = { exitCode: 137, timedOut: false, outOfMemory: false, seconds: 1 };
    expect(judge([start, collected, begin("test_a")], { result: harness })).toBe(
      "The test harness was killed (exit code 137), while test_checkpoint_1.py::test_a was running",
    );
  });

  it("puts a stop by the clock before everything that follows from it", () => {
    const killed = { exitCode: 137, timedOut: true, outOfMemory: false, seconds: 1 };
    const words = "The tests were stopped because they did not end in time";
    expect(judge([start, collected], { result: killed })).toBe(words);
    expect(judge([start, collected, begin("test_b")], { result: undefined })).toBe(
      `${words}, while test_checkpoint_1.py::test_b was running`,
    );
  });

  it("distrusts a stream with a gap, a second report of a test, and one of an unknown test", () => {
    expect(judge(good, { damage: "frame 4 of pytest came where 3 was due" })).toBe(
      "The report on the tests is damaged: frame 4 of pytest came where 3 was due",
    );
    expect(judge([...good, done("test_a")])).toContain("test_a was reported twice");
    expect(judge([...good, done("test_c")])).toContain("test_c ran without having been collected");
  });

  it("wants the exit code that pytest announced", () => {
    expect(judge(instead(exit, { ...exit, code: 3 }))).toBe(
      "pytest ended with exit code 3 after it had announced 0",
    );
    expect(judge(without(finish))).toBe("pytest's process ended with exit code 0 before pytest was done");
  });

  it("shows the last words when pytest never started", () => {
    const result = { exitCode: 1, timedOut: false, outOfMemory: false, seconds: 1 };
    expect(
      judge([], { result, stderr: "Traceback …\n\nModuleNotFoundError: No module named 'pytest'\n" }),
    ).toBe("pytest did not start (exit code 1): Traceback …\nModuleNotFoundError: No module named 'pytest'");
  });
});

describe("parseHarnessEvent", () => {
  it("reads the kernel's number for no limit on memory", () => {
    const text = '{"event":"exit","code":0,"seconds":1,"strays":0,"memoryLimit":9223372036854771712}';
    expect(parseHarnessEvent(text)).toMatchObject({ event: "exit", memoryLimit: 2 ** 63 - 4096 });
  });

  it("takes only messages of the harness", () => {
    expect(parseHarnessEvent("{")).toBeUndefined();
    expect(parseHarnessEvent('{"event":"applause"}')).toBeUndefined();
    expect(parseHarnessEvent('{"event":"test-finish","node":"a","status":"great"}')).toBeUndefined();
    expect(parseHarnessEvent('{"event":"exit","code":0,"seconds":1,"strays":0,"oomKills":null}')).toEqual({
      ...exit,
      oomKills: undefined,
      memoryPeak: undefined,
      processesRefused: undefined,
    });
  });
});
