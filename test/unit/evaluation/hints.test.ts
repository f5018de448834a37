import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { massFailures, requirementsTrouble } from "../../../src/core/evaluation/hints.js";
import { outcome } from "./support.js";

const failures = (messages: readonly string[]) =>
  messages.map((message, index) => outcome({ id: `test_${index}`, status: "failed", message }));

const SYNTAX = `assert 1 == 0 where CompletedProcess(stderr='  File "a.py", line 3\\nSyntaxError: f-string: unmatched \\n')`;
const MISSING = `E  stderr="ModuleNotFoundError: No module named 'yaml'\\n"`;

describe("requirements that cannot be installed", () => {
  it("are told with the verdict, and no other warning is", () => {
    const trouble = "requirements.txt of the solution cannot be installed: ERROR: no such release";
    expect(requirementsTrouble({ warnings: ["offline", trouble] })).toBe(
      `${trouble}; the tests ran without them`,
    );
    expect(requirementsTrouble({ warnings: ["offline"] })).toBeUndefined();
  });

  it("begin as the harness writes it", async () => {
    const harness = path.resolve(import.meta.dirname, "../../../harness/provision.py");
    expect(await readFile(harness, "utf8")).toContain(
      '"requirements.txt of the solution cannot be installed: "',
    );
  });
});

describe("massFailures", () => {
  it("names the interpreter when most failures are syntax errors", () => {
    const hints = massFailures(failures([SYNTAX, SYNTAX, SYNTAX, "assert 1 == 2"]), "3.11.2");
    expect(hints).toEqual([
      "3 of 4 failing tests show “SyntaxError: f-string: unmatched ”: the code may need another Python than 3.11.2",
    ]);
  });

  it("names the modules that are missing", () => {
    const other = "ModuleNotFoundError: No module named 'numpy.linalg'";
    expect(massFailures(failures([MISSING, MISSING, other]), "3.12.1")).toEqual([
      "3 of 3 failing tests miss a module (numpy.linalg, yaml): the solution's requirements.txt does not bring it",
    ]);
  });

  it("is silent when failures are few, or mostly have other causes", () => {
    expect(massFailures(failures([SYNTAX, SYNTAX]), "3.12.1")).toEqual([]);
    const others = Array.from({ length: 4 }, () => "assert 1 == 2");
    expect(massFailures(failures([SYNTAX, SYNTAX, SYNTAX, ...others]), "3.12.1")).toEqual([]);
  });

  it("does not look at tests that passed", () => {
    const passed = failures([SYNTAX, SYNTAX, SYNTAX]).map((test) => ({
      ...test,
      status: "passed" as const,
    }));
    expect(massFailures(passed, "3.12.1")).toEqual([]);
  });
});
